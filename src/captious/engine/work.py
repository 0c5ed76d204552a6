"""What is done to chunks, wherever it is done: a task that begins once in each process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar


class Item(Protocol):
    """What work is handed out in: a chunk, or some of its rows; numbers ascend."""

    @property
    def number(self) -> int:
        """By which items are kept in order."""

    @property
    def place(self) -> str:
        """Where its rows stand, for messages."""


Given = TypeVar("Given", bound=Item)
Done = TypeVar("Done")
GivenContravariant = TypeVar("GivenContravariant", bound=Item, contravariant=True)
DoneCovariant = TypeVar("DoneCovariant", covariant=True)

# Libraries that would use threads of their own: work is spread over processes, and sums of
# products must not depend on how many threads share them.
ONE_THREAD = dict.fromkeys(
    (
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
    ),
    "1",
)


class Task(Protocol[GivenContravariant, DoneCovariant]):
    """Settings of a piece of work, small enough to be sent to any process."""

    def begin(self) -> Callable[[GivenContravariant], DoneCovariant]:
        """Load what the work needs; what is returned does it, item by item."""
