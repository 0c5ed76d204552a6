"""How the ids of candidates and references meet, and what keeps them apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

_NUMBERS = re.compile(r"\d+", re.ASCII)
_MOST_DIGITS = 18


@dataclass(frozen=True)
class Meeting:
    """Ids that meet, candidates' that have no references, references' that have no candidate.

    `remedy` says by what of them the ids that do not meet would, and `would_meet` how many.
    """

    met: int
    without_references: Sequence[Hashable] = ()
    without_candidate: Sequence[Hashable] = ()
    would_meet: int = 0
    remedy: str = ""

    @classmethod
    def of(cls, candidates: Iterable[Hashable], references: Iterable[Hashable]) -> Meeting:
        """Compare the ids on both sides."""
        mine, theirs = dict.fromkeys(candidates), dict.fromkeys(references)
        absent = [image for image in mine if image not in theirs]
        unused = [image for image in theirs if image not in mine]
        would_meet, remedy = _best_remedy(absent, unused)
        return cls(len(mine) - len(absent), absent, unused, would_meet, remedy)


def _best_remedy(mine: Sequence[Hashable], theirs: Sequence[Hashable]) -> tuple[int, str]:
    """By what most ids would meet, and how many of the candidates'."""
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
    return str(int(numbers[-1])) if numbers and len(numbers[-1]) <= _MOST_DIGITS else None


_REMEDIES: dict[str, Callable[[Hashable], str | None]] = {
    "as text (one side has numbers, the other strings)": _as_text,
    "without folder and extension": _stem,
    "by the last number in them": _last_number,
}
