"""METEOR as the toolkit's class."""

from __future__ import annotations

import io
import threading
from types import TracebackType

from captious._internal.checks.arguments import check_arguments
from captious.metrics.meteor import Meteor as MeteorMetric
from captious.pycocoevalcap.tokenized import TokenizedCaptions, score_tokenized


class NoProcess:
    """Stands where the toolkit has its Java process, for code that ends it."""

    def __init__(self) -> None:
        self.stdin, self.stdout, self.stderr = io.BytesIO(), io.BytesIO(), io.BytesIO()

    def kill(self) -> None:
        """Nothing is running."""

    terminate = kill

    def wait(self, timeout: float | None = None) -> int:
        """It ended well."""
        return 0

    def poll(self) -> int:
        """It ended well."""
        return 0


class Meteor:
    """METEOR 1.5, without the Java process.

    There is nothing to close: after `close()`, or after a `with` block, it goes on working.
    """

    def __init__(self) -> None:
        self.meteor_cmd: list[str] = []
        self.meteor_p = NoProcess()
        self.lock = threading.Lock()

    @check_arguments
    def compute_score(
        self, gts: TokenizedCaptions, res: TokenizedCaptions
    ) -> tuple[float, list[float]]:
        """The corpus score, and the score of each caption."""
        result = score_tokenized(gts, res, [MeteorMetric()])
        return result.corpus["meteor"], result.samples["meteor"].tolist()

    def _score(self, hypothesis_str: str, reference_list: list[str]) -> float:
        return self.compute_score({0: reference_list}, {0: [hypothesis_str]})[0]

    def method(self) -> str:
        """The metric's name."""
        return "METEOR"

    def close(self) -> None:
        """Nothing: there is no process to end."""

    def __enter__(self) -> Meteor:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
