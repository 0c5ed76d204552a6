"""Chunks of captions beside Python's own splitting and dictionaries."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pytest

from captious.text.tokenizer import chunks
from tests._internal.loops.differential.trial import Trial
from tests._internal.loops.drawn import LENGTHS, LONG, SHORT, samples_of
from tests._internal.loops.uncompiled import Loops, in_use

WHITE = (" ", "  ", "\t", "\n", " \x1c", "\x1f", "\r\n", "\x0b\x0c")


class ChunkLoop(Trial):
    """White space of every kind, at both ends too; words that begin alike; tables that fill up."""

    loops = ("chunks",)
    boundaries: ClassVar = {"words": (0, 1, 63, 127, 1000), "different words": (1, 2, 16)}

    def short(self) -> Sequence[list[str]]:
        alike = " ".join(f"w{letter}" for letter in "abcdefghijkl")
        odd = ["a ab abc", "abd", "\x00 a\x00", "ab a ", alike]
        return [_captions(SHORT), ["", " ", "\n"], odd, []]

    def long(self) -> Sequence[list[str]]:
        return [_captions(LENGTHS), _captions(LONG)]

    def answer(self, loops: Loops, problem: list[str]) -> Any:
        answers = []
        for room in (2, 1 << 15):  # too little for most, and enough for all
            with in_use(loops), pytest.MonkeyPatch.context() as patch:
                patch.setattr(chunks, "IS_COMPILED", True)
                patch.setattr(chunks, "INITIAL_CAPACITY", room)
                cut = chunks.Chunks.build(
                    problem, str.split, lambda texts: [(text,) for text in texts]
                )
            rows = cut.of_captions
            texts = [text for (text,) in cut.tokens]
            answers.append((texts, rows.values.tolist(), rows.offsets.tolist()))
        assert answers[0] == answers[1]
        return answers[0]

    def check(self, problem: list[str], answer: Any) -> None:
        texts, values, offsets = answer
        wanted = [caption.split() for caption in problem]
        assert texts == list(dict.fromkeys(chunk for row in wanted for chunk in row))
        assert [texts[value] for value in values] == [chunk for row in wanted for chunk in row]
        assert np.diff(offsets).tolist() == list(map(len, wanted))

    def sizes(self, problem: list[str]) -> list[dict[str, int]]:
        rows = [caption.split() for caption in problem]
        return [{"words": len(row), "different words": len(set(row))} for row in rows]


def _captions(lengths: Sequence[int]) -> list[str]:
    """Captions with white space of every kind around their words."""
    random = np.random.default_rng(0)
    captions = []
    for sample in samples_of(lengths):
        for words in (sample.candidate, *sample.references):
            gaps = random.choice(WHITE, len(words)).tolist()
            captions.append("".join(gap + word for gap, word in zip(gaps, words, strict=True)))
    return captions + [caption + WHITE[0] for caption in captions[:5]]
