"""METEOR's alignments; beside plain counting where no word occurs twice."""

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from captious.errors import CaptiousWarning
from captious.text.meteor import alignment as meteor_alignment
from captious.text.meteor.captions import MeteorCaptions
from tests._internal.loops.differential.trial import Trial
from tests._internal.loops.drawn import (
    Sample,
    Words,
    different,
    equal,
    few,
    frequent,
    pairs_of,
    samples_of,
)
from tests._internal.loops.uncompiled import Loops, in_use

BEAM = 40
WORDS, MATCHES = meteor_alignment.MAX_ALIGNED_WORDS, meteor_alignment.MAX_MATCHES


@dataclass(frozen=True)
class Aligned:
    """Pairs to be aligned, and the bounds of words, matches and paraphrases then."""

    samples: list[Sample]
    most_words: int = WORDS
    most_matches: int = MATCHES
    first_room: int = 1 << 14


class Meteor(Trial):
    """Blocks of 64 words, more partial alignments than are kept, more words than are searched."""

    loops: ClassVar[tuple[str, ...]] = ("meteor_aligner", "meteor_matches")
    boundaries: ClassVar = {
        "words on both sides": (0, 63, 64, 127, 128, 1000),
        "matches of equal words": (0, BEAM, 1000),
        "words that are not searched": (0,),
        "matches without room": (0,),
    }

    def short(self) -> Sequence[Aligned]:
        said = [
            ("a group of people next to a large man", "a large man next to a group of persons"),
            ("a couple of dogs in front of a road", "several dogs in front of a big street"),
            ("dog dog cat", "dog dog cat"),
            ("dogs dog puppy dogs dog", "dog dogs dog puppy puppies"),
            ("zqxv man", "zqxvs men zqxv"),
            ("dog", "cat dog dog"),
            ("mount driving", "ride"),
            ("next next next next next next close to", "next next next next next next to"),
        ]
        beside = [
            "close to a dog",
            "close",
            "a man close",
            "near to",
            "near by",
            "next",
            "the next",
        ]
        pairs = [Sample(mine.split(), [theirs.split()]) for mine, theirs in said]
        pairs.append(Sample("a dog next to a man".split(), [words.split() for words in beside]))
        pairs.append(Sample("the man close to it".split(), [words.split() for words in beside]))
        drawn = samples_of((0, 1, 2, 5, 9, 14), (frequent, few))
        long = samples_of((70,), (different,))
        return [
            Aligned(pairs + drawn),
            Aligned(long),
            Aligned(pairs + samples_of((5, 12), (frequent, few)), most_words=4),
            Aligned(samples_of((9,), (frequent, equal)), most_matches=20),
            *(Aligned(pairs, most_matches=room) for room in (1, 2, 3, 4, 6, 8)),
            Aligned(pairs, first_room=1),
        ]

    def long(self) -> Sequence[Aligned]:
        return [
            Aligned(samples_of((62, 63, 64, 65, 127, 128, 129), (frequent,))),
            Aligned(samples_of((63, 64, 65, 90), (equal, few))),
            Aligned(samples_of((63, 64, 65, 127, 128, 129, 999, 1000, 1001, 2500), (different,))),
            Aligned(samples_of((129,), (frequent, few)), most_matches=300),
        ]

    def answer(self, loops: Loops, problem: Aligned) -> list[list[int]]:
        # The pairs of a candidate are neighbours, as a metric has them.
        mine = np.repeat(
            np.arange(len(problem.samples)), [len(one.references) for one in problem.samples]
        )
        theirs = np.arange(len(mine))
        with in_use(loops), warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
            warnings.simplefilter("ignore", CaptiousWarning)  # of captions that are cut
            patch.setattr(meteor_alignment, "MAX_ALIGNED_WORDS", problem.most_words)
            patch.setattr(meteor_alignment, "MAX_MATCHES", problem.most_matches)
            patch.setattr(meteor_alignment, "INITIAL_PARAPHRASE_CAPACITY", problem.first_room)
            base = MeteorCaptions.analyse([words for _, words in pairs_of(problem.samples)])
            text = MeteorCaptions.analyse([one.candidate for one in problem.samples], base)
            rows = meteor_alignment.alignment_statistics(text, base, mine, theirs)
            return [[int(number) for number in row] for row in rows]

    def check(self, problem: Aligned, answer: list[list[int]]) -> None:
        for (mine, theirs), row in zip(pairs_of(problem.samples), answer, strict=True):
            found: dict[str, Any] = dict(zip(meteor_alignment.STATISTICS, row, strict=True))
            for side in ("candidate", "reference"):
                matched = sum(
                    found[f"{side}_{stage}_{kind}"]
                    for stage in ("exact", "stem", "synonym", "paraphrase")
                    for kind in ("content", "function")
                )
                assert found["chunks"] <= matched == found[f"{side}_matches"]
                assert matched <= found[f"{side}_words"]
            if all(word.startswith("w") and word[1:].isdigit() for word in mine + theirs):
                assert (row[0], row[1]) == (len(mine), len(theirs))
                assert (found["chunks"], row[4], row[5]) == by_definition(
                    mine, theirs, problem.most_words
                )

    def sizes(self, problem: Aligned) -> list[dict[str, int]]:
        rows = []
        for mine, theirs in pairs_of(problem.samples):
            counts = Counter(mine), Counter(theirs)
            matches = sum(counts[0][word] * counts[1][word] for word in counts[0])
            rows.append(
                {
                    "words on both sides": min(len(mine), len(theirs)),
                    "matches of equal words": matches,
                    "words that are not searched": max(len(mine), len(theirs)) - problem.most_words,
                    "matches without room": matches - problem.most_matches,
                }
            )
        return rows


def by_definition(mine: Words, theirs: Words, most_words: int) -> tuple[int, int, int]:
    """Chunks and matches on both sides, where no word occurs twice on a side."""
    if mine == theirs:
        return int(bool(mine)), len(mine), len(theirs)
    place = {word: number for number, word in enumerate(mine[:most_words])}
    chunks = matches = 0
    before = None
    for word in theirs[:most_words]:
        at = place.get(word)
        if at is not None:
            matches += 1
            chunks += before is None or at != before + 1
        before = at
    return chunks, matches, matches
