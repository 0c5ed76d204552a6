"""One vector a caption, from the cache where it has them."""

from __future__ import annotations

from captious.text.analysis import Analysis
from captious.text.encoder import Encoder, Floats


def sentence_vectors(analysis: Analysis, encoder: Encoder) -> Floats:
    """The vectors of length 1 of all captions of an analysis."""

    def vectors() -> Floats:
        return analysis.remembered_arrays(
            f"sentence vector@{encoder.fingerprint}",
            lambda missing: encoder.encode([analysis.captions[row] for row in missing]),
            range(len(analysis.captions)),
        )

    return analysis.once(("sentence vectors", encoder.fingerprint), vectors)
