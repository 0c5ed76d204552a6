"""Hugging Face models, by name or folder, loaded without executing code from them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from captious.errors import InputError, MissingDependencyError

# Pickled weights execute code, and so may a repository's own model class.
NO_REMOTE_CODE: dict[str, Any] = {"trust_remote_code": False}
SAFE_WEIGHTS: dict[str, Any] = {**NO_REMOTE_CODE, "use_safetensors": True}


def import_transformers(who: str) -> tuple[Any, Any]:
    """Import PyTorch and transformers, or raise an error that says how to install them."""
    try:
        return import_module("torch"), import_module("transformers")
    except ImportError:
        raise MissingDependencyError(f"{who} needs: pip install transformers torch") from None


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
