"""How far work is: told where it is done, heard by whoever listens above, and by nobody else.

What takes long lies deep below whoever could show a bar: a parser below a layer of analysis below
a metric. Nobody between them hands anything on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Listener = Callable[[str, int, int], None]  # what is done, how much of it, of how much
Item = TypeVar("Item")

_listener: ContextVar[Listener | None] = ContextVar("captious progress", default=None)


@contextmanager
def told_to(listener: Listener | None) -> Iterator[None]:
    """Whatever is told within is heard by this listener; None leaves whoever listens already."""
    if listener is None:
        yield
        return
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


def tell(work: str, done: int, total: int) -> None:
    """Say how much of a piece of work is done."""
    listener = _listener.get()
    if listener is not None:
        listener(work, done, total)


def told(
    work: str, items: Iterable[Item], size: Callable[[Item], int], total: int
) -> Iterator[Item]:
    """The items, each of some size, with a word before the first and after each that was used."""
    tell(work, 0, total)
    done = 0
    for item in items:
        yield item
        done += size(item)
        tell(work, done, total)
