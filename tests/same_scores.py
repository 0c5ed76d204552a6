"""When scores of the same samples count as the same: to the last bit, where that is promised."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

# ONNX Runtime promises no order of summation, so neither do metrics that run the encoder.
ENCODER_COLUMNS = frozenset(
    {
        *("bertscore", "bertscore_precision", "bertscore_recall", "bertscore_multiref"),
        *("encoder_consensus", "captious_full"),
    }
)
ENCODER_TOLERANCE = 1e-5  # as docs/promises.md says


def are_same(column: str, one: float | np.ndarray, other: float | np.ndarray) -> bool:
    """Whether two scores, or arrays of them, are as equal as that column promises."""
    if column in ENCODER_COLUMNS:
        return bool(np.max(np.abs(np.subtract(one, other)), initial=0.0) <= ENCODER_TOLERANCE)
    return np.asarray(one).tobytes() == np.asarray(other).tobytes()


def assert_same_scores(
    found: Mapping[str, float | np.ndarray], expected: Mapping[str, float | np.ndarray]
) -> None:
    """Every column is there, and as equal as it promises."""
    assert found.keys() == expected.keys()
    differing = [name for name in expected if not are_same(name, found[name], expected[name])]
    assert not differing
