"""Memoization of computed values, safe under threads, forks and pickling."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from captious._internal.locks import ForkSafeLock

Value = TypeVar("Value")


class Memo:
    """Base class of objects that store values computed from them, by key."""

    def __init__(self) -> None:
        self._values: dict[Hashable, Any] = {}
        self._create_locks()

    def _create_locks(self) -> None:
        self._lock = ForkSafeLock()
        self._key_locks: dict[Hashable, ForkSafeLock] = {}

    def get_or_compute(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """Return the value of a key, computed when the key is first asked for."""
        if key not in self._values:
            # One lock per key: threads that compute other values do not wait.
            with self._lock:
                key_lock = self._key_locks.setdefault(key, ForkSafeLock(reentrant=True))
            with key_lock:
                if key not in self._values:
                    self._values[key] = compute()
        value: Value = self._values[key]
        return value

    def has(self, key: Hashable) -> bool:
        """Whether the value of this key is computed already."""
        return key in self._values

    def __getstate__(self) -> dict[str, Any]:
        locks = ("_lock", "_key_locks")
        return {name: value for name, value in self.__dict__.items() if name not in locks}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._create_locks()


class RecentCache:
    """Cache of the most recently computed values, keyed by everything they were computed from.

    Keys are compared by content: they must be tuples of immutable values.
    """

    def __init__(self, max_entries: int) -> None:
        self._entries: deque[tuple[tuple[Any, ...], Any]] = deque(maxlen=max_entries)
        self._lock = ForkSafeLock(reentrant=True)

    def get_or_compute(self, content: tuple[Any, ...], compute: Callable[[], Value]) -> Value:
        """Return the cached value of equal content; if there is none, compute and cache it."""
        with self._lock:
            for key, entry in self._entries:
                if key == content:
                    cached: Value = entry
                    return cached
            value = compute()
            self._entries.append((content, value))
            return value
