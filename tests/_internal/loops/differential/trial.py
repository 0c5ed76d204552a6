"""A trial: one loop, or several that work together, on problems drawn for them."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from tests._internal.loops.uncompiled import Loops


class Trial(ABC):
    """What is drawn for a loop, how it is called, and another way to its answer.

    `boundaries` names each size of a row at which the loop does something else, such as a new block
    of words, with the numbers beyond which it does.
    """

    loops: ClassVar[tuple[str, ...]]
    boundaries: ClassVar[dict[str, tuple[int, ...]]]

    @abstractmethod
    def short(self) -> Sequence[Any]:
        """Problems that reach every line and every branch, small enough to be watched."""

    @abstractmethod
    def long(self) -> Sequence[Any]:
        """Problems beyond the boundaries."""

    @abstractmethod
    def answer(self, loops: Loops, problem: Any) -> Any:
        """What these loops answer, in lists and numbers that can be compared to the last bit."""

    @abstractmethod
    def check(self, problem: Any, answer: Any) -> None:
        """Stop if another, plainer way leads to another answer."""

    @abstractmethod
    def sizes(self, problem: Any) -> list[dict[str, int]]:
        """The sizes of each row of a problem, by the boundaries' names."""
