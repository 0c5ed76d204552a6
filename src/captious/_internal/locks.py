"""Locks that are free in a forked process.

A fork copies a lock as it is, but not the thread that holds it: in the new process such a lock
would stay taken for ever, and the first thread to ask for it would wait without end.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from functools import cached_property
from types import TracebackType
from typing import Any
from weakref import WeakSet

_PACKAGE = __name__.partition(".")[0]


class ForkSafeLock:
    """A lock for `with` that one thread holds at a time, and that a forked process finds free.

    With `reentrant` the thread that holds it may take it again. With `delays_fork` a fork waits
    until the lock is free: needed around a library that has locks of its own, for work that ends
    soon.
    """

    def __init__(self, *, reentrant: bool = False, delays_fork: bool = False) -> None:
        # A signal's handler may fork in the thread that holds the lock.
        self._make = threading.RLock if reentrant or delays_fork else threading.Lock
        self._held: list[threading.Lock | threading.RLock] = []  # last taken, last
        self._renew()
        _locks.add(self)
        if delays_fork and hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self.__enter__, after_in_parent=self.__exit__)

    def _renew(self) -> None:
        self._lock = self._make()

    def __enter__(self) -> None:
        lock = self._lock
        lock.acquire()
        # The thread that forks may hold the lock. It gives back the one that it took, although
        # there is another one by then.
        self._held.append(lock)

    def __exit__(
        self,
        kind: type[BaseException] | None = None,
        error: BaseException | None = None,
        trace: TracebackType | None = None,
    ) -> None:
        self._held.pop().release()


_locks: WeakSet[ForkSafeLock] = WeakSet()


def _renew_locks() -> None:
    for lock in list(_locks):
        lock._renew()
    if sys.version_info < (3, 12):  # until then a cached property has a lock for all objects
        for each in _cached_properties():
            each.lock = threading.RLock()


def _cached_properties() -> Iterator[Any]:
    """Those of all classes of this package that are imported."""
    for module_name, module in list(sys.modules.items()):
        if module_name.partition(".")[0] == _PACKAGE:
            for value in list(vars(module).values()):
                if isinstance(value, type) and value.__module__ == module_name:
                    yield from (
                        each for each in vars(value).values() if isinstance(each, cached_property)
                    )


if hasattr(os, "register_at_fork"):  # Windows forks no processes
    os.register_at_fork(after_in_child=_renew_locks)
