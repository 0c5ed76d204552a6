"""What an expression says, as a tree: values, comparisons, and how these are joined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Node:
    """A part of an expression, from one character to before another."""

    start: int
    end: int

    def parts(self) -> tuple[Node, ...]:
        """The parts that it is made of."""
        return ()

    def walk(self) -> Iterator[Node]:
        """This part and all that it is made of."""
        yield self
        for part in self.parts():
            yield from part.walk()


@dataclass(frozen=True)
class Number(Node):
    """A number that is written out."""

    value: float


@dataclass(frozen=True)
class Text(Node):
    """A text in quotes."""

    value: str


@dataclass(frozen=True)
class Truth(Node):
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True)
class Name(Node):
    """A column of the input, a fact of the caption, or a score."""

    name: str


@dataclass(frozen=True)
class Call(Node):
    """A function of other values."""

    function: str
    arguments: tuple[Node, ...]

    def parts(self) -> tuple[Node, ...]:
        """The arguments."""
        return self.arguments


@dataclass(frozen=True)
class Negative(Node):
    """A number with the other sign."""

    of: Node

    def parts(self) -> tuple[Node, ...]:
        """What gets the other sign."""
        return (self.of,)


@dataclass(frozen=True)
class Several(Node):
    """Parts with a mark between each two of them: there is one mark fewer than parts."""

    operands: tuple[Node, ...]
    marks: tuple[str, ...]

    def parts(self) -> tuple[Node, ...]:
        """What stands between the marks."""
        return self.operands


class Calculation(Several):
    """Numbers with + and -, or with * and /, between them, from left to right."""


class Comparison(Several):
    """Values of which each is compared with the next, as in `.2 < x < .5`."""


@dataclass(frozen=True)
class Membership(Node):
    """Whether a value is one of those that are written out."""

    of: Node
    values: tuple[Node, ...]

    def parts(self) -> tuple[Node, ...]:
        """The value, and those that it may be."""
        return (self.of, *self.values)


@dataclass(frozen=True)
class Missing(Node):
    """Whether there is no value."""

    of: Node

    def parts(self) -> tuple[Node, ...]:
        """The value that may be missing."""
        return (self.of,)


@dataclass(frozen=True)
class Not(Node):
    """Whether something is not so."""

    of: Node

    def parts(self) -> tuple[Node, ...]:
        """What is denied."""
        return (self.of,)


@dataclass(frozen=True)
class Joined(Node):
    """Conditions of which all must hold, or any."""

    conditions: tuple[Node, ...]

    def parts(self) -> tuple[Node, ...]:
        """The conditions."""
        return self.conditions


class All(Joined):
    """Conditions with `and` between them."""


class Any(Joined):
    """Conditions with `or` between them."""
