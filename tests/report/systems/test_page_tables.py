"""The leaderboard as a page shows it."""

from __future__ import annotations

import captious
from captious.diagnostics.diversity.measuring import diversities
from captious.report.browser.contents import Cell
from captious.report.systems.page_tables import diversity_tables, page_tables

REFERENCES = [[f"a dog number {number} runs on the beach"] for number in range(30)]
GOOD = [f"a dog number {number} runs" for number in range(30)]
POOR = ["a cat sits there"] * 30


def score_systems(*systems: list[str]) -> dict[str, captious.Result]:
    return {
        f"system {place}": captious.score(captions, REFERENCES, "bleu_1,rouge_l")
        for place, captions in enumerate(systems)
    }


def test_scores_intervals_letters_ranks_and_differences() -> None:
    results = score_systems(GOOD, POOR)
    scores, ranks, differences = page_tables(captious.leaderboard(results))
    assert list(scores.header) == ["system", "BLEU-1", "ROUGE-L"]
    assert [row[0] for row in scores.rows] == ["system 0", "system 1"]
    for row, (_, result) in zip(scores.rows, results.items(), strict=True):
        for cell, column in zip(row[1:], result.columns, strict=True):
            assert isinstance(cell, Cell) and cell.estimated is not None
            assert cell.text.split()[0] == f"{result.corpus[column]:.4f}"
            assert cell.estimated.value == result.corpus[column]
            low, high = result.interval(column)
            assert abs(cell.estimated.low - low) + abs(cell.estimated.high - high) < 1e-9
    best = [[cell.best for cell in row[1:] if isinstance(cell, Cell)] for row in scores.rows]
    assert best == [[True, True], [False, False]]
    assert scores.rows[0][1].text.endswith(" a") and scores.rows[1][1].text.endswith(" b")  # type: ignore[union-attr]
    assert "A shared letter: no significant difference" in scores.caption
    assert ranks.rows == [["system 0", "1", "1"], ["system 1", "2", "2"]]
    (row,) = differences.rows
    assert row[:2] == ["system 1", "system 0"]
    assert isinstance(row[2], Cell) and row[2].estimated is not None
    difference = results["system 1"].corpus["bleu_1"] - results["system 0"].corpus["bleu_1"]
    assert row[2].text == f"{difference:+.4f} *"
    assert row[2].estimated.low <= difference <= row[2].estimated.high < 0


def test_systems_that_do_not_differ_have_no_mark() -> None:
    scores, _, differences = page_tables(captious.leaderboard(score_systems(GOOD, GOOD)))
    assert [cell.text[-1] for row in scores.rows for cell in row[1:] if isinstance(cell, Cell)] == [
        "a"
    ] * 4
    assert [cell.text for cell in differences.rows[0][2:] if isinstance(cell, Cell)] == [
        "+0.0000"
    ] * 2


def test_one_system_alone_has_scores_and_no_contest() -> None:
    (only,) = page_tables(captious.leaderboard(score_systems(GOOD)))
    (row,) = only.rows
    assert isinstance(row[1], Cell)
    assert not row[1].best and " " not in row[1].text
    assert "letter" not in only.caption


def test_diversity_tables() -> None:
    systems = {name: result.captions for name, result in score_systems(GOOD, POOR).items()}
    (board,) = diversity_tables(diversities(systems))  # type: ignore[arg-type]
    assert board.title == "Diversity of all captions"
    at = list(board.header).index("distinct_captions")
    assert [row[at] for row in board.rows] == ["1.0000", "0.0333"]
    (alone,) = diversity_tables(diversities({"one": systems["system 0"]}))  # type: ignore[dict-item]
    assert alone.title == "Diversity"
