"""Expressions over the columns of captions, in SQL: `captious > .5 AND source <> 'web'`.

An expression reads one row: there are no tables, subqueries or functions but ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError, short_repr

if TYPE_CHECKING:
    from sqlglot.expressions import Expression as Node
    from sqlglot.tokens import Token


@dataclass(frozen=True)
class Expression:
    """A condition or a number as it was written, from one character of a text to another.

    Processes are sent the text and parse it themselves.
    """

    text: str
    start: int
    end: int

    @classmethod
    @check_arguments
    def parse(cls, text: str) -> Expression:
        """Return the expression that a text is, or raise an error that says where it is not."""
        if not text.strip():
            raise InputError("an empty expression; write one such as captious > .5")
        expression = cls(text, 0, len(text))
        _ = expression.names, [clause.root for clause in expression.clauses]
        return expression

    @property
    def root(self) -> Node:
        """What it says, as a tree of sqlglot's."""
        return _tree(self.text, self.start, self.end)

    @cached_property
    def names(self) -> dict[str, int]:
        """The names that it needs, in order, each with the character at which it first stands."""
        names: dict[str, int] = {}
        columns = [node for node in self.root.walk() if node.key == "column"]
        for node in sorted(columns, key=self._place):
            names.setdefault(node.name, self._place(node))
        return names

    @cached_property
    def clauses(self) -> tuple[Expression, ...]:
        """The conditions of which all must hold: those between which AND stands outermost."""
        from captious.streaming.filtering.where_grammar import split_conditions

        return tuple(
            Expression(self.text, tokens[0].start, tokens[-1].end + 1)
            for tokens in split_conditions(_tokens(self.text))
        )

    @property
    def written(self) -> str:
        """This part of the text."""
        return self.text[self.start : self.end]

    def fault(self, node: Node, what: str) -> InputError:
        """Return the error of a part of it."""
        return self.fault_at(self._place(node), what)

    def fault_at(self, place: int, what: str) -> InputError:
        """Return the error that stands at a character."""
        return _fault(self.text, place, what)

    def _place(self, node: Node) -> int:
        from captious.streaming.filtering.where_rules import start_of

        place = start_of(node)
        return self.start if place is None else place


def _fault(text: str, place: int, what: str) -> InputError:
    return InputError(f"{short_repr(text)}: character {place + 1}: {what}")


@lru_cache(16)
def _tokens(text: str) -> tuple[Token, ...]:
    from captious.streaming.filtering.where_grammar import MAX_CHARS, tokenize

    if len(text) > MAX_CHARS:
        raise InputError(
            f"an expression of {len(text):,} characters: {MAX_CHARS:,} are read; put what it "
            "says into a column of the input"
        )
    return tuple(tokenize(text, lambda place, what: _fault(text, place, what)))


@lru_cache(4096)
def _tree(text: str, start: int, end: int) -> Node:
    from captious.streaming.filtering.where_grammar import parse_tokens

    inside = [token for token in _tokens(text) if start <= token.start < end]
    return parse_tokens(text, inside, lambda place, what: _fault(text, place, what))
