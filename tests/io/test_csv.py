"""CSV files that a spreadsheet opens: nothing in them is run, and nothing of them is lost."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import captious
from captious.comparison.score_files import read_scores
from captious.io.captions import read_candidates
from captious.io.csv import escape_formula, unescape_formula
from captious.io.formats import read_table, write_columns

FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "-", "-a.jpg"]
OTHERS = ["a.jpg", "-5", "+5", "-1.5", ".5", "-1e-5", "'quoted'", "it's", "", "5-3", "42"]


@pytest.mark.parametrize("text", [*FORMULAS, *(f"'{text}" for text in FORMULAS)])
def test_text_like_a_formula_is_escaped(text: str) -> None:
    assert escape_formula(text) == f"'{text}" and unescape_formula(escape_formula(text)) == text


@pytest.mark.parametrize("cell", [*OTHERS, -5, -0.5, None])
def test_other_cells_are_written_unchanged(cell: float | str | None) -> None:
    assert escape_formula(cell) is cell
    assert not isinstance(cell, str) or unescape_formula(cell) == cell


def test_scores_of_ids_like_formulas_come_back_under_the_same_ids(tmp_path: Path) -> None:
    ids = [*FORMULAS, *(text for text in OTHERS if text), "a\rb", "a\nb", 'a"b', "'=1", "''=1"]
    scorer = captious.Scorer({name: ["a dog"] for name in ids}, metrics=["bleu"])
    scorer.score(["a dog"] * len(ids)).save(tmp_path / "scores.csv")
    assert read_scores(tmp_path / "scores.csv").ids == ids
    with (tmp_path / "scores.csv").open(newline="") as stream:
        cells = [row["id"] for row in csv.DictReader(stream)]
    started = [cell for cell in cells if cell[:1] in tuple("=+-@\t\r\n")]
    assert started == [text for text in OTHERS if text[:1] in tuple("+-")], "numbers alone"


def test_captions_and_column_names_are_escaped_and_restored(tmp_path: Path) -> None:
    columns: dict[str, list[Any]] = {
        "id": [1, -2],
        "candidate": ["=HYPERLINK()", "@home"],
        "=x": [-0.5, 1.0],
    }
    write_columns(tmp_path / "c.csv", columns)
    text = (tmp_path / "c.csv").read_text()
    assert text == "id,candidate,'=x\n1,'=HYPERLINK(),-0.5\n-2,'@home,1.0\n"
    assert list(read_candidates(tmp_path / "c.csv").captions.values()) == columns["candidate"]
    assert list(read_table(tmp_path / "c.csv").columns) == list(columns)


@pytest.mark.slow
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0")),
        min_size=1,
        max_size=4,
    )
)
def test_any_text_is_read_back_unchanged(tmp_path: Path, cells: list[str]) -> None:
    write_columns(tmp_path / "x.csv", {"id": range(len(cells)), "text": cells})
    assert read_table(tmp_path / "x.csv").columns["text"] == cells
