"""METEOR as the toolkit's class."""

from __future__ import annotations

from captious.checks.arguments import checked
from captious.metrics.meteor.meteor import Meteor as MeteorMetric
from captious.pycocoevalcap.tokenized import TokenizedCaptions, score_tokenized


class Meteor:
    """METEOR 1.5, without the Java process."""

    @checked
    def compute_score(
        self, gts: TokenizedCaptions, res: TokenizedCaptions
    ) -> tuple[float, list[float]]:
        """The corpus score, and the score of each caption."""
        result = score_tokenized(gts, res, [MeteorMetric()])
        return result.corpus["meteor"], result.samples["meteor"].tolist()

    def method(self) -> str:
        """The metric's name."""
        return "METEOR"
