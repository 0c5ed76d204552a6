"""Sentences of captions, as a layer of their analysis.

Nearly all captions are one sentence. Models of today write a hundred words, in sentences, in lines,
in lists.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import IntArray, Ragged, offsets_of
from captious.text.analysis import Analysis
from captious.text.ascii_sentences import split_ascii_captions
from captious.text.sentence_rules import may_have_several, split


@dataclass(frozen=True)
class Sentences:
    """The sentences of the captions that have more than one, caption by caption."""

    texts: list[str]
    offsets: IntArray  # of each caption's sentences; of a caption of one sentence there are none

    @classmethod
    def build(cls, analysis: Analysis) -> Sentences:
        """Split all captions that may have several sentences."""
        captions = analysis.captions
        texts, counts, is_split = split_ascii_captions(captions)
        left = {
            row: sentences
            for row in np.flatnonzero(~is_split).tolist()
            if may_have_several(captions[row]) and len(sentences := list(split(captions[row]))) > 1
        }
        if left:
            offsets = offsets_of(counts)
            parts, done = [], 0
            for row, sentences in left.items():
                parts += [texts[done : offsets[row]], sentences]
                done = int(offsets[row])
            texts = list(chain(*parts, texts[done:]))
            counts[list(left)] = list(map(len, left.values()))
        return cls(texts, offsets_of(counts))

    @cached_property
    def has_several(self) -> npt.NDArray[np.bool_]:
        """Whether each caption has several sentences."""
        several: npt.NDArray[np.bool_] = np.diff(self.offsets) > 0
        return several

    def of_captions(self, rows: IntArray, analysis: Analysis) -> tuple[list[str], IntArray]:
        """Return the sentences of the captions at some rows, and where each caption's begin."""
        lengths = np.diff(self.offsets)[rows]
        offsets = offsets_of(np.maximum(lengths, 1))
        if not len(self.texts):
            return [analysis.captions[row] for row in rows.tolist()], offsets
        several = rows[lengths > 0]
        places = Ragged(np.arange(len(self.texts)), self.offsets).take(several).values
        texts = self.texts
        if len(places) != len(texts) or np.any(np.diff(places) != 1):
            texts = list(map(self.texts.__getitem__, places.tolist()))
        if len(several) == len(rows):
            return texts, offsets
        firsts = offsets[:-1][lengths == 0]
        is_text = np.ones(int(offsets[-1]), np.bool_)
        is_text[firsts] = False
        flat = np.empty(len(is_text), np.object_)
        flat[is_text] = texts
        flat[firsts] = [analysis.captions[row] for row in rows[lengths == 0].tolist()]
        return flat.tolist(), offsets
