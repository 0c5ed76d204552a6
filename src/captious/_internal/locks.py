"""Locks that are free in a forked process.

A fork copies a lock as it is, but not the thread that holds it: in the new process such a lock
would stay locked for ever, and the first thread to acquire it would block for ever.
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
    """Lock, used with `with`, that is unlocked in a forked process.

    With `reentrant` the thread that holds it may acquire it again. With `delays_fork` a fork waits
    until the lock is free: needed around a library that has locks of its own, for short work.
    """

    def __init__(self, *, reentrant: bool = False, delays_fork: bool = False) -> None:
        # A signal handler may fork in the thread that holds the lock.
        self._create = threading.RLock if reentrant or delays_fork else threading.Lock
        self._held: list[threading.Lock | threading.RLock] = []  # in order of acquisition
        self._renew()
        _locks.add(self)
        if delays_fork and hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self.__enter__, after_in_parent=self.__exit__)

    def _renew(self) -> None:
        self._lock = self._create()

    def __enter__(self) -> None:
        lock = self._lock
        lock.acquire()
        # The thread that forks may hold the lock. It releases the lock it acquired, although
        # self._lock is a new one by then.
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
    if sys.version_info < (3, 12):  # before 3.12 a cached property has one lock for all objects
        for each in _cached_properties():
            each.lock = threading.RLock()


def _cached_properties() -> Iterator[Any]:
    """Yield the cached properties of all imported classes of this package."""
    for module_name, module in list(sys.modules.items()):
        if module_name.partition(".")[0] == _PACKAGE:
            for value in list(vars(module).values()):
                if isinstance(value, type) and value.__module__ == module_name:
                    yield from (
                        each for each in vars(value).values() if isinstance(each, cached_property)
                    )


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_renew_locks)
