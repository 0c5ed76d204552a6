"""Findings: tables with intervals and published numbers, verdicts, pages; single arithmetic."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.papers.declaration import Features, RobustnessTask
from captious.papers.exhibit import Claim, Exhibit, Reason
from captious.papers.measurements.comparisons import RobustnessComparison, balanced_accuracy
from captious.papers.measurements.exhibits import published_value, with_published
from captious.papers.measurements.experiment import build_feature_set
from captious.papers.measurements.scoring import equal_weights, fit_regression, predict_ratings
from captious.papers.pages import check_pages, heading_anchor, write_pages
from captious.papers.reproduction import Finding, Reproduction
from captious.papers.result import INTERVAL, RANGE, Measurement, Panel, Table
from captious.papers.rows import LCEVAL, NNEVAL
from captious.papers.verdicts import Assessment, Verdict, assess

NEAR = Measurement(0.412, 0.402, 0.422, INTERVAL, published=0.418)
FAR = Measurement(0.3, 0.29, 0.31, RANGE, published=0.4)
TABLE = Table("Scores", ["metric", "tau", "n"], [["a", NEAR, 1200], ["b", FAR, None]])
EXHIBIT = Exhibit(LCEVAL.table(4), "a title", reason="It is so.", notes=("A note.",))


def finding(exhibit: Exhibit = EXHIBIT, *tables: Table) -> Finding:
    return Finding(exhibit, assess(exhibit, tables, quick=False), tables)


def test_cell_shows_number_interval_and_published_number() -> None:
    assert TABLE.cells() == [
        ["a", "0.412 ±0.010 (0.418, -0.006)", "1,200"],
        ["b", "0.300 ~0.010 (0.400, -0.100)", ""],
    ]
    percent = replace(TABLE, percent=True, digits=1)
    assert percent.cells()[0][1] == "41.2 ±1.0 (41.8, -0.6)"
    alone = Table("t", ["m", "x"], [["a", Measurement(math.nan, published=0.5)]])
    assert alone.cells() == [["a", "(0.500)"]]


def test_numbers_are_found_by_row_and_column() -> None:
    assert TABLE.value("b", "tau") == 0.3 and TABLE.value("a", "n") == 1200
    assert math.isnan(TABLE.value("b", "n"))
    with pytest.raises(KeyError):
        TABLE.value("c", "tau")


@pytest.mark.parametrize(
    ("number", "agrees"),
    [
        (NEAR, True),
        (FAR, False),
        (replace(FAR, high=0.45), True),  # the published number is within the interval
        (Measurement(0.42, published=0.4), True),  # at the tolerance
        (Measurement(0.421, published=0.4), False),
        (Measurement(0.4), False),
        (Measurement(math.nan, published=0.4), False),
    ],
)
def test_when_a_number_agrees(number: Measurement, agrees: bool) -> None:
    assert number.agrees(0.02) is agrees


def test_published_beside_ours() -> None:
    assert with_published(0.5, 0.4) == Measurement(0.5, published=0.4)
    assert with_published(NEAR, None) == NEAR
    assert with_published(None, None) is None
    nothing = with_published(None, 0.4)
    assert isinstance(nothing, Measurement) and math.isnan(nothing.value)


def _always(holds: bool | None, _: Sequence[Table]) -> bool | None:
    return holds


def verdict(numbers: list[Measurement], *claims: bool | None) -> Verdict:
    table = Table("t", ["m", *map(str, range(len(numbers)))], [["a", *numbers]])
    said = tuple(Claim("so", partial(_always, holds)) for holds in claims)
    return assess(replace(EXHIBIT, claims=said), [table], quick=False).verdict


def test_verdicts() -> None:
    assert verdict([NEAR] * 9 + [FAR]) is Verdict.REPRODUCED
    assert verdict([NEAR] * 8 + [FAR] * 2) is Verdict.DIFFERENT
    assert verdict([NEAR], True, True) is Verdict.REPRODUCED
    assert verdict([NEAR], True, False) is Verdict.DIFFERENT
    assert verdict([], True) is Verdict.CLAIMS_HOLD
    assert verdict([], True, None) is Verdict.CLAIMS_HOLD  # what was not tested is not against it
    assert verdict([], True, False) is Verdict.DIFFERENT
    assert verdict([], None) is Verdict.INCOMPARABLE
    assert verdict([]) is Verdict.INCOMPARABLE
    assert verdict([FAR], True) is Verdict.DIFFERENT
    assert assess(EXHIBIT, [TABLE], quick=True).verdict is Verdict.QUICK


def test_number_that_paper_contradicts_is_shown_and_set_aside() -> None:
    reasons = (Reason("Unknown.", ("a",)), Reason("A slip.", ("b",), is_slip=True))
    exhibit = replace(EXHIBIT, claims=(), reasons=reasons)
    table = Table("t", ["metric", "tau"], [["a", NEAR], ["b", FAR]])
    done = assess(exhibit, [table], quick=False)
    assert done.verdict is Verdict.REPRODUCED
    assert (done.agreeing, done.compared, done.set_aside) == (1, 1, 1)
    text = Finding(exhibit, done, (table,)).to_text("markdown")
    assert "; 1 set aside, which the paper itself contradicts." in text
    assert "- b (tau): A slip." in text
    other = Table("t", ["metric", "tau"], [["a", FAR], ["b", NEAR]])
    assert assess(exhibit, [other], quick=False).verdict is Verdict.DIFFERENT


def test_text_says_verdict_reason_and_notes() -> None:
    text = finding(EXHIBIT, TABLE).to_text("markdown")
    assert "Table 4: a title" in text and "A note." in text
    assert (
        "**Different**: 1 of 2 numbers agree (the published number is within 0.02, or in the "
        "interval)." in text
    )
    assert "It is so." in text
    drawing = replace(EXHIBIT, drawing="A drawing.")
    assert "A drawing." in Finding(drawing, Assessment(Verdict.DRAWING)).to_text()
    impossible = replace(EXHIBIT, unavailable="Not to be had.")
    assert "Not to be had." in Finding(impossible, Assessment(Verdict.IMPOSSIBLE)).to_text()
    assert finding(EXHIBIT, TABLE).to_text("latex").startswith("\\begin{tabular}")


def test_json_omits_missing_numbers() -> None:
    table = Table("t", ["a", "b"], [["x", float("nan")]])
    panel = Panel("p", "x", "y", {"c": ((1.0, 2.0), (2.0, float("nan")))})
    made = replace(finding(EXHIBIT, table, TABLE), panels=(panel,))
    said = json.loads(made.to_text("json"))
    assert said["tables"][0]["rows"] == [{"a": "x", "b": None}]
    assert said["panels"][0]["curves"] == {"c": [[1.0, 2.0], [2.0, None]]}
    first, second = said["tables"][1]["rows"]
    assert first["tau"][INTERVAL] == [0.402, 0.422] and second["tau"]["published"] == 0.4


def test_json_keys_of_equal_column_names_differ() -> None:
    header = ["metric", "tau", "published", "rho", "published"]
    (row,) = Table("t", header, [["a", 0.1, 0.2, 0.3, 0.4]]).to_dict()["rows"]
    assert row == {
        "metric": "a", "tau": 0.1, "tau, published": 0.2, "rho": 0.3, "rho, published": 0.4,
    }  # fmt: skip


@pytest.mark.slow
def test_pages_and_their_summary(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    panel = Panel("p", "x", "y", {"ours": ((1.0, 2.0), (2.0, 3.0))})
    first = replace(finding(EXHIBIT, TABLE), panels=(panel,))
    check_pages(tmp_path)
    written = write_pages(tmp_path, Reproduction(LCEVAL, (first,), "captious reproduce lceval"))
    assert [path.name for path in written] == ["lceval.md", "lceval.json", "README.md"]
    page = written[0].read_text()
    assert "## Table 4: a title" in page and "plots/lceval-table-4.svg" in page
    assert (tmp_path / "plots" / "lceval-table-4.svg").is_file()
    other = Finding(Exhibit(NNEVAL.figure(1), "b", drawing="D."), Assessment(Verdict.DRAWING))
    write_pages(tmp_path, Reproduction(NNEVAL, (other,), "captious reproduce nneval"))
    summary = (tmp_path / "README.md").read_text()
    assert "1 different, 1 nothing measured." in summary and "It is so." in summary
    assert "(lceval.md)" in summary and "(nneval.md)" in summary
    assert "1: table [4](lceval.md#table-4-a-title)" in summary
    assert (
        heading_anchor("section 3.5: a system's own (BLEU-1)") == "section-35-a-systems-own-bleu-1"
    )
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*.*")}
    write_pages(tmp_path, Reproduction(NNEVAL, (other,), "captious reproduce nneval"))
    assert before == {path.name: path.read_bytes() for path in tmp_path.glob("*.*")}


def test_pages_are_not_written_into_a_folder_of_other_json(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "package.json").write_text("{}")
    with pytest.raises(InputError, match=r"package.json: not written by `captious reproduce`"):
        check_pages(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be made"):
        check_pages(tmp_path / "file")


def test_published_figures_are_found() -> None:
    assert (
        published_value("composite", "kendall_b", "lceval", "Sharif et al. 2019, table 4") == 0.418
    )
    assert published_value("composite", "kendall_b", "mowe", "Sharif et al. 2019") is None


def test_accuracy_is_balanced_and_equal_scores_stay_together() -> None:
    is_human = np.array([True, False, False, False])
    assert balanced_accuracy(np.array([0.9, 0.1, 0.2, 0.3]), is_human) == 1.0
    assert balanced_accuracy(np.zeros(4), is_human) == 0.5
    assert balanced_accuracy(np.array([0.2, 0.1, 0.2, 0.3]), is_human) == pytest.approx(2 / 3)


def test_equal_weights_are_the_mean_of_scaled_features() -> None:
    spider = build_feature_set(Features("lceval", only=("spice", "cider")))
    assert spider.columns == ("spice", "cider")
    assert equal_weights(spider, np.array([[0.2, 4.0]])).tolist() == pytest.approx([0.3])


def test_regression_recovers_weights_of_ratings() -> None:
    rng = np.random.default_rng(0)
    features = rng.normal(size=(50, 3))
    ratings = features @ [1.0, -2.0, 0.5] + 3.0
    weights = fit_regression(features, ratings)
    assert weights.tolist() == pytest.approx([1.0, -2.0, 0.5, 3.0])
    assert predict_ratings(features, weights).tolist() == pytest.approx(ratings.tolist())


def test_ties_of_choices_count_one_half_or_as_errors() -> None:
    row = {
        "accuracy": {"just_person": 0.75},
        "ties": {"just_person": 0.3},
        "interval": {"just_person": (0.7, 0.8)},
    }
    scoring: Any = SimpleNamespace(robustness_row=lambda *_: row)
    comparison = RobustnessComparison(scoring, RobustnessTask("distractions"), ["spice"])
    assert comparison.value("accuracy", "just_person", 0) == Measurement(0.75, 0.7, 0.8, INTERVAL)
    assert comparison.value("won", "just_person", 0) == pytest.approx(0.6)
