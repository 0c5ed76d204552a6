"""METEOR's paraphrases: as its captions need them, and from codes that may be damaged."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tests._internal.loops.differential.meteor import Aligned, Meteor
from tests._internal.loops.uncompiled import Loops

KNOWN, ONE_BYTE, LONGEST = 10, 4, 7  # words, those that take one byte, words of a paraphrase


@dataclass(frozen=True)
class Coded:
    """The paraphrases of one phrase as the table has them, and how many they are."""

    code: bytes
    count: int | None  # none: they are damaged


CODES = (
    Coded(b"\x01\x02", 1),
    Coded(b"\x01\x04\x03", 1),  # a word of two bytes
    Coded(b"\x02\x00\x01\x11\x02", 2),  # the second begins as the first
    Coded(b"\x11\x02", None),  # begins as one that is not there
    Coded(b"\x00", None),  # has no word
    Coded(b"\x08" + bytes(8), None),  # has too many
    Coded(b"\x01", None),  # ends before its word,
    Coded(b"\x01\x04", None),  # or amid it
    Coded(b"\x01\x04\xff", None),  # a word that does not exist
)


class Paraphrases(Meteor):
    """The phrases of captions on both sides, and codes with every kind of damage."""

    loops: ClassVar = ("meteor_phrases",)

    def short(self) -> Sequence[Aligned | Coded]:  # type: ignore[override]
        return [*super().short(), *CODES]

    def answer(self, loops: Loops, problem: Any) -> Any:
        return (
            decoded(loops, problem)
            if isinstance(problem, Coded)
            else super().answer(loops, problem)
        )

    def check(self, problem: Any, answer: Any) -> None:
        if isinstance(problem, Aligned):
            super().check(problem, answer)
        elif problem.count is None:
            assert answer == ["damaged"]
        else:
            assert len(answer) == problem.count

    def sizes(self, problem: Any) -> list[dict[str, int]]:
        return super().sizes(problem) if isinstance(problem, Aligned) else []


def decoded(loops: Loops, problem: Coded) -> list[Any]:
    """The paraphrases of a phrase that is all there is of a caption, every word being wanted."""
    phrases = loops["meteor_phrases"]
    starts, words = np.empty(18, np.int32), np.empty(200, np.int32)
    count = phrases.choose_paraphrases(
        np.array([0, 1], np.int64).data,
        np.array([0, 1], np.int32).data,
        np.array([0], np.int32).data,
        np.array([0], np.int64).data,
        np.frombuffer(problem.code, np.uint8).data,
        np.array([0, len(problem.code)], np.int32).data,
        ONE_BYTE,
        LONGEST,
        np.ones(KNOWN, np.uint8).data,
        np.ones(16, np.uint8).data,
        np.zeros(2, np.int32).data,
        starts.data,
        words.data,
    )
    if count == phrases.DAMAGED:
        return ["damaged"]
    return [words[starts[place] : starts[place + 1]].tolist() for place in range(count)]
