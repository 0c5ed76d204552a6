"""Kind: one family of inputs, how they are made, put through Captious, and made smaller."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

Case = dict[str, Any]  # JSON's values and bytes: what `regression_files.py` can write

ACCEPTED, REFUSED = "accepted", "refused"


class Kind(ABC):
    """A family of inputs by name; `share` is how many of all inputs are of it, beside others'."""

    name: str
    share: float
    needs: tuple[str, ...] = ()  # packages without which none can be made

    def case(self, seed: int, number: int) -> Case:
        """The input of this number: always the same one."""
        return self.make(Random(f"{seed}/{self.name}/{number}"))

    @abstractmethod
    def make(self, random: Random) -> Case:
        """An input, by chance."""

    @abstractmethod
    def run(self, case: Case, folder: Path) -> str:
        """Put an input through Captious, in an empty folder: ACCEPTED or REFUSED.

        Whatever else it raises than what `oracle.py` allows is a failure.
        """

    def smaller(self, case: Case) -> Iterable[Case]:
        """Inputs a little smaller than this one, the smallest first."""
        return ()


def shorter_lists(items: list[Any]) -> Iterator[list[Any]]:
    """A list without a half, without a quarter, and so on down to without one item."""
    size = len(items) // 2
    while size:
        for start in range(0, len(items), size):
            yield items[:start] + items[start + size :]
        size //= 2
    if len(items) == 1:
        yield []


def shorter_bytes(content: bytes) -> Iterator[bytes]:
    """Bytes without a part, and then with a part made plain."""
    size = len(content) // 2
    while size >= max(1, len(content) // 64):
        for start in range(0, len(content), size):
            yield content[:start] + content[start + size :]
        size //= 2
