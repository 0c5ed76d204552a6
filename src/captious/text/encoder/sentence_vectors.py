"""One vector a caption, from the cache where it has them."""

from __future__ import annotations

import numpy as np

from captious.text.analysis import Analysis
from captious.text.encoder.encoder import Encoder, Floats
from captious.text.tokens import Tokens


def sentence_vectors(analysis: Analysis, encoder: Encoder) -> Floats:
    """The vectors of length 1 of all captions of an analysis."""

    def vectors() -> Floats:
        return analysis.remembered_arrays(
            f"sentence vector@{encoder.fingerprint}",
            lambda missing: encoder.encode([analysis.captions[row] for row in missing]),
            range(len(analysis.captions)),
            encoder.width,
        )

    return analysis.once(("sentence vectors", encoder.fingerprint), vectors)


def worded_vectors(analysis: Analysis, encoder: Encoder) -> Floats:
    """The same, with zeros for captions without words, which say nothing."""
    vectors = sentence_vectors(analysis, encoder)
    is_wordless = analysis.layer(Tokens).ids.lengths == 0
    return np.where(is_wordless[:, None], np.float32(0), vectors) if is_wordless.any() else vectors
