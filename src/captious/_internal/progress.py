"""Progress reports: passed from deep inside long work to a listener further up the call stack.

Long work happens far below the code that could show a progress bar: a parser below an analysis
layer below a metric. A context variable carries the listener, so the layers between pass nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Listener = Callable[[str, int, int], None]  # name of the work, amount done, total amount
Item = TypeVar("Item")

_listener: ContextVar[Listener | None] = ContextVar("captious progress", default=None)


@contextmanager
def progress_listener(listener: Listener | None) -> Iterator[None]:
    """Send progress reported inside the block to this listener; None keeps the current one."""
    if listener is None:
        yield
        return
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


def report_progress(work: str, done: int, total: int) -> None:
    """Report how much of a piece of work is done."""
    listener = _listener.get()
    if listener is not None:
        listener(work, done, total)


def track(
    work: str, items: Iterable[Item], size: Callable[[Item], int], total: int
) -> Iterator[Item]:
    """Yield the items and report progress, before the first and after each was used."""
    report_progress(work, 0, total)
    done = 0
    for item in items:
        yield item
        done += size(item)
        report_progress(work, done, total)
