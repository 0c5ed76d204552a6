"""Expressions worked out over whole columns.

Where a value is missing, no comparison with it is known to hold or not to hold; `not`, `and` and
`or` follow from that as in SQL: what is neither surely so nor surely not is not known.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from captious.streaming.filtering.expression import Expression
from captious.streaming.filtering.functions import FUNCTIONS
from captious.streaming.filtering.tree import (
    All,
    Calculation,
    Call,
    Comparison,
    Joined,
    Membership,
    Missing,
    Name,
    Negative,
    Node,
    Not,
    Number,
    Text,
    Truth,
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
    "!=": operator.ne,
}
_EQUALITY = (operator.eq, operator.ne)
_CALLED = {Numbers: "a number", Texts: "a text", Truths: "true or false", Cells: "a column"}


class Rows(Protocol):
    """What an expression is worked out for."""

    @property
    def tokenizer(self) -> str:
        """By what words are counted."""

    def __len__(self) -> int:
        """How many there are."""

    def column(self, name: str) -> Value:
        """What a name stands for in each of them."""


def holds(expression: Expression, rows: Rows) -> Truths:
    """Whether an expression holds, for each row."""
    worked = _Evaluation(expression, rows)
    truths = worked.truths(expression.root)
    shape = (len(rows),)
    return Truths(np.broadcast_to(truths.so, shape), np.broadcast_to(truths.known, shape))


def key_of(expression: Expression, rows: Rows) -> Floats:
    """The number that an expression is, for each row; NaN where something is missing."""
    worked = _Evaluation(expression, rows)
    return np.broadcast_to(worked.numbers(expression.root).values, (len(rows),))


class _Evaluation:
    def __init__(self, expression: Expression, rows: Rows) -> None:
        self._expression, self._rows = expression, rows

    def truths(self, node: Node) -> Truths:
        """What is so, for each row."""
        return self._as_truths(node, self._value(node))

    def _as_truths(self, node: Node, value: Value) -> Truths:
        if isinstance(value, Cells):
            return value.truths()
        if isinstance(value, Truths):
            return value
        raise self._expression.fault(
            node, f"expected what holds or not, as a comparison does, found {_CALLED[type(value)]}"
        )

    def numbers(self, node: Node) -> Numbers:
        """A number for each row."""
        return self._as_numbers(node, self._value(node))

    def _as_numbers(self, node: Node, value: Value) -> Numbers:
        if isinstance(value, Cells):
            return value.numbers()
        if isinstance(value, Numbers):
            return value
        raise self._expression.fault(node, f"expected a number, found {_CALLED[type(value)]}")

    def _as_texts(self, node: Node, value: Value) -> Texts:
        if isinstance(value, Cells):
            return value.texts()
        if isinstance(value, Texts):
            return value
        raise self._expression.fault(node, f"expected a text, found {_CALLED[type(value)]}")

    def _value(self, node: Node) -> Value:
        work: Callable[[Any], Value] = _WORK[type(node)].__get__(self)
        with np.errstate(all="ignore"):
            return work(node)

    def _number(self, node: Number) -> Numbers:
        return Numbers(np.array(node.value))

    def _text(self, node: Text) -> Texts:
        values = np.empty((), object)
        values[()] = node.value
        return Texts(values)

    def _truth(self, node: Truth) -> Truths:
        return Truths(np.array(node.value), np.array(True))

    def _name(self, node: Name) -> Value:
        return self._rows.column(node.name)

    def _call(self, node: Call) -> Value:
        function = FUNCTIONS[node.function]
        as_wanted = self._as_numbers if function.of is Numbers else self._as_texts
        columns = [as_wanted(each, self._value(each)) for each in node.arguments]
        how = {"tokenizer": self._rows.tokenizer} if function.counts_words else {}
        return function.work(*columns, **how)

    def _negative(self, node: Negative) -> Numbers:
        return Numbers(-self.numbers(node.of).values)

    def _calculation(self, node: Calculation) -> Numbers:
        total = self.numbers(node.operands[0]).values
        for mark, operand in zip(node.marks, node.operands[1:], strict=True):
            other = self.numbers(operand).values
            if mark == "/":  # by nothing there is no number, not even an endless one
                total = total / np.where(other == 0, np.nan, other)
            else:
                work = {"+": operator.add, "-": operator.sub, "*": operator.mul}[mark]
                total = work(total, other)
        return Numbers(np.asarray(total))

    def _comparison(self, node: Comparison) -> Truths:
        sides = [(each, self._value(each)) for each in node.operands]
        steps = zip(node.marks, pairwise(sides), strict=True)
        return reduce(operator.and_, (self._compared(mark, *pair) for mark, pair in steps))

    def _compared(self, mark: str, left: tuple[Node, Value], right: tuple[Node, Value]) -> Truths:
        compare, kinds = _COMPARE[mark], (type(left[1]), type(right[1]))
        if Truths in kinds:
            if mark not in ("=", "!="):
                raise self._expression.fault(right[0], f"true and false have no order for {mark}")
            so, also = self._as_truths(*left), self._as_truths(*right)
            return Truths.of(compare(so.so, also.so), so.known & also.known)
        if Numbers in kinds:
            one, other = (self._as_numbers(*side).values for side in (left, right))
            return Truths.of(compare(one, other), ~(np.isnan(one) | np.isnan(other)))
        if Texts in kinds:
            first, second = (self._as_texts(*side) for side in (left, right))
            return _of_texts(compare, first, second)
        assert isinstance(left[1], Cells)
        assert isinstance(right[1], Cells)
        return _of_cells(compare, left[1], right[1])

    def _membership(self, node: Membership) -> Truths:
        compared = (
            self._compared("=", (node.of, value), (each, self._value(each)))
            for value in (self._value(node.of),)
            for each in node.values
        )
        return reduce(operator.or_, compared)

    def _missing(self, node: Missing) -> Truths:
        value = self._value(node.of)
        missing: Flags
        if isinstance(value, Numbers):
            missing = np.isnan(value.values)
        elif isinstance(value, Cells):
            missing = value.missing
        else:
            missing = ~value.known
        return Truths(np.asarray(missing), np.ones_like(missing))

    def _not(self, node: Not) -> Truths:
        return ~self.truths(node.of)

    def _joined(self, node: Joined) -> Truths:
        join = operator.and_ if isinstance(node, All) else operator.or_
        return reduce(join, map(self.truths, node.conditions))


def _of_texts(compare: Callable[[Any, Any], Any], left: Texts, right: Texts) -> Truths:
    known = left.known & right.known
    one, other = (np.where(each.known, each.values, "") for each in (left, right))
    return Truths.of(np.asarray(compare(one, other), np.bool_), known)


def _of_cells(compare: Callable[[Any, Any], Any], left: Cells, right: Cells) -> Truths:
    """Two columns of the user's own, row by row: as numbers where both are, else as texts."""
    count = len(left.values)
    so, known = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    for row, (one, other) in enumerate(zip(left.values, right.values, strict=True)):
        if left.is_missing(one) or right.is_missing(other):
            continue
        known[row] = True
        if type(one) is type(other) and isinstance(one, bool) and compare in _EQUALITY:
            so[row] = compare(one, other)
            continue
        numbers = number_in(one), number_in(other)
        are_texts = isinstance(one, str) and isinstance(other, str)
        if all(map(_is_plain, numbers)):
            so[row] = compare(*numbers)
        elif are_texts or (compare in _EQUALITY and np.inf in numbers):
            so[row] = compare(left.text(row, one), right.text(row, other))
        else:  # one of them is no number, and its error names the row
            so[row] = compare(left.number(row, one), right.number(row, other))
    return Truths.of(so, known)


def _is_plain(number: float | None) -> bool:
    """Whether it is a number that can be calculated with."""
    return number is not None and np.isfinite(number)


_WORK: dict[type[Node], Callable[..., Value]] = {
    Number: _Evaluation._number,
    Text: _Evaluation._text,
    Truth: _Evaluation._truth,
    Name: _Evaluation._name,
    Call: _Evaluation._call,
    Negative: _Evaluation._negative,
    Calculation: _Evaluation._calculation,
    Comparison: _Evaluation._comparison,
    Membership: _Evaluation._membership,
    Missing: _Evaluation._missing,
    Not: _Evaluation._not,
    **dict.fromkeys(Joined.__subclasses__(), _Evaluation._joined),
}
