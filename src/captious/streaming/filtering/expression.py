"""Expressions over the columns of captions, in SQL: `captious > .5 AND source <> 'web'`.

They are evaluated over whole columns of a chunk. Where a value is missing, no comparison with it is
known to hold or not to hold; NOT, AND and OR follow from that as in SQL.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, Protocol

import numpy as np

from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError
from captious.streaming.filtering.functions import FUNCTIONS, like
from captious.streaming.filtering.sql_parser import (
    Chain,
    Literal,
    Name,
    Node,
    Operation,
    parse_sql,
    sql_error,
)
from captious.streaming.filtering.values import (
    Cells,
    Flags,
    Floats,
    Numbers,
    Texts,
    Truths,
    Value,
    number_in,
)

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "<>": operator.ne,
    "!=": operator.ne,
}
_JOIN: dict[str, Callable[[Truths, Truths], Truths]] = {"AND": operator.and_, "OR": operator.or_}
_CALCULATE: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
_EQUALITY = (operator.eq, operator.ne)
_KIND_NAMES = {Numbers: "a number", Texts: "a text", Truths: "true or false", Cells: "a column"}


class Rows(Protocol):
    """Rows of captions with the columns that names in expressions mean."""

    @property
    def tokenizer(self) -> str:
        """Name of the tokenizer by which words are counted."""

    def __len__(self) -> int:
        """Return the number of rows."""

    def column(self, name: str) -> Value:
        """Return the value that a name has in each row."""


@dataclass(frozen=True)
class Expression:
    """A condition or a number: a text, and what a part of it or all of it says."""

    text: str
    root: Node

    @classmethod
    @check_arguments
    def parse(cls, text: str) -> Expression:
        """Return the expression that a text is, or raise an error that says where it is not."""
        return cls(text, parse_sql(text))

    @cached_property
    def names(self) -> dict[str, int]:
        """The names that it needs, in order, each with the character at which it first stands."""
        names: dict[str, int] = {}
        for node in self.root.walk():
            if isinstance(node, Name):
                names.setdefault(node.name, node.start)
        return names

    @cached_property
    def clauses(self) -> tuple[Expression, ...]:
        """The conditions of which all must hold: those between which AND stands outermost."""
        root = self.root
        if isinstance(root, Chain) and "AND" in root.operators:
            return tuple(Expression(self.text, part) for part in root.operands)
        return (self,)

    @property
    def source(self) -> str:
        """The part of the text that it is."""
        return self.text[self.root.start : self.root.end]

    def error_at(self, place: int, what: str) -> InputError:
        """Return the error that stands at a character."""
        return sql_error(self.text, place, what)


def evaluate_condition(expression: Expression, rows: Rows) -> Truths:
    """Return whether an expression holds, for each row."""
    truths = _Evaluation(expression, rows).truths(expression.root)
    shape = (len(rows),)
    return Truths(np.broadcast_to(truths.true, shape), np.broadcast_to(truths.known, shape))


def evaluate_number(expression: Expression, rows: Rows) -> Floats:
    """Return the number that an expression is, for each row; NaN where something is missing."""
    numbers = _Evaluation(expression, rows).numbers(expression.root)
    return np.broadcast_to(numbers.values, (len(rows),))


class _Evaluation:
    def __init__(self, expression: Expression, rows: Rows) -> None:
        self._expression, self._rows = expression, rows

    def truths(self, node: Node) -> Truths:
        """Return whether a part of the expression holds, for each row."""
        return self._as_truths(node, self._value(node))

    def numbers(self, node: Node) -> Numbers:
        """Return the number that a part of the expression is, for each row."""
        return self._as_numbers(node, self._value(node))

    def _as_truths(self, node: Node, value: Value) -> Truths:
        if isinstance(value, Cells):
            return value.truths()
        if isinstance(value, Truths):
            return value
        raise self._wrong_kind(node, "a condition, such as a comparison", value)

    def _as_numbers(self, node: Node, value: Value) -> Numbers:
        if isinstance(value, Cells):
            return value.numbers()
        if isinstance(value, Numbers):
            return value
        raise self._wrong_kind(node, "a number", value)

    def _as_texts(self, node: Node, value: Value) -> Texts:
        if isinstance(value, Cells):
            return value.texts()
        if isinstance(value, Texts):
            return value
        raise self._wrong_kind(node, "a text", value)

    def _wrong_kind(self, node: Node, expected: str, value: Value) -> InputError:
        what = f"expected {expected}, found {_KIND_NAMES[type(value)]}"
        return self._expression.error_at(node.start, what)

    def _value(self, node: Node) -> Value:
        if isinstance(node, Literal):
            return _literal(node.value)
        if isinstance(node, Name):
            return self._rows.column(node.name)
        with np.errstate(all="ignore"):
            if isinstance(node, Operation):
                return self._operation(node)
            assert isinstance(node, Chain)
            if node.operators[0] in _JOIN:
                return reduce(_JOIN[node.operators[0]], map(self.truths, node.operands))
            return self._calculation(node)

    def _operation(self, node: Operation) -> Value:
        if node.operator in FUNCTIONS:
            return self._call(node)
        first, *others = node.operands
        if node.operator == "NOT":
            return ~self.truths(first)
        if node.operator == "-":
            return Numbers(-self.numbers(first).values)
        value = self._value(first)
        if node.operator == "IS NULL":
            missing = _missing(value)
            return Truths(missing, np.ones_like(missing))
        if node.operator in ("IS TRUE", "IS FALSE"):
            truths = self._as_truths(first, value)
            true = (truths.true == (node.operator == "IS TRUE")) & truths.known
            return Truths(true, np.ones_like(true))
        if node.operator in ("LIKE", "ILIKE"):
            (pattern,) = others
            assert isinstance(pattern, Literal)
            texts = self._as_texts(first, value)
            return like(texts, str(pattern.value), any_case=node.operator == "ILIKE")
        side, sides = (first, value), [(each, self._value(each)) for each in others]
        if node.operator == "IN":
            return reduce(operator.or_, (self._compare("=", side, each) for each in sides))
        if node.operator == "BETWEEN":
            return self._compare(">=", side, sides[0]) & self._compare("<=", side, sides[1])
        return self._compare(node.operator, side, sides[0])

    def _call(self, node: Operation) -> Value:
        function = FUNCTIONS[node.operator]
        convert = self._as_numbers if function.of is Numbers else self._as_texts
        columns = [convert(each, self._value(each)) for each in node.operands]
        more = (self._rows.tokenizer,) if function.counts_words else ()
        return function.work(*columns, *more)

    def _calculation(self, node: Chain) -> Numbers:
        total = self.numbers(node.operands[0]).values
        for mark, operand in zip(node.operators, node.operands[1:], strict=True):
            other = self.numbers(operand).values
            if mark == "/":  # by nothing there is no number, not even an endless one
                other = np.where(other == 0, np.nan, other)
            total = _CALCULATE[mark](total, other)
        return Numbers(np.asarray(total))

    def _compare(self, mark: str, left: tuple[Node, Value], right: tuple[Node, Value]) -> Truths:
        compare, kinds = _COMPARE[mark], (type(left[1]), type(right[1]))
        if Truths in kinds:
            if compare not in _EQUALITY:
                raise self._expression.error_at(right[0].start, "TRUE and FALSE have no order")
            one, other = self._as_truths(*left), self._as_truths(*right)
            return Truths.of(compare(one.true, other.true), one.known & other.known)
        if Numbers in kinds:
            first, second = (self._as_numbers(*side).values for side in (left, right))
            return Truths.of(compare(first, second), ~(np.isnan(first) | np.isnan(second)))
        if Texts in kinds:
            return _compare_texts(compare, *(self._as_texts(*side) for side in (left, right)))
        assert isinstance(left[1], Cells)
        assert isinstance(right[1], Cells)
        return _compare_cells(compare, left[1], right[1])


def _literal(value: float | str | bool) -> Value:
    """Return a value that is written out, one for all rows."""
    if isinstance(value, bool):
        return Truths(np.array(value), np.array(True))
    if isinstance(value, float):
        return Numbers(np.array(value))
    values = np.empty((), object)
    values[()] = value
    return Texts(values)


def _missing(value: Value) -> Flags:
    """Return where there is no value."""
    if isinstance(value, Numbers):
        return np.asarray(np.isnan(value.values))
    if isinstance(value, Cells):
        return value.missing
    return np.asarray(~value.known)


def _compare_texts(compare: Callable[[Any, Any], Any], left: Texts, right: Texts) -> Truths:
    known = left.known & right.known
    one, other = (np.where(each.known, each.values, "") for each in (left, right))
    return Truths.of(np.asarray(compare(one, other), np.bool_), known)


def _compare_cells(compare: Callable[[Any, Any], Any], left: Cells, right: Cells) -> Truths:
    """Two columns of the user's own, row by row: as numbers where both are, else as texts."""
    count = len(left.values)
    true, known = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    for row, (one, other) in enumerate(zip(left.values, right.values, strict=True)):
        if left.is_missing(one) or right.is_missing(other):
            continue
        known[row] = True
        if type(one) is type(other) and isinstance(one, bool) and compare in _EQUALITY:
            true[row] = compare(one, other)
            continue
        numbers = number_in(one), number_in(other)
        are_texts = isinstance(one, str) and isinstance(other, str)
        if all(map(_is_plain, numbers)):
            true[row] = compare(*numbers)
        elif are_texts or (compare in _EQUALITY and np.inf in numbers):
            true[row] = compare(left.text(row, one), right.text(row, other))
        else:  # one of them is no number, and its error names the row
            true[row] = compare(left.number(row, one), right.number(row, other))
    return Truths.of(true, known)


def _is_plain(number: float | None) -> bool:
    """Whether it is a number that can be calculated with."""
    return number is not None and np.isfinite(number)
