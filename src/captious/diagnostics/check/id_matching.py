"""Match ids of candidates and references, and suggest why some do not match."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

_NUMBERS = re.compile(r"\d+", re.ASCII)
_MAX_DIGITS = 18


@dataclass(frozen=True)
class IdMatch:
    """The number of matching ids, and the unmatched ids of both sides.

    `remedy` says how the unmatched ids would match, and `n_remedied` how many of them.
    """

    n_matched: int
    without_references: Sequence[Hashable] = ()
    without_candidates: Sequence[Hashable] = ()
    n_remedied: int = 0
    remedy: str = ""

    @classmethod
    def of(cls, candidates: Iterable[Hashable], references: Iterable[Hashable]) -> IdMatch:
        """Compare the ids on both sides."""
        mine, theirs = dict.fromkeys(candidates), dict.fromkeys(references)
        absent = [image for image in mine if image not in theirs]
        unused = [image for image in theirs if image not in mine]
        n_remedied, remedy = _best_remedy(absent, unused)
        return cls(len(mine) - len(absent), absent, unused, n_remedied, remedy)


def _best_remedy(mine: Sequence[Hashable], theirs: Sequence[Hashable]) -> tuple[int, str]:
    """Find the comparison by which most ids match, and how many candidates match."""
    best = (0, "")
    if mine and theirs:
        for remedy, key in _REMEDIES.items():
            others = set(map(key, theirs)) - {None}
            best = max(best, (sum(key(image) in others for image in mine), remedy), key=_count)
    return best


def _count(remedy: tuple[int, str]) -> int:
    return remedy[0]


def _as_text(image: Hashable) -> str | None:
    return str(image)


def _stem(image: Hashable) -> str | None:
    return PurePosixPath(str(image).replace("\\", "/")).stem.lower()


def _last_number(image: Hashable) -> str | None:
    numbers = _NUMBERS.findall(_stem(image) or "")
    return str(int(numbers[-1])) if numbers and len(numbers[-1]) <= _MAX_DIGITS else None


_REMEDIES: dict[str, Callable[[Hashable], str | None]] = {
    "as text (one side has numbers, the other strings)": _as_text,
    "without folder and extension": _stem,
    "by the last number in them": _last_number,
}
