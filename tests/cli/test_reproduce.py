"""captious reproduce: the list, the errors, and exhibits from end to end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from captious.cli.main import make_parser
from captious.errors import InputError
from captious.io.cache import FOLDER_VARIABLE
from captious.papers.catalogue import EXHIBITS
from tests.made_up.experiment_data import written
from tests.places import ROOT


def run(*arguments: object) -> None:
    options = make_parser("reproduce").parse_args(["reproduce", *map(str, arguments)])
    options.run(options)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "cache"))
    folder = tmp_path / "data"
    folder.mkdir()
    return written(folder)


def test_without_a_paper_it_lists(capsys: pytest.CaptureFixture[str]) -> None:
    run("--format", "json")
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == sum(map(len, EXHIBITS.values()))
    assert {"paper", "source", "place", "title"} == set(rows[0])


def test_invalid_arguments_are_errors(data: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unknown paper 'spice'"):
        run("spice", "--data", data)
    with pytest.raises(InputError, match="no table 9"):
        run("nneval", "--data", data, "--table", 9)
    with pytest.raises(InputError, match="--data DIR"):
        run("nneval")
    with pytest.raises(InputError, match="no such folder"):
        run("nneval", "--data", tmp_path / "none")
    with pytest.raises(InputError, match="no captioners in it"):
        run("leic", "--data", data, "--captioners", tmp_path)
    (tmp_path / "in_folds").mkdir()
    (tmp_path / "in_folds" / "init_0.json").write_text("[]")  # captions that captioners wrote do
    with pytest.raises(InputError, match="no such file to take the rest of the page from"):
        given = ("--captioners", tmp_path, "--output", tmp_path / "pages")
        run("lceval", "--data", data, "--table", 10, *given)
    with pytest.raises(InputError, match="name a paper"):
        run("--captioners", tmp_path)
    with pytest.raises(InputError, match="no section 9; there are 5 tables and 3 figures, section"):
        run("yi2020", "--data", data, "--section", 9)
    with pytest.raises(InputError, match="no such file to take the rest of the page from"):
        run("nneval", "--data", data, "--table", 1, "--output", tmp_path / "pages")


def test_missing_pytorch_is_an_error_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError):  # an empty folder
        run("lceval", "--data", tmp_path, "--table", 2)
    assert "PyTorch is not installed" in capsys.readouterr().err


def reproduced(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    run(*arguments, "--format", "json")
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    return said


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
def test_chains_end_to_end(data: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    said = reproduced(capsys, "lceval", "--data", data, "--table", 6, "--quiet")
    assert said["paper"] == "lceval" and said["command"] == "captious reproduce lceval --data DIR"
    (exhibit,) = said["exhibits"]
    rows = exhibit["tables"][0]["rows"]
    assert [row["length"] for row in rows] == ["1", "2", "3", "4"]
    published = [row["chains as published"]["published"] for row in rows]
    assert published == [0.292, 0.297, 0.293, 0.291]
    low, high = rows[0]["as in the text"]["95% interval"]
    assert low - 1e-9 <= rows[0]["as in the text"]["ours"] <= high + 1e-9
    assert exhibit["settings"][0].startswith("composite, ")
    assert list((tmp_path / "cache" / "experiments").glob("scores-*.npz"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
def test_measuring_a_part_keeps_the_rest_of_the_page(data: Path, tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    page = json.loads((ROOT / "docs" / "papers" / "lceval.json").read_text())
    before = page["exhibits"]
    page["command"] = "captious reproduce lceval --data DIR"  # there are no captioners here
    (pages / "lceval.json").write_text(json.dumps(page))
    arguments = ("lceval", "--data", data, "--output", pages, "--quiet")
    run(*arguments, "--table", 6, "--table", 14)  # of which the second cannot be run here
    after = json.loads((pages / "lceval.json").read_text())["exhibits"]
    changed = [new["place"] for old, new in zip(before, after, strict=True) if old != new]
    assert changed == ["table 6"]
    assert "## Table 6" in (pages / "lceval.md").read_text()
    with pytest.raises(InputError, match=r"which is not `captious reproduce lceval .* --quick`"):
        run(*arguments, "--table", 6, "--quick")
    (pages / "lceval.json").write_text("{}")
    with pytest.raises(InputError, match=r"lceval\.json: not written by"):
        run(*arguments, "--table", 6)
    assert (pages / "lceval.json").read_text() == "{}"


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
def test_impossible_exhibits_show_published_numbers(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = reproduced(capsys, "lceval", "--data", data, "--table", 13)
    (exhibit,) = said["exhibits"]
    assert exhibit["verdict"] == "impossible" and "not distributed" in exhibit["because"]
    rows = {row["metric"]: row for row in exhibit["tables"][0]["rows"]}
    assert rows["LCEval"]["M1"] == 0.86


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
def test_missing_data_do_not_stop_other_exhibits(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = reproduced(capsys, "lceval", "--data", data, "--table", 6, "--table", 14)
    assert [exhibit["verdict"] for exhibit in said["exhibits"]][1] == "not run"
    assert "wmt16" in said["exhibits"][1]["notes"][0].lower()
    with pytest.raises(InputError):  # where nothing is left, it is an error
        run("lceval", "--data", data, "--table", 14)
    with pytest.raises(InputError):  # whatever stands beside it unmeasured
        run("lceval", "--data", data, "--table", 13, "--table", 14, "--figure", 1)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
def test_networks_end_to_end_and_again(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch")
    arguments = ("lceval", "--data", data, "--quick", "--figure", 7, "--figure", 8, "--table", 5)
    run(*arguments, "--format", "json")
    captured = capsys.readouterr()
    said = json.loads(captured.out)
    assert "training lceval_semantic against" in captured.err
    table, curve, points = said["exhibits"]
    assert len(points["tables"][0]["rows"]) == 8
    assert len(curve["panels"][0]["curves"]["tau_b in validation"]) == 5  # epochs
    assert table["tables"][0]["rows"][0]["alone: Kendall"]["published"] == 0.418
    assert {exhibit["verdict"] for exhibit in said["exhibits"]} == {"quick run, not judged"}
    run(*arguments, "--format", "json")
    again = capsys.readouterr()
    assert json.loads(again.out) == said
    assert "training lceval" not in again.err  # networks were kept
