"""Expressions worked out over whole columns.

Where a value is missing, no comparison with it is known to hold or not to hold; `not`, `and` and
`or` follow from that as in SQL: what is neither surely so nor surely not is not known.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from captious.streaming.filtering.expression import Expression
from captious.streaming.filtering.functions import FUNCTIONS, like
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

if TYPE_CHECKING:
    from sqlglot.expressions import Expression as Node

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "lt": operator.lt,
    "lte": operator.le,
    "gt": operator.gt,
    "gte": operator.ge,
    "eq": operator.eq,
    "neq": operator.ne,
}
_CALCULATE: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
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
            node, f"expected a condition, such as a comparison, found {_CALLED[type(value)]}"
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
        with np.errstate(all="ignore"):
            return _WORK[node.key](self, node)

    def _literal(self, node: Node) -> Value:
        if not node.is_string:
            return Numbers(np.array(float(node.this)))
        values = np.empty((), object)
        values[()] = node.this
        return Texts(values)

    def _boolean(self, node: Node) -> Truths:
        return Truths(np.array(bool(node.this)), np.array(True))

    def _column(self, node: Node) -> Value:
        return self._rows.column(node.name)

    def _paren(self, node: Node) -> Value:
        return self._value(node.this)

    def _null(self, node: Node) -> Value:
        raise self._expression.fault(node, "NULL has a meaning in IS NULL and IS NOT NULL alone")

    def _call(self, node: Node) -> Value:
        name, arguments = node.name.lower(), node.expressions
        function = FUNCTIONS[name]
        as_wanted = self._as_numbers if function.of is Numbers else self._as_texts
        columns = [as_wanted(each, self._value(each)) for each in arguments]
        more = (self._rows.tokenizer,) if function.counts_words else ()
        return function.work(*columns, *more)

    def _negative(self, node: Node) -> Numbers:
        return Numbers(-self.numbers(node.this).values)

    def _calculation(self, node: Node) -> Numbers:
        """Numbers with + and -, or * and /, between them, however many, from left to right."""
        steps = []
        while node.key in _CALCULATE:
            steps.append(node)
            node = node.this
        total = self.numbers(node).values
        for step in reversed(steps):
            other = self.numbers(step.expression).values
            if step.key == "div":  # by nothing there is no number, not even an endless one
                other = np.where(other == 0, np.nan, other)
            total = _CALCULATE[step.key](total, other)
        return Numbers(np.asarray(total))

    def _comparison(self, node: Node) -> Truths:
        left, right = node.this, node.expression
        return self._compared(node.key, (left, self._value(left)), (right, self._value(right)))

    def _compared(self, mark: str, left: tuple[Node, Value], right: tuple[Node, Value]) -> Truths:
        compare, kinds = _COMPARE[mark], (type(left[1]), type(right[1]))
        if Truths in kinds:
            if compare not in _EQUALITY:
                raise self._expression.fault(right[0], "TRUE and FALSE have no order")
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

    def _membership(self, node: Node) -> Truths:
        value = self._value(node.this)
        compared = (
            self._compared("eq", (node.this, value), (each, self._value(each)))
            for each in node.expressions
        )
        return reduce(operator.or_, compared)

    def _between(self, node: Node) -> Truths:
        side = (node.this, self._value(node.this))
        low, high = ((part, self._value(part)) for part in (node.args["low"], node.args["high"]))
        return self._compared("gte", side, low) & self._compared("lte", side, high)

    def _like(self, node: Node) -> Truths:
        texts = self._as_texts(node.this, self._value(node.this))
        matches = like(texts, str(node.expression.this), any_case=node.key == "ilike")
        return ~matches if node.args.get("negate") else matches

    def _is(self, node: Node) -> Truths:
        value = self._value(node.this)
        missing: Flags
        if node.expression.key == "boolean":
            truths = self._as_truths(node.this, value)
            so = (truths.so == bool(node.expression.this)) & truths.known
            return Truths(so, np.ones_like(so))
        if isinstance(value, Numbers):
            missing = np.isnan(value.values)
        elif isinstance(value, Cells):
            missing = value.missing
        else:
            missing = ~value.known
        return Truths(np.asarray(missing), np.ones_like(missing))

    def _not(self, node: Node) -> Truths:
        return ~self.truths(node.this)

    def _joined(self, node: Node) -> Truths:
        """Conditions with AND, or with OR, between them, however many."""
        conditions, key = [], node.key
        while node.key == key:
            conditions.append(node.expression)
            node = node.this
        conditions.append(node)
        join = operator.and_ if key == "and" else operator.or_
        return reduce(join, map(self.truths, reversed(conditions)))


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


_WORK: dict[str, Callable[[_Evaluation, Any], Value]] = {
    "literal": _Evaluation._literal,
    "boolean": _Evaluation._boolean,
    "null": _Evaluation._null,
    "column": _Evaluation._column,
    "paren": _Evaluation._paren,
    "anonymous": _Evaluation._call,
    "neg": _Evaluation._negative,
    "in": _Evaluation._membership,
    "between": _Evaluation._between,
    "like": _Evaluation._like,
    "ilike": _Evaluation._like,
    "is": _Evaluation._is,
    "not": _Evaluation._not,
    **dict.fromkeys(_CALCULATE, _Evaluation._calculation),
    **dict.fromkeys(_COMPARE, _Evaluation._comparison),
    **dict.fromkeys(("and", "or"), _Evaluation._joined),
}
