"""What Cython would compute in a C int, and so differently from Python, is not written in loops."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from captious._internal import loops

SOURCES = [
    path for path in Path(loops.__file__).parent.glob("*.py") if path.with_suffix(".pxd").exists()
]
each = pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)


def is_literal(node: Any) -> bool:
    """Whether a node is made of literals alone, which Cython folds as Python would."""
    return not any(isinstance(part, ast.Name | ast.Call | ast.Attribute) for part in ast.walk(node))


def shifted_literals(source: str) -> list[int]:
    """Lines in which a literal is shifted by something that is none."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.LShift)
        and is_literal(node.left)
        and not is_literal(node.right)
    ]


@each
def test_no_literal_is_shifted_by_a_variable(source: Path) -> None:
    assert shifted_literals(source.read_text(encoding="utf-8")) == []


@each
def test_constants_are_not_computed_from_each_other(source: Path) -> None:
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Call):
            assert is_literal(node.value), f"line {node.lineno}"


def test_check_finds_examples() -> None:
    assert shifted_literals("BITS = 63\nFULL = (1 << BITS) - 1") == [2]
    assert shifted_literals("WORD = 1 << 50") == []
