"""What is done to chunks, wherever it is done: a task that begins once in each process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from captious.engine.chunks import Chunk

Done = TypeVar("Done")
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


class Task(Protocol[DoneCovariant]):
    """Settings of a piece of work, small enough to be sent to any process."""

    def begin(self) -> Callable[[Chunk], DoneCovariant]:
        """Load what the work needs; what is returned does it, chunk by chunk."""
