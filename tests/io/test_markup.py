"""Cells in every format: strong, superscript, and user text never taken for markup."""

from __future__ import annotations

import pytest

from captious.io.markup import HTML, MARKUPS, TERMINAL, Cell, render_cell
from captious.io.output_tables import OutputTable, render_table

BEST = Cell("0.5", strong=True, raised="ab")


@pytest.mark.parametrize(
    ("format", "written"),
    [
        ("text", "0.5 ab"),
        (TERMINAL, "\x1b[1m0.5\x1b[0m ab"),
        ("markdown", "**0.5**<sup>ab</sup>"),
        ("latex", r"\textbf{0.5}\textsuperscript{ab}"),
        (HTML, "<b>0.5</b><sup>ab</sup>"),
    ],
)
def test_strong_and_raised(format: str, written: str) -> None:
    assert render_cell(BEST, format) == written
    assert written in render_table(["system", "mine"], [["a", BEST]], format)


def test_markup_in_cells_is_escaped() -> None:
    hostile = r"a_b & 5% $x^2$ {c} ~ \d #1 <i>|*`[x]" + "\x1b[2J\n"
    shown = {format: render_cell(Cell(hostile, True, hostile), format) for format in MARKUPS}
    assert all("\n" not in text and "\x1b[2J" not in text for text in shown.values())
    assert "<i>" not in shown[HTML] and "<i>" not in shown["markdown"].replace("\\<", "")
    bare = shown["latex"]
    for escaped in (r"\&", r"\%", r"\$", r"\_", r"\{", r"\}", r"\#", r"\^{}", r"\textbackslash{}"):
        assert escaped in bare


def test_superscripts_keep_numbers_aligned() -> None:
    rows: list[list[str | Cell]] = [
        ["x", Cell("0.51", True, "a")],
        ["y", Cell("0.42", raised="ab")],
        ["z", "0.33"],
    ]
    for folds in (False, True):
        lines = OutputTable(["system", "mine"], rows, folds=folds).render("text").splitlines()[2:]
        assert len({line.index("0.") for line in lines}) == 1


def test_a_table_that_folds_stays_within_a_hundred_columns() -> None:
    names = [f"metric_{n}" for n in range(30)]
    for letters in ("a", "abcdefgh"):
        rows: list[list[str | Cell]] = [
            ["a system", *(Cell("0.1234", raised=letters) for _ in names)]
        ]
        text = OutputTable(["system", *names], rows, folds=True).render("text")
        assert max(map(len, text.splitlines())) <= 100
        assert [name for name in text.split() if name.startswith("metric_")] == names


def test_one_enormous_column_and_none_at_all() -> None:
    wide = OutputTable(["s", "m" * 300, "n"], [["a", "1", "2"]], folds=True).render("text")
    assert "m" * 300 in wide and wide.count("\n\n") == 1
    assert OutputTable(["s"], [["a"]], folds=True).render("text") == "s\n-\na"
    assert OutputTable(["s", "m"], [], folds=True).render("text") == "s  m\n-  -"
