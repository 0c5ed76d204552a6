"""An engine of this process: one of others takes a second to start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from unittest import mock

from captious.streaming.process_engine import ProcessEngine
from captious.streaming.tasks import ItemT, ResultT, Task


def here(
    engine: object, task: Task[ItemT, ResultT], items: Iterable[ItemT]
) -> Iterator[tuple[ItemT, ResultT]]:
    """What the task makes of each item, in their order."""
    work = task.begin()
    for item in items:
        yield item, work(item)


def no_processes() -> mock._patch[object]:
    """A block within which no processes are started."""
    return mock.patch.object(ProcessEngine, "__call__", here)
