"""What the first of several processes finds out, told to the others that train with it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

from captious.errors import InputError

Found = TypeVar("Found")


def broadcast_from_first_process(find: Callable[[], Found]) -> Found:
    """What `find` returns in the first process of PyTorch's group; without a group, here.

    If it fails there, all processes fail: none waits for an answer that does not come.
    """
    # Whoever trains in a group has imported PyTorch; we need not.
    distributed = getattr(sys.modules.get("torch"), "distributed", None)
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return find()
    found: Found | None = None
    failure: Exception | None = None
    if distributed.get_rank() == 0:
        try:
            found = find()
        except Exception as error:
            failure = error
    told: list[Any] = [
        found,
        failure if failure is None else f"{type(failure).__name__}: {failure}",
    ]
    distributed.broadcast_object_list(told, src=0)
    if failure is not None:
        raise failure
    if told[1] is not None:
        raise InputError(f"the first process failed ({told[1]}); see its error message")
    answer: Found = told[0]
    return answer
