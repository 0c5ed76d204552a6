"""Captions without comparable words, which match a reference only if all tokens are equal."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import IntArray
from captious.samples import Samples
from captious.text.tokens import Tokens
from captious.text.vectors.caption_vectors import VectorRows, Vectors, is_zero_vector


def equal_pairs_without_words(samples: Samples, is_wordless: npt.NDArray[np.bool_]) -> IntArray:
    """Return pairs of equal tokens, of candidates that have no word to compare."""
    if not is_wordless.any():  # the usual case: spares the tokens as text
        return np.zeros(0, np.int64)
    rows = samples.rows[samples.pairs.owners]
    pairs = np.flatnonzero(is_wordless[rows])
    candidates, references = (
        samples.candidates.layer(Tokens),
        samples.references.analysis.layer(Tokens),
    )
    others = samples.pairs.values
    same = [candidates.words[rows[pair]] == references.words[others[pair]] for pair in pairs]
    return pairs[np.array(same, np.bool_)]


def has_no_vector(samples: Samples, vectors: Vectors) -> npt.NDArray[np.bool_]:
    """Return which candidates, by caption, have tokens, but no vector for any of them."""
    has_tokens = samples.candidates.layer(Tokens).ids.lengths > 0
    is_wordless: npt.NDArray[np.bool_] = has_tokens & is_zero_vector(VectorRows.every(vectors))
    return is_wordless
