"""An engine of this process: one of others takes a second to start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from unittest import mock

from captious.streaming.processes import InProcesses
from captious.streaming.work import Done, Given, Task


def here(
    engine: object, task: Task[Given, Done], items: Iterable[Given]
) -> Iterator[tuple[Given, Done]]:
    """What the task makes of each item, in their order."""
    work = task.begin()
    for item in items:
        yield item, work(item)


def no_processes() -> mock._patch[object]:
    """A block within which no processes are started."""
    return mock.patch.object(InProcesses, "__call__", here)
