"""Models of Hugging Face's, by name or folder: plain numbers for weights, and no programs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from captious.errors import InputError, MissingDependencyError

# Pickled weights are programs, and so is what a repository may bring for its own kind of model.
NO_PROGRAMS: dict[str, Any] = {"trust_remote_code": False}
SAFE_WEIGHTS: dict[str, Any] = {**NO_PROGRAMS, "use_safetensors": True}


def import_transformers(who: str) -> tuple[Any, Any]:
    """PyTorch and transformers, or an error that says how to get them."""
    try:
        return import_module("torch"), import_module("transformers")
    except ImportError:
        raise MissingDependencyError(f"{who} needs: pip install transformers torch") from None


@contextmanager
def loading(model: str, what: str, how: str) -> Iterator[None]:
    """Whatever keeps a model from being loaded is said in one line."""
    damaged = import_module("safetensors").SafetensorError  # which comes with transformers
    try:
        yield
    except (
        OSError,  # nothing there, or nothing but pickled weights
        ValueError,  # settings that cannot be read, or that ask for programs
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
    """A short hash of a torch model's weights and of a text."""
    digest = hashlib.sha256(more.encode("utf-8", "surrogatepass"))
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.cpu().float().numpy().tobytes())
    return digest.hexdigest()[:12]
