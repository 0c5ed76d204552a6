"""captious meta --report: a page beside the table, or one line that says why there is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from captious.report.browser.contents import Contents
from captious.report.browser.page import write_page
from tests.cli.command import captious
from tests.made_up.judged_captions import RATINGS, preferred, rated

METRICS = ("--metrics", "bleu_1,rouge_l", "--resamples", "30", "--quiet")
REPORT = ("--report", "report.html")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with judgements of both kinds, and scores of one's own."""
    ratings, pairs = rated(), preferred()
    rows: list[dict[str, Any]] = [
        {"candidate": c, "references": r, "rating": said, "mine": row, "image": image}
        for row, (c, r, said, image) in enumerate(
            zip(ratings.candidates, ratings.references, RATINGS, ratings.images, strict=True)
        )
    ]
    (tmp_path / "ratings.jsonl").write_text("\n".join(map(json.dumps, rows)))
    columns = zip(pairs.pairs, pairs.references, pairs.preferred, pairs.groups, strict=True)
    rows = [
        {"candidates": two, "references": r, "preferred": int(side), "group": group}
        for two, r, side, group in columns
    ]
    (tmp_path / "pairs.jsonl").write_text("\n".join(map(json.dumps, rows)))
    given = [{"id": row, "given": row / 12} for row in range(12)]
    (tmp_path / "scores.jsonl").write_text("\n".join(map(json.dumps, given)))
    return tmp_path


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Contents]:
    """What pages were given that were written."""
    pages: list[Contents] = []

    def write(path: str, contents: Contents) -> None:
        pages.append(contents)
        write_page(path, contents)

    monkeypatch.setattr("captious.cli.meta.write_page", write)
    return pages


def custom(folder: Path, *arguments: str) -> tuple[int, str, str]:
    done = captious("meta", "custom", "--judgements", *arguments, *REPORT, cwd=folder)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("name", ["ratings.jsonl", "pairs.jsonl"])
def test_a_report_beside_the_table(folder: Path, name: str, written: list[Contents]) -> None:
    code, table, errors = custom(folder, name, *METRICS)
    assert (code, errors) == (0, "")
    same = captious("meta", "custom", "--judgements", name, *METRICS, cwd=folder)
    assert same.stdout == table
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and "</html>" in page
    (contents,) = written
    assert [each.name for each in contents.measures] == ["bleu_1", "rouge_l"]
    (command,) = contents.made.commands
    assert command.startswith(f"captious meta custom --judgements {name} --metrics bleu_1,rouge_l")


def test_the_same_command_writes_the_same_page(folder: Path) -> None:
    custom(folder, "ratings.jsonl", *METRICS)
    first = (folder / "report.html").read_bytes()
    custom(folder, "ratings.jsonl", *METRICS)
    assert (folder / "report.html").read_bytes() == first


def test_report_path_is_printed_as_a_note(folder: Path) -> None:
    arguments = [argument for argument in METRICS if argument != "--quiet"]
    code, _, errors = custom(folder, "ratings.jsonl", *arguments)
    assert code == 0 and "report.html: 12 rows, 0." in errors


def test_scores_from_elsewhere(folder: Path, written: list[Contents]) -> None:
    assert custom(folder, "ratings.jsonl", "--own-scores", "mine", "--quiet")[0] == 0
    assert custom(folder, "ratings.jsonl", "--scores", "scores.jsonl", "--quiet")[0] == 0
    both = ("--own-scores", "mine", *METRICS)
    assert custom(folder, "ratings.jsonl", *both)[0] == 0
    names = [[each.name for each in contents.measures] for contents in written]
    assert names == [["mine"], ["given"], ["bleu_1", "rouge_l", "mine"]]


def test_two_metrics_against_each_other_have_a_page_of_both(
    folder: Path, written: list[Contents]
) -> None:
    versus = ("--versus", "bleu_1,mine", "--resamples", "30", "--quiet")
    code, table, _ = custom(folder, "ratings.jsonl", *versus)
    assert code == 0 and "bootstrap" in table
    assert [each.name for each in written[0].measures] == ["bleu_1", "mine"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("all", "--data", "."), "--report is for one benchmark, not for all"),
        (("custom", "--judgements", "ratings.jsonl", "--time"), "leave out --time"),
        (
            ("custom", "--judgements", "ratings.jsonl", "--references", "1,2"),
            "leave out --references",
        ),
        (
            ("custom", "--judgements", "ratings.jsonl", "--samples", "s.jsonl"),
            "leave out --samples",
        ),
        (("custom", "--judgements", "ratings.jsonl", "--report", "r.txt"), "name the file .html"),
        (("custom", "--judgements", "ratings.jsonl", "--report", "no/r.html"), "no/r.html"),
        (("custom", "--judgements", "no.jsonl"), "no.jsonl"),
        (("custom", "--judgements", "ratings.jsonl", "--metrics", "blue_1"), "blue_1"),
    ],
)
def test_options_that_allow_no_report_give_a_one_line_error(
    folder: Path, arguments: tuple[str, ...], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(*_: Any, **__: Any) -> None:
        raise AssertionError("something was scored")

    monkeypatch.setattr("captious.meta.evaluation.score_judged", nothing)
    before = sorted(path.name for path in folder.iterdir())
    report = () if "--report" in arguments else REPORT
    done = captious("meta", *arguments, *report, "--quiet", cwd=folder)
    assert done.returncode == 2 and reason in done.stderr
    assert done.stderr.count("\n") == 1 and done.stdout == ""
    assert sorted(path.name for path in folder.iterdir()) == before


def test_robustness_has_no_report() -> None:
    done = captious("robustness", "--data", ".", *REPORT)
    assert done.returncode == 2 and "--report" in done.stderr


def test_a_page_does_not_take_the_place_of_what_is_read(folder: Path) -> None:
    (folder / "report.html").write_text((folder / "ratings.jsonl").read_text())
    before = (folder / "report.html").read_bytes()
    done = captious("meta", "custom", "--judgements", "report.html", *REPORT, cwd=folder)
    assert done.returncode == 2 and "would be overwritten by --report" in done.stderr
    assert (folder / "report.html").read_bytes() == before


def test_a_page_that_cannot_be_made_leaves_the_old_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "report.html").write_text("the old one")

    def fail(*_: Any, **__: Any) -> str:
        raise MemoryError

    monkeypatch.setattr("captious.report.browser.page.pack_contents", fail)
    code, table, errors = custom(folder, "ratings.jsonl", *METRICS)
    assert (code, table) == (2, "") and "memory" in errors
    assert (folder / "report.html").read_text() == "the old one"
    assert sorted(path.name for path in folder.iterdir()) == [
        "pairs.jsonl", "ratings.jsonl", "report.html", "scores.jsonl",
    ]  # fmt: skip
