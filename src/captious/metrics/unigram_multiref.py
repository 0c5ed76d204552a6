"""Unigram recall of combined references: the share of their words that a candidate has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray, Ragged, offsets_of
from captious.metrics.base import Metric, mean_statistics
from captious.metrics.parameters import PAPER, RELEASED, parameter, variant_parameter
from captious.metrics.pooling import BEST, COMBINED, pooling_parameter
from captious.samples import References, Samples
from captious.text.analysis import Analysis
from captious.text.english import ENGLISH
from captious.text.tokens import Tokens

Rows = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PreparedWords:
    """The references' words by number, and each image's references as rows of such numbers."""

    numbers: dict[str, int]
    sets: dict[Rows, list[list[int]]]


@dataclass(frozen=True)
class UnigramMultiref(Metric):
    """Share of the combined references' words, without stop words, that the candidate has.

    `pooling` says how several references become one (`combined`, `concatenated`, or `best`: the
    best one alone), `remove_stop_words` whether stop words go. The paper keeps a base as it is and
    adds words that are new; the code that its authors released takes each word once, and takes
    captions as they are: cut at spaces, capitals and punctuation kept.
    """

    pooling: str = pooling_parameter()
    remove_stop_words: bool = parameter(True, "whether to remove stop words")
    variant: str = variant_parameter()

    name = "unigram_multiref"
    description = "share of the combined references' words in the candidate (Yi et al., 2020)"
    english = "its stop words"
    language_free_with = ("remove_stop_words",)

    def prepare(self, references: References) -> PreparedWords:
        """Number the references' words and make sets of them, one an image or one a reference."""
        words = self._words(references.analysis)
        numbers: dict[str, int] = {}
        numbered = [[numbers.setdefault(word, len(numbers)) for word in row] for row in words]
        stops = {number for word, number in numbers.items() if self._is_stop_word(word)}
        sets = {
            rows: [
                self._drop_stop_words(reference, stops)
                for reference in self._combine([numbered[row] for row in rows])
            ]
            for rows in dict.fromkeys(references.rows.to_tuples())
        }
        return PreparedWords(numbers, sets)

    def statistics(self, samples: Samples, prepared: PreparedWords) -> FloatArray:
        """The share of words found; of several sets the best one."""
        numbers = prepared.numbers
        candidates = _to_ragged(
            [
                [numbers[word] for word in row if word in numbers]
                for row in self._words(samples.candidates)
            ]
        ).take(samples.rows)
        sets = [prepared.sets[rows] for rows in samples.pairs.to_tuples()]
        references = _to_ragged([reference for several in sets for reference in several])
        count = np.array([len(several) for several in sets])
        sample = np.repeat(np.arange(len(sets)), count)
        size = max(len(numbers), 1)
        is_matched = np.isin(
            sample[references.owners] * size + references.values,
            candidates.owners * size + candidates.values,
        )
        shares = np.bincount(references.owners, is_matched, len(references)) / np.maximum(
            references.lengths, 1
        )
        return mean_statistics(np.maximum.reduceat(shares, offsets_of(count)[:-1]))

    def depends_on(self) -> dict[str, Any]:
        """The stop words that are left out, if any."""
        return {"stop_words": ENGLISH.stop_words_name if self.remove_stop_words else "kept"}

    def _words(self, analysis: Analysis) -> Sequence[Sequence[str]]:
        if self.variant == RELEASED:
            return [caption.split() for caption in analysis.captions]
        return analysis.layer(Tokens).words

    def _is_stop_word(self, word: str) -> bool:
        # The authors' own list has the full stop and single letters, small and capital.
        return word in ENGLISH.stop_words or (self.variant == RELEASED and len(word) == 1)

    def _combine(self, references: list[list[int]]) -> list[list[int]]:
        """Return the references unchanged, concatenated, or combined, by `pooling`."""
        if self.pooling == BEST:
            return references
        concatenated = [word for reference in references for word in reference]
        if self.pooling != COMBINED:
            return [concatenated]
        if self.variant == RELEASED:
            return [list(dict.fromkeys(concatenated))]
        kept = list(references[0])
        for reference in references[1:]:
            known = set(kept)
            kept += [word for word in reference if word not in known]
        return [kept]

    def _drop_stop_words(self, words: list[int], stops: set[int]) -> list[int]:
        """Drop stop words; the paper's variant keeps them if there are no other words."""
        if not self.remove_stop_words:
            return words
        content = [word for word in words if word not in stops]
        return words if not content and self.variant == PAPER else content


def _to_ragged(rows: Sequence[Sequence[int]]) -> Ragged:
    """Return rows of numbers as a ragged array."""
    lengths: IntArray = np.fromiter(map(len, rows), np.int64, len(rows))
    offsets = offsets_of(lengths)
    values = np.fromiter((word for row in rows for word in row), np.int64, int(offsets[-1]))
    return Ragged(values, offsets)
