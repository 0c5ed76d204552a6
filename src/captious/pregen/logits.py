"""Convert logits to each reference word's probability and whether it was ranked first."""

from __future__ import annotations

from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.array_arguments import (
    as_booleans,
    as_floats,
    as_integers,
    as_numpy,
)
from captious.errors import InputError
from captious.pregen.layouts import BoolArray


def logits_to_probabilities(
    logits: Any, targets: Any, mask: Any = None
) -> tuple[FloatArray, BoolArray, BoolArray]:
    """Return the targets' probabilities, whether each was the arg max, and the mask of words.

    Logits have one axis more than targets: the vocabulary. Without a mask, negative targets are
    padding. Logits of a tensor are processed on its device, and only the results are fetched.
    """
    words = as_integers(targets, "targets")
    shape = tuple(getattr(logits, "shape", ()))
    if len(shape) != words.ndim + 1 or shape[:-1] != words.shape:
        raise InputError(
            f"logits of shape {shape} for targets of shape {words.shape}; logits have one more "
            "axis, the vocabulary (are they shifted by the start token?)"
        )
    there = words >= 0 if mask is None else as_booleans(mask, "mask")
    if there.shape != words.shape:
        raise InputError(f"a mask of shape {there.shape} for targets of shape {words.shape}")
    outside = there & ((words < 0) | (words >= shape[-1]))
    if outside.any():
        word = int(words[outside][0])
        raise InputError(f"target {word} is not in a vocabulary of {shape[-1]} words")
    at = np.where(there, words, 0)
    if hasattr(logits, "logsumexp"):
        logs, best = _of_tensor(logits, at)
    else:
        logs, best = _of_array(as_floats(logits, "logits"), at)
    if np.isnan(logs[there]).any():
        raise InputError("some logits are not numbers (NaN): the captioner has diverged")
    # Padding may be anything, and is never read.
    return np.where(there, np.exp(logs), 0.0), there & (best == at), there


def _of_tensor(logits: Any, at: Any) -> tuple[FloatArray, Any]:
    """Return log-probabilities of the targets, and the arg max, by PyTorch."""
    logits = logits.detach()
    if logits.element_size() < 4:  # half precision cannot sum a vocabulary
        logits = logits.float()
    best = logits.argmax(-1)
    index = best.new_tensor(at)[..., None]
    logs = logits.gather(-1, index)[..., 0] - logits.logsumexp(-1)
    return as_floats(logs, "logits"), as_numpy(best, "logits")


def _of_array(logits: FloatArray, at: Any) -> tuple[FloatArray, Any]:
    """Return the same, by NumPy."""
    best = logits.argmax(-1)
    highest = np.take_along_axis(logits, best[..., None], -1)
    with np.errstate(invalid="ignore", under="ignore"):
        totals = np.log(np.exp(logits - highest).sum(-1)) + highest[..., 0]
        logs: FloatArray = np.take_along_axis(logits, at[..., None], -1)[..., 0] - totals
    return logs, best
