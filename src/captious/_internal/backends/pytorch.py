"""PyTorch helpers for training and captioners; scoring does not need PyTorch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from captious.errors import MissingDependencyError


def import_torch() -> Any:
    """Import PyTorch, or raise an error that says how to install it."""
    try:
        import torch
    except ImportError:
        raise MissingDependencyError(
            "this needs PyTorch; install it with: pip install 'captious[train]'"
        ) from None
    return torch


@contextmanager
def single_thread(torch: Any) -> Iterator[None]:
    """Use one thread: more would sum in another order, and are slower for small networks."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def bfloat16_autocast(torch: Any, wanted: bool) -> Any:
    """Return a context that multiplies in bfloat16 if wanted and the processor supports it.

    oneDNN, which runs PyTorch's LSTMs, has none in bfloat16 for processors without AVX-512. There
    single precision is faster than any detour.
    """
    return torch.autocast("cpu", torch.bfloat16, enabled=wanted and has_bfloat16(torch))


def has_bfloat16(torch: Any) -> bool:
    """Whether PyTorch can multiply in bfloat16 on this processor."""
    return bool(
        torch.backends.mkldnn.is_available() and torch.ops.mkldnn._is_mkldnn_bf16_supported()
    )


def module_weights(module: Any) -> dict[str, npt.NDArray[np.float32]]:
    """Return copies of all weights of a module by name."""
    return {name: value.numpy().copy() for name, value in module.state_dict().items()}


def load_module_weights(module: Any, arrays: Mapping[str, Any]) -> None:
    """Load a module's weights; names and shapes that do not fit are a ValueError."""
    weights = module.state_dict()
    if set(weights) != set(arrays):
        raise ValueError(f"expected the arrays {', '.join(weights)}")
    for name, value in weights.items():
        array = np.ascontiguousarray(arrays[name], np.float32)
        if array.shape != tuple(value.shape):
            raise ValueError(f"{name}: {array.shape} instead of {tuple(value.shape)}")
        value.copy_(import_torch().from_numpy(array.copy()))
