"""Arrays from anybody: NumPy's, lists, and tensors of PyTorch, which need not be imported."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from captious.errors import InputError

Number = TypeVar("Number", bound=np.generic)


def numpy_of(values: Any, what: str) -> npt.NDArray[Any]:
    """The values as a NumPy array, from wherever a tensor lies and of whatever precision."""
    if hasattr(values, "detach"):  # a tensor: NumPy cannot take one that has a gradient
        values = values.detach()
        if values.is_floating_point():  # nor one in half precision of the other kind (bfloat16)
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


def flat(array: npt.NDArray[Number], what: str) -> npt.NDArray[Number]:
    """The array, if it is one row of numbers."""
    if array.ndim != 1:
        raise InputError(f"{what}: expected a flat array, found shape {array.shape}")
    return array


def floats_of(values: Any, what: str) -> npt.NDArray[np.float64]:
    """Numbers as floating point in double precision."""
    array = numpy_of(values, what)
    if array.dtype.kind not in "biuf":
        raise InputError(f"{what}: expected numbers, found {array.dtype}")
    return array.astype(np.float64, copy=False)


def booleans_of(values: Any, what: str) -> npt.NDArray[np.bool_]:
    """True and false; numbers are taken only if each is 0 or 1."""
    array = numpy_of(values, what)
    if array.dtype.kind == "b":
        return array
    if array.dtype.kind not in "iuf" or not np.isin(array, (0, 1)).all():
        raise InputError(f"{what}: expected true or false (or 1 or 0) for each word")
    return array.astype(np.bool_)


def whole_numbers_of(values: Any, what: str) -> npt.NDArray[np.int64]:
    """Whole numbers, such as lengths and offsets."""
    array = numpy_of(values, what)
    if array.dtype.kind not in "iu" and array.size:
        raise InputError(f"{what}: expected whole numbers, found {array.dtype}")
    return array.astype(np.int64, copy=False)
