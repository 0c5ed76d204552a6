"""METEOR's formula: from statistics of one caption, or sums over many, to the score."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray

# METEOR 1.5's parameters for English.
ALPHA = 0.85
BETA = 0.2
GAMMA = 0.6
DELTA = 0.75
WEIGHTS = (1.0, 0.6, 0.8, 0.6)  # exact, stem, synonym, paraphrase

_CHUNKS = 20


def scores(statistics: IntArray | FloatArray) -> FloatArray:
    """METEOR of each row of 23 statistics, in the last axis; 0 where nothing matches.

    Operations follow METEOR's order, so that references tie where they tie there.
    """
    rows = np.asarray(statistics, np.float64)
    candidate_length = _weighted_length(rows[..., 0], rows[..., 2])
    reference_length = _weighted_length(rows[..., 1], rows[..., 3])
    chunks = rows[..., _CHUNKS]
    matched = (rows[..., 21] + rows[..., 22]) / 2.0
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = _weighted_matches(rows, 4) / candidate_length
        recall = _weighted_matches(rows, 5) / reference_length
        mean = 1.0 / ((1.0 - ALPHA) / precision + ALPHA / recall)
        fragmentation = np.where(_is_perfect(rows), 0.0, chunks / matched)
        score = mean * (1.0 - GAMMA * np.power(fragmentation, BETA))
    # Without a match, or without words, METEOR divides zero by zero and takes the score for 0.
    result: FloatArray = np.maximum(np.nan_to_num(score, nan=0.0), 0.0)
    return result


def summable(statistics: IntArray) -> IntArray:
    """Statistics as METEOR adds them up: a perfect match adds no chunk."""
    rows = np.array(statistics)
    rows[..., _CHUNKS] = np.where(_is_perfect(rows), 0, rows[..., _CHUNKS])
    return rows


def _weighted_length(words: FloatArray, function_words: FloatArray) -> FloatArray:
    return DELTA * (words - function_words) + (1.0 - DELTA) * function_words


def _weighted_matches(rows: FloatArray, first: int) -> FloatArray:
    total = np.zeros(rows.shape[:-1])
    for kind, kind_weight in ((0, DELTA), (2, 1.0 - DELTA)):
        for stage, weight in enumerate(WEIGHTS):
            total = total + rows[..., first + 4 * stage + kind] * weight * kind_weight
    return total


def _is_perfect(rows: IntArray | FloatArray) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Whether every word matched, all in one chunk."""
    perfect: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] = (
        (rows[..., 21] == rows[..., 0])
        & (rows[..., 22] == rows[..., 1])
        & (rows[..., _CHUNKS] == 1)
    )
    return perfect
