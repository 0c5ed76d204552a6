"""Values that are computed when first asked for and kept, safely under threads and pickling."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

Made = TypeVar("Made")


class Memo:
    """An object that remembers what was computed of it, under a key of the asker's choice."""

    def __init__(self) -> None:
        self._made: dict[Hashable, Any] = {}
        self._lock = threading.RLock()

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` returned when this key was first asked for."""
        if key not in self._made:
            with self._lock:
                if key not in self._made:
                    self._made[key] = make()
        made: Made = self._made[key]
        return made

    def has(self, key: Hashable) -> bool:
        """Whether this key was asked for already."""
        return key in self._made

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.RLock()
