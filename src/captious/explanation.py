"""Why a caption lies where it does among its references: word by word, reference by reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from captious.corpus import Corpus
from captious.text.analysis import Analysis
from captious.text.caption_vectors import (
    CaptionSpace,
    at_length_one,
    caption_vectors,
    centroids,
)
from captious.text.tokens import Tokens

SUPPORTED = 0.5  # cosine to a reference's word from which on a word counts as said there, too


@dataclass(frozen=True)
class ExplainedWord:
    """A word of the candidate: how much it weighs, and how near the references' nearest word is.

    `weight` is its share of the lengths of all words' vectors, `support` the highest cosine with a
    word of a reference, `by` that word.
    """

    word: str
    weight: float
    support: float
    by: str


@dataclass(frozen=True)
class Explanation:
    """A candidate beside its references, in the space of captions."""

    score: float  # consensus: the cosine to the references' centroid
    similarities: tuple[float, ...]  # the cosine to each reference
    nearest: int  # the reference with the highest one
    words: tuple[ExplainedWord, ...]

    @property
    def unsupported(self) -> list[str]:
        """Words that weigh at least as much as the average and that no reference says."""
        average = 1 / max(len(self.words), 1)
        return [
            each.word for each in self.words if each.weight >= average and each.support < SUPPORTED
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "score": self.score,
            "similarities": list(self.similarities),
            "nearest": self.nearest,
            "words": [vars(word) for word in self.words],
            "unsupported": self.unsupported,
        }


def explain(
    candidate: str, references: Sequence[str], *, space: str | Path | None = None
) -> Explanation:
    """What `consensus` says of a candidate, and why."""
    corpus = Corpus.of([candidate], [references])
    loaded = CaptionSpace.load(space)
    analysis = Analysis([candidate, *corpus.references.captions])
    placed = caption_vectors(analysis, loaded, np.arange(len(analysis.captions)))
    centre = centroids(placed[1:], np.array([0, len(placed) - 1]))[0]
    similarities = (placed[1:] @ placed[0]).tolist()
    said = analysis.layer(Tokens).words
    return Explanation(
        float(placed[0] @ centre),
        tuple(similarities),
        int(np.argmax(similarities)),
        _words(loaded, said[0], list(dict.fromkeys(word for row in said[1:] for word in row))),
    )


def _words(space: CaptionSpace, mine: list[str], theirs: list[str]) -> tuple[ExplainedWord, ...]:
    vectors, others = space.of_words(mine), space.of_words(theirs)
    lengths = np.linalg.norm(vectors, axis=1)
    weights = lengths / max(float(lengths.sum()), 1e-12)
    cosines = at_length_one(vectors) @ at_length_one(others).T
    # A word that stands in a reference is supported, whether it has a vector or not.
    found = []
    for place, word in enumerate(mine):
        nearest = int(cosines[place].argmax()) if theirs else -1
        support, by = (float(cosines[place, nearest]), theirs[nearest]) if theirs else (0.0, "")
        if word in theirs:
            support, by = 1.0, word
        found.append(ExplainedWord(word, float(weights[place]), support, by))
    return tuple(found)
