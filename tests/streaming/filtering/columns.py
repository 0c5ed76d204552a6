"""Columns in memory that expressions are evaluated over."""

from __future__ import annotations

from typing import Any

from captious.streaming.filtering.expression import Expression, evaluate_condition, evaluate_number
from captious.streaming.filtering.values import Cells, Value


class Columns:
    """Rows as an expression sees them."""

    tokenizer = "ptb"

    def __init__(self, columns: dict[str, list[Any]], *, are_texts: bool = False) -> None:
        self.columns, self.are_texts = columns, are_texts

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def column(self, name: str) -> Value:
        """A column as a file has it."""
        return Cells(name, self.columns[name], lambda row: f"f: row {row + 1}", self.are_texts)


def evaluate(
    expression: str, columns: dict[str, list[Any]], *, are_texts: bool = False
) -> list[bool | None]:
    """Return the truth value of an expression in each row; None where it is unknown."""
    rows = Columns(columns, are_texts=are_texts)
    truths = evaluate_condition(Expression.parse(expression), rows)
    pairs = zip(truths.true, truths.known, strict=True)
    return [bool(true) if known else None for true, known in pairs]


def evaluate_columns(
    expression: str, *, are_texts: bool = False, **columns: list[Any]
) -> list[bool | None]:
    """Return the same, with columns given by name."""
    return evaluate(expression, columns, are_texts=are_texts)


def evaluate_numbers(expression: str, **columns: list[Any]) -> list[float]:
    """Return the number that an expression is in each row."""
    keys: list[float] = evaluate_number(Expression.parse(expression), Columns(columns)).tolist()
    return keys
