"""Agreement with people as boards: what the command's table has, with intervals drawn."""

from __future__ import annotations

import math

import numpy as np
import pytest

from captious.meta.evaluation import Evaluation, evaluate
from captious.meta.judgements import Judgements, Ratings
from captious.report.browser.contents import Cell
from captious.report.judgements.page_tables import MAX_COLUMNS, page_tables
from tests.made_up.judged_captions import preferred, rated
from tests.report.judgements.made_up import whole_systems

METRICS = "bleu_1,rouge_l,meteor"


def evaluation(judgements: Judgements, **options: object) -> Evaluation:
    return evaluate(judgements, METRICS, resamples=60, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("judgements", [rated(), preferred()], ids=["ratings", "pairs"])
def test_page_table_equals_printed_table(judgements: Judgements) -> None:
    found = evaluation(judgements)
    (table,) = found.as_tables()
    board = page_tables(found)[0]
    assert list(board.header) == list(table.header)
    for row, cells in zip(board.rows, table.rows, strict=True):
        texts = [cell.text if isinstance(cell, Cell) else cell for cell in row]
        assert texts[1:] == list(cells[1:])
    assert [row[0] for row in board.rows][:1] == [
        {"bleu_1": "BLEU-1", "rouge_l": "ROUGE-L", "meteor": "METEOR"}[str(table.rows[0][0])]
    ]
    assert "share a letter" in board.caption and board.caption.endswith(".")


def test_every_statistic_is_drawn_with_its_own_interval() -> None:
    found = evaluation(rated())
    board = page_tables(found)[0]
    names = {"tau_c": "kendall_c", "tau_b": "kendall_b", "Pearson": "pearson"}
    for row, agreement in zip(board.rows, found.agreements.best_first(), strict=True):
        for header, name in names.items():
            cell = row[list(board.header).index(header)]
            assert isinstance(cell, Cell) and cell.estimated is not None
            assert cell.text == f"{cell.estimated.value:.3f}"
            assert cell.estimated.value == agreement.values[name]
            assert (cell.estimated.low, cell.estimated.high) == agreement.interval(name)


def test_the_best_of_each_statistic_is_marked() -> None:
    found = evaluation(rated())
    for column in zip(*page_tables(found)[0].rows, strict=True):
        drawn = [cell for cell in column if isinstance(cell, Cell) and cell.estimated]
        if drawn:
            values = [cell.estimated.value for cell in drawn if cell.estimated]
            assert [cell.best for cell in drawn] == [value == max(values) for value in values]
    alone = page_tables(evaluate(rated(), "bleu_1", resamples=20))
    assert len(alone) == 1  # with nothing to differ from
    assert not any(isinstance(cell, Cell) and cell.best for cell in alone[0].rows[0])


def test_constant_scores_have_no_agreement_and_are_never_the_best() -> None:
    scores = {"flat": np.ones(12), "good": np.arange(12.0)}
    found = evaluate(rated(), scores=scores, resamples=30)
    board, differences = page_tables(found)
    flat = next(row for row in board.rows if row[0] == "flat")
    cell = flat[1]
    assert isinstance(cell, Cell) and cell.text == "-" and not cell.best
    assert cell.estimated is not None and math.isnan(cell.estimated.value)
    assert [row[1:] for row in differences.rows] == [["-", "-"], ["-", "-"]]


@pytest.mark.slow
def test_differences_have_a_star_where_letters_differ() -> None:
    noise = np.random.default_rng(5)
    people = noise.normal(size=300)
    scores = {
        "sharp": people + noise.normal(size=300) / 4,
        "same": people + noise.normal(size=300) / 4,
        "blunt": people + noise.normal(size=300) * 4,
    }
    texts = [f"caption {row}" for row in range(300)]
    judgements = Ratings(texts, [["a"]] * 300, list(range(300)), people[:, None], ["all"] * 300)
    found = evaluate(judgements, scores=scores, resamples=200)
    board = page_tables(found)[1]
    metrics = [str(row[0]) for row in board.rows]
    for row, cells in zip(metrics, board.rows, strict=True):
        for column, cell in zip(board.header[1:], cells[1:], strict=True):
            text = str(cell)
            apart = set(found.letters[row]).isdisjoint(found.letters[column])
            assert text.endswith("*") == apart
            if row != column:
                values = (found.agreements[each].values["kendall_c"] for each in (row, column))
                one, other = values
                assert text.rstrip("*") == f"{one - other:+.3f}"
    assert {cell for row in board.rows for cell in row if str(cell).endswith("*")}


def test_many_metrics_are_compared_with_the_best() -> None:
    rng = np.random.default_rng(0)
    scores = {f"m{number}": rng.normal(size=12) for number in range(MAX_COLUMNS + 5)}
    board = page_tables(evaluate(rated(), scores=scores, resamples=20))[1]
    assert len(board.rows) == MAX_COLUMNS + 5 and len(board.header) == MAX_COLUMNS + 1
    assert list(board.header[1:]) == [row[0] for row in board.rows[:MAX_COLUMNS]]
    assert f"the {MAX_COLUMNS} best" in board.caption


def test_without_resamples_there_are_no_letters_and_no_differences() -> None:
    (board,) = page_tables(evaluate(rated(), METRICS, resamples=0))
    assert [row[-1] for row in board.rows] == ["-"] * 3
    assert "letter" not in board.caption


def test_benchmark_parts_have_a_table_of_their_own() -> None:
    groups = ["human", "machine/neural"] * 6
    _, parts, _ = page_tables(evaluation(rated(groups)))
    assert parts.title == "Agreement by part" and "human" in parts.header
    assert {row[0] for row in parts.rows} == {"BLEU-1", "ROUGE-L", "METEOR"}


def test_measures_of_whole_systems() -> None:
    _, by_name, _ = page_tables(whole_systems())
    assert by_name.title == "Agreement by measure" and by_name.texts == 2
    assert [list(row[:2]) for row in by_name.rows[:2]] == [["M1", "BLEU-4"], ["M1", "SPICE"]]
