"""Encoder output for the captions of an analysis: a vector for each caption or word piece."""

from __future__ import annotations

import numpy as np

from captious.text.analysis import Analysis
from captious.text.encoder.encoder import Encoder, Floats, TokenStates, unit
from captious.text.tokens import Tokens

_BLOCK_ROWS = 1 << 16  # vectors scaled together, so that no second copy of all is made


def sentence_vectors(analysis: Analysis, encoder: Encoder) -> Floats:
    """The vectors of length 1 of all captions, from the cache where it has them."""

    def vectors() -> Floats:
        return analysis.load_or_compute_vectors(
            f"sentence vector@{encoder.fingerprint}",
            lambda missing: encoder.encode([analysis.captions[row] for row in missing]),
            range(len(analysis.captions)),
            encoder.width,
        )

    return analysis.get_or_compute(("sentence vectors", encoder.fingerprint), vectors)


def sentence_vectors_or_zeros(analysis: Analysis, encoder: Encoder) -> Floats:
    """The same, with zeros for captions without words."""
    vectors = sentence_vectors(analysis, encoder)
    is_wordless = analysis.layer(Tokens).ids.lengths == 0
    return np.where(is_wordless[:, None], np.float32(0), vectors) if is_wordless.any() else vectors


def piece_states(analysis: Analysis, encoder: Encoder, layer: int) -> TokenStates:
    """Every caption's pieces after a layer of an encoder, scaled to length 1."""

    def encoded() -> TokenStates:
        pieces = encoder.token_states(analysis.captions, layer)
        states = pieces.states
        for start in range(0, len(states), _BLOCK_ROWS):
            states[start : start + _BLOCK_ROWS] = unit(states[start : start + _BLOCK_ROWS])
        return pieces

    return analysis.get_or_compute(("piece states", encoder.fingerprint, layer), encoded)
