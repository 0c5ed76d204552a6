"""PyTorch and Hugging Face models, imported when needed; scoring needs neither by default."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from captious.errors import InputError, MissingDependencyError


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


# Pickled weights execute code, and so may a repository's own model class.
NO_REMOTE_CODE: dict[str, Any] = {"trust_remote_code": False}
SAFE_WEIGHTS: dict[str, Any] = {**NO_REMOTE_CODE, "use_safetensors": True}


def import_transformers(what: str) -> tuple[Any, Any]:
    """Import PyTorch and transformers, or raise an error that says how to install them."""
    try:
        return import_module("torch"), import_module("transformers")
    except ImportError:
        raise MissingDependencyError(f"{what} needs: pip install transformers torch") from None


@contextmanager
def explain_load_errors(model: str, what: str, how: str) -> Iterator[None]:
    """Turn any error of loading a model into an InputError of one line."""
    damaged = import_module("safetensors").SafetensorError  # installed with transformers
    try:
        yield
    except (
        OSError,  # nothing there, or nothing but pickled weights
        ValueError,  # unreadable settings, or settings that ask for remote code
        LookupError,
        TypeError,
        AttributeError,
        RuntimeError,  # weights of another shape
        ImportError,  # a tokenizer that needs a further package
        damaged,
    ) as error:
        reason = " ".join(str(error).split())[:160]
        raise InputError(
            f"{model}: no {what} of this name or folder ({reason}); {how} with weights in "
            "safetensors, as pickled ones are never loaded"
        ) from None


def weights_hash(model: Any, more: str) -> str:
    """Return a short hash of a torch model's weights and of a text."""
    digest = hashlib.sha256(more.encode("utf-8", "surrogatepass"))
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.cpu().float().numpy().tobytes())
    return digest.hexdigest()[:12]
