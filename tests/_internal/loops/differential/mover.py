"""Word mover's distances beside those of linear programming, with and without bounds."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np

from captious.metrics.wmd import Wmd
from captious.text.english.word_lists import read_stop_words
from captious.text.vectors.word_vectors import WordVectors
from tests._internal.loops.differential.transport import Problem, by_linear_programming
from tests._internal.loops.differential.trial import Trial
from tests._internal.loops.drawn import (
    WORDS,
    Sample,
    Words,
    as_samples,
    different,
    frequent,
    samples_of,
)
from tests._internal.loops.uncompiled import Loops, in_use


@cache
def table() -> WordVectors:
    """Vectors of the words that are drawn, not a multiple of four numbers each."""
    words = [*dict.fromkeys(WORDS), *(f"w{number}" for number in range(300))]
    values = np.random.default_rng(0).standard_normal((len(words), 6)).astype(np.float32)
    return WordVectors.of("drawn", words, values)


@dataclass(frozen=True)
class Scored:
    """Samples, and how their references are pooled."""

    samples: list[Sample]
    pool: str


class Mover(Trial):
    """Captions that share words and that do not, empty ones, equal ones."""

    loops = ("mover",)
    boundaries: ClassVar = {"references": (1,), "different words of a pair": (0, 63, 127)}

    def short(self) -> Sequence[Scored]:
        dog = Sample(["dog", "cat"], [["cat", "dog"], ["dog"], ["dog", "cat", "cat"], []])
        spared = Sample(["dog", "man"], [["man"], ["dog", "man", "man"], ["street", "food"]])
        again = Sample(["dog", "cat"], [["wave"], ["cat", "dog"]])
        drawn = [dog, spared, again, *samples_of((0, 1, 4, 9, 13), (frequent, different))]
        return [Scored(drawn, pool) for pool in ("max", "mean")]

    def long(self) -> Sequence[Scored]:
        drawn = samples_of((62, 63, 64, 65, 126, 127, 128, 129), (frequent, different))
        return [Scored(drawn, pool) for pool in ("max", "mean")]

    def answer(self, loops: Loops, problem: Scored) -> list[float]:
        with in_use(loops):
            distances = Wmd(pool=problem.pool).distances(as_samples(problem.samples), table())
        return list(map(float, distances))

    def check(self, problem: Scored, answer: list[float]) -> None:
        at = 0
        for sample in problem.samples:
            found = np.array(answer[at : at + len(sample.references)])
            at += len(found)
            expected = np.array([by_definition(sample.candidate, one) for one in sample.references])
            if problem.pool == "max":
                # Those that bounds show to be further than the nearest are left out.
                assert (found[np.isfinite(found)] >= expected.min() - 1e-9).all()
                found, expected = found.min(), expected.min()
            np.testing.assert_allclose(found, expected, atol=1e-9)

    def sizes(self, problem: Scored) -> list[dict[str, int]]:
        return [
            {
                "references": len(sample.references),
                "different words of a pair": min(len(set(words)), len(set(sample.candidate))),
            }
            for sample in problem.samples
            for words in sample.references
        ]


@cache
def _places() -> dict[str, int]:
    return {word: place for place, word in enumerate(table().words)}


def by_definition(mine: Words, theirs: Words) -> float:
    """The distance of all words that have a vector, shared ones as well."""
    counts = [
        Counter(word for word in words if word in _places() and word not in read_stop_words())
        for words in (mine, theirs)
    ]
    if not all(counts):
        return float("inf")
    points = [table().at(np.array([_places()[word] for word in several])) for several in counts]
    units = [several / np.linalg.norm(several, axis=1, keepdims=True) for several in points]
    costs = np.sqrt(((units[0][:, None] - units[1][None]) ** 2).sum(axis=2))
    masses = [np.array([*several.values()]) for several in counts]
    whole = int(masses[0].sum() * masses[1].sum())
    problem = Problem(costs, masses[0] * masses[1].sum(), masses[1] * masses[0].sum())
    return by_linear_programming(problem) / whole
