"""All that can be printed: every format, a short form, and one for notebooks, safe to show."""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from dataclasses import dataclass
from typing import Any

import pytest

import captious
from captious.errors import InputError, MissingDependencyError
from captious.io.markup import render_cell
from captious.io.output_tables import MAX_BRIEF_LETTERS, OutputTable, TabularResult
from captious.meta.evaluation import evaluate
from captious.meta.evaluations import evaluate_by_references
from captious.meta.robustness.captioned_images import CaptionedImages
from captious.meta.robustness.evaluation import robustness
from captious.meta.two_metrics import versus
from tests.made_up.judged_captions import preferred, rated

CANDIDATES = ["a dog runs on a beach", "two men ride a horse", "a cat"]
REFERENCES = [["a brown dog runs"], ["two men on a horse", "men"], ["a small cat sleeps"]]
HOSTILE = "<script>alert(1)</script>\x1b[2J|&"


@dataclass(frozen=True, repr=False)
class Odd(TabularResult):
    """Rows with whatever stands in anyone's files."""

    formats_with_notes = ("text", "markdown", "latex")

    def to_dict(self) -> dict[str, Any]:
        return {"rows": [{"a": HOSTILE, "interval": [1, 2], "deep": {"b": 1, "c": [1, 2]}}]}

    def as_tables(self) -> list[OutputTable]:
        return [OutputTable([HOSTILE, "n"], [[HOSTILE, "1"]] * 1000, title=HOSTILE)]

    def notes_above(self) -> list[str]:
        return [HOSTILE]


@pytest.fixture(scope="module")
def results() -> dict[str, TabularResult]:
    result = captious.score(CANDIDATES, REFERENCES, ["bleu", "rouge_l"])
    evaluation = evaluate(rated(), ["bleu_1", "rouge_l"], resamples=20)
    images = CaptionedImages.of({name: [name, f"{name} on a beach"] for name in CANDIDATES})
    return {
        "result": result,
        "comparison": captious.compare(result, result, resamples=20),
        "leaderboard": captious.leaderboard({"a": result, HOSTILE: result}, resamples=20),
        "explanation": captious.explain("a cat on a bench", ["a dog on a bench", "a dog"]),
        "evaluation": evaluation,
        "pairs": evaluate(preferred(), ["bleu_1", "rouge_l"], resamples=20),
        "agreements": evaluation.agreements,
        "agreement": evaluation.agreements.rows[0],
        "versus": versus(evaluation, "bleu_1", "rouge_l"),
        "by references": evaluate_by_references(rated(), [1, 2], ["bleu_1"], resamples=20),
        "robustness": robustness(images, ["bleu"], "gaming", resamples=20),
        "odd": Odd(),
    }


NAMES = (
    *(
        "result",
        "comparison",
        "leaderboard",
        "explanation",
        "evaluation",
        "pairs",
        "agreements",
        "agreement",
    ),
    *("versus", "by references", "robustness", "odd"),
)


@pytest.mark.parametrize("name", NAMES)
def test_every_result_has_every_form(name: str, results: dict[str, TabularResult]) -> None:
    result = results[name]
    short = repr(result)
    assert short.startswith(f"<{type(result).__name__}: ") and short.endswith(">")
    assert len(short) <= MAX_BRIEF_LETTERS + 2 and short.isprintable()
    assert json.loads(result.to_json()) == json.loads(result.to_text("json"))
    assert "| --" in result.to_markdown() or "|--" in result.to_markdown()
    assert "\\begin{tabular}" in result.to_latex()
    page = result._repr_html_()
    assert page.count("<table>") == page.count("</table>") == len(result.as_tables())
    first = result.as_tables()[0]
    cells = (render_cell(cell, "text") for cell in (first.header[0], first.rows[0][-1]))
    assert all(cell in str(result) for cell in cells if cell.isalnum())


@pytest.mark.parametrize("name", NAMES)
def test_every_result_is_a_data_frame(name: str, results: dict[str, TabularResult]) -> None:
    pytest.importorskip("pandas")
    frame = results[name].to_pandas()
    assert len(frame) and all(isinstance(column, str) for column in frame.columns)


def test_a_frame_has_all_digits_and_the_ends_of_intervals(
    results: dict[str, TabularResult],
) -> None:
    pytest.importorskip("pandas")
    comparison = results["comparison"]
    assert isinstance(comparison, captious.Comparison)
    frame = comparison.to_pandas().set_index("metric")
    for row in comparison.rows:
        assert frame.loc[row.metric, "a"] == row.a
        assert frame.loc[row.metric, "interval_low"] == row.interval[0]
        assert frame.loc[row.metric, "interval_high"] == row.interval[1]
    odd = results["odd"].to_pandas()
    assert list(odd.columns) == ["a", "interval_low", "interval_high", "deep_b", "deep_c"]


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")  # one caption for all images
def test_the_short_form_of_a_large_result_is_short_and_needs_no_intervals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("captious.result.Result.interval", pytest.fail)
    result = captious.score(["a dog"] * 5000, [["a dog runs"]] * 5000, ["bleu", "rouge_l"])
    assert repr(result).startswith("<Result: 5,000 samples; bleu_1 0.6065; bleu_2 ")


def test_notebook_tables_are_escaped(results: dict[str, TabularResult]) -> None:
    page = results["odd"]._repr_html_()
    assert "<script>" not in page and "\x1b" not in page
    assert (
        page.count("&lt;script&gt;alert(1)&lt;/script&gt;\\x1b[2J|&amp;") == 1003
    )  # above, title, header, rows
    hostile = captious.explain(f"a cat {HOSTILE}", [f"a dog {HOSTILE}"])
    assert "<script>" not in hostile._repr_html_() and repr(hostile).isprintable()


def test_without_pandas_one_line_says_how_to_get_it(
    results: dict[str, TabularResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    for name in ("result", "comparison"):
        with pytest.raises(MissingDependencyError, match=r"captious\[pandas\]"):
            results[name].to_pandas()


def test_no_result_has_the_long_form_of_a_dataclass() -> None:
    for module in pkgutil.walk_packages(captious.__path__, "captious."):
        if module.name.startswith(("captious.meta", "captious.papers.rep")):
            importlib.import_module(module.name)
    kinds = [kind for kind in TabularResult.__subclasses__() if kind is not Odd]
    assert len(kinds) > 10
    for kind in kinds:
        assert kind.__repr__ is TabularResult.__repr__, kind


def test_html_is_no_format_of_commands(results: dict[str, TabularResult]) -> None:
    with pytest.raises(InputError, match="unknown format"):
        results["result"].to_text("html")


def test_a_table_that_wraps_goes_on_in_the_next_row() -> None:
    long = "a word " * 30
    table = OutputTable(
        ["name", "what", "more"], [["x", long, long], ["", "", ""], ["y", "", ""]], 3, wraps=2
    )
    lines = table.render("text").splitlines()
    assert max(map(len, lines)) <= 100
    assert [line[:1].strip() for line in lines[2:]] == ["x", *[""] * (len(lines) - 4), "y"]
    assert " ".join(lines[2:]).split().count("word") == 60
    assert lines[-2].strip() == ""
    assert len(table.render("markdown").splitlines()) == 5
    assert OutputTable(["name"], [], 1, wraps=1).render("text").startswith("name")
    # However much room other columns take, some is left.
    wide = OutputTable(["n" * 120, "what"], [["x", long]], 2, wraps=1).render("text")
    assert len(wide.splitlines()) < 20
