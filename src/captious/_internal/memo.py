"""Values that are computed when first asked for and kept, safely under threads and pickling."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from captious._internal.locks import ForkSafeLock

Made = TypeVar("Made")


class Memo:
    """An object that remembers what was computed of it, under a key of the asker's choice."""

    def __init__(self) -> None:
        self._made: dict[Hashable, Any] = {}
        self._begin()

    def _begin(self) -> None:
        self._lock = ForkSafeLock()
        self._being_made: dict[Hashable, ForkSafeLock] = {}

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` returned when this key was first asked for."""
        if key not in self._made:
            # One lock a key: who makes something else meanwhile need not wait.
            with self._lock:
                being_made = self._being_made.setdefault(key, ForkSafeLock(reentrant=True))
            with being_made:
                if key not in self._made:
                    self._made[key] = make()
        made: Made = self._made[key]
        return made

    def has(self, key: Hashable) -> bool:
        """Whether this key was asked for already."""
        return key in self._made

    def __getstate__(self) -> dict[str, Any]:
        locks = ("_lock", "_being_made")
        return {name: value for name, value in self.__dict__.items() if name not in locks}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._begin()


class LastMade:
    """The last few things that were made, each beside all that it was made of.

    What it was made of is compared by content: it must be a tuple that nobody can change later.
    """

    def __init__(self, most: int) -> None:
        self._kept: deque[tuple[tuple[Any, ...], Any]] = deque(maxlen=most)
        self._lock = ForkSafeLock(reentrant=True)

    def of(self, content: tuple[Any, ...], make: Callable[[], Made]) -> Made:
        """What was made of equal content, if it is still here; else what `make` returns now."""
        with self._lock:
            for other, kept in self._kept:
                if other == content:
                    found: Made = kept
                    return found
            made = make()
            self._kept.append((content, made))
            return made
