"""PyTorch where it is needed: for training and captioners, never for scoring."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from captious.errors import MissingDependencyError


def import_torch() -> Any:
    """PyTorch, or what to do where it is not installed."""
    try:
        import torch
    except ImportError:
        raise MissingDependencyError(
            "this needs PyTorch; install it with: pip install 'captious[train]'"
        ) from None
    return torch


@contextmanager
def one_thread(torch: Any) -> Iterator[None]:
    """One thread: more would sum in another order, and are slower for networks so small."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
