"""Interrupts of long loops, and the interpreter's lock as plain Python sees it.

Compiled code by itself would make Ctrl-C wait until all is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from threading import Event

nogil = gil = nullcontext()  # compiled loops release and take the lock; plain Python keeps it
_stop_event: ContextVar[Event | None] = ContextVar("captious stop event", default=None)


def let_interrupts_in() -> None:
    """Raise a pending interrupt, which Python does when it enters a function of plain Python.

    It does so in its main thread only. In another thread, raise if its stop event is set.
    """
    stop_event = _stop_event.get()
    if stop_event is not None and stop_event.is_set():
        raise KeyboardInterrupt


@contextmanager
def stop_loops_on(stop_event: Event) -> Iterator[None]:
    """Let loops in the block end with a KeyboardInterrupt once the event is set."""
    before = _stop_event.set(stop_event)
    try:
        yield
    finally:
        _stop_event.reset(before)
