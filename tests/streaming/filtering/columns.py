"""Columns in memory that expressions are worked out over."""

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


def truths(
    expression: str, columns: dict[str, list[Any]], *, are_texts: bool = False
) -> list[bool | None]:
    """What an expression says of each row; None where that is not known."""
    said = evaluate_condition(Expression.parse(expression), Columns(columns, are_texts=are_texts))
    return [bool(so) if known else None for so, known in zip(said.so, said.known, strict=True)]


def so(expression: str, *, are_texts: bool = False, **columns: list[Any]) -> list[bool | None]:
    """The same of columns by name."""
    return truths(expression, columns, are_texts=are_texts)


def number(expression: str, **columns: list[Any]) -> list[float]:
    """The number that an expression is for each row."""
    keys: list[float] = evaluate_number(Expression.parse(expression), Columns(columns)).tolist()
    return keys
