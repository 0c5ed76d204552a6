"""Where long loops let Ctrl-C in: compiled code alone would let it wait until all is done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from threading import Event

nogil = gil = nullcontext()


_stop: ContextVar[Event | None] = ContextVar("captious told to stop", default=None)


def let_interrupts_in() -> None:
    """Python looks for interrupts whenever a function of plain Python is entered.

    It does so in its main thread. Work in another one ends here once it is told to stop.
    """
    stop = _stop.get()
    if stop is not None and stop.is_set():
        raise KeyboardInterrupt


@contextmanager
def stoppable(stop: Event) -> Iterator[None]:
    """Loops within end, with a KeyboardInterrupt, once the event is set."""
    before = _stop.set(stop)
    try:
        yield
    finally:
        _stop.reset(before)
