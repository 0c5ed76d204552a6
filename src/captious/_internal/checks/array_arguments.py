"""Conversion of array arguments: NumPy arrays, lists, and PyTorch tensors without its import."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from captious.errors import InputError

Number = TypeVar("Number", bound=np.generic)


def as_numpy(values: Any, what: str) -> npt.NDArray[Any]:
    """Return the values as a NumPy array; tensors may be on any device and of any precision."""
    if hasattr(values, "detach"):  # a tensor: NumPy rejects those with a gradient
        values = values.detach()
        if values.is_floating_point():  # and those in bfloat16
            values = values.double()
        return np.asarray(values.cpu().numpy())
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different length
        array = np.asarray(None)
    if array.dtype.kind not in "biufUSO" or array.ndim == 0:
        raise InputError(f"{what}: expected an array of numbers, found {type(values).__name__}")
    if array.dtype.kind == "O":
        raise InputError(f"{what}: expected an array of one type and with rows of one length")
    return array


def check_flat(array: npt.NDArray[Number], what: str) -> npt.NDArray[Number]:
    """Return the array if it has one dimension; raise otherwise."""
    if array.ndim != 1:
        raise InputError(f"{what}: expected a flat array, found shape {array.shape}")
    return array


def as_floats(values: Any, what: str) -> npt.NDArray[np.float64]:
    """Return numbers as float64."""
    array = as_numpy(values, what)
    if array.dtype.kind not in "biuf":
        raise InputError(f"{what}: expected numbers, found {array.dtype}")
    return array.astype(np.float64, copy=False)


def as_booleans(values: Any, what: str) -> npt.NDArray[np.bool_]:
    """Return booleans; numbers are accepted only if each is 0 or 1."""
    array = as_numpy(values, what)
    if array.dtype.kind == "b":
        return array
    if array.dtype.kind not in "iuf" or not np.isin(array, (0, 1)).all():
        raise InputError(f"{what}: expected true or false (or 1 or 0) for each word")
    return array.astype(np.bool_)


def as_integers(values: Any, what: str) -> npt.NDArray[np.int64]:
    """Return whole numbers, such as lengths and offsets, as int64."""
    array = as_numpy(values, what)
    if array.dtype.kind not in "iu" and array.size:
        raise InputError(f"{what}: expected whole numbers, found {array.dtype}")
    return array.astype(np.int64, copy=False)
