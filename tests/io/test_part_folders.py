"""Folders of parts are read as files are, if they are finished and as they were written."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from captious.cli.main import main
from captious.comparison.score_files import read_scores
from captious.errors import InputError
from captious.io.formats import write_columns
from captious.io.part_folders import MANIFEST, UNFINISHED, read_rows
from captious.streaming.process_engine import ProcessEngine
from captious.streaming.score_stream import score_stream
from captious.streaming.scoring import Scoring
from captious.streaming.sources import resolve_sources
from tests.streaming.here import no_processes
from tests.streaming.rows import captions_of

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
COUNT = 25


def write_scored_parts(
    folder: Path, ending: str = "jsonl", names: dict[str, str] | None = None
) -> Path:
    """A folder of three parts with scores."""
    columns = captions_of(COUNT)
    columns = {(names or {}).get(name, name): values for name, values in columns.items()}
    rows = folder.with_suffix(f".{ending}")
    write_columns(rows, columns)
    with no_processes():
        score_stream(
            resolve_sources([str(rows)]),
            Scoring("bleu,rouge_l", columns=names or {}),
            resamples=10,
            seed=0,
            engine=ProcessEngine(1),
            rows=10,
            output=folder,
            ending=ending,
        )
    return folder


@pytest.mark.parametrize("ending", ["jsonl", "csv", "tsv", "parquet", "csv.gz"])
def test_a_folder_is_read_as_the_file_of_its_rows_would_be(tmp_path: Path, ending: str) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    folder = write_scored_parts(tmp_path / "out", ending)
    result = read_scores(folder)
    manifest = json.loads((folder / MANIFEST).read_text())
    assert result.corpus == pytest.approx(manifest["corpus"], abs=1e-12)
    assert result.signature == manifest["signature"] and result.n == COUNT
    assert list(result.columns) == list(manifest["corpus"])  # numbers of the user's own are none
    columns = captions_of(COUNT)
    assert list(result.ids) == columns["id"] and result.captions is not None
    assert list(result.captions.candidates) == columns["candidate"]
    assert result.captions.reference_sets() == columns["references"]


def test_columns_of_the_users_own_names(tmp_path: Path) -> None:
    folder = write_scored_parts(tmp_path / "out", names={"id": "photo", "candidate": "said"})
    result = read_scores(folder, by=["source"])
    assert list(result.ids) == captions_of(COUNT)["id"]
    assert list(result.groups["source"]) == captions_of(COUNT)["source"]


@pytest.mark.slow
def test_commands_take_folders_beside_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_scored_parts(tmp_path / "ours")
    read_scores(folder).save(tmp_path / "theirs.csv")
    both = [str(folder), str(tmp_path / "theirs.csv")]
    assert main(["compare", *both, "--resamples", "20", "--by", "source", "--format", "json"]) == 2
    assert "source" in capsys.readouterr().err  # the file has no such groups
    assert main(["compare", *both, "--resamples", "20", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["systems"] == ["ours", "theirs"]
    page = tmp_path / "page.html"
    assert main(["report", *both, "--resamples", "20", "--output", str(page)]) == 0
    assert page.exists()
    assert main(["score", str(folder), "--metrics", "form", "--repeated"]) == 0
    assert len(read_rows(folder)) == COUNT


def damage_parts(folder: Path, how: str) -> None:
    manifest = json.loads((folder / MANIFEST).read_text())
    changes: dict[str, Any] = {
        "list": [],
        "parts": {**manifest, "parts": {"a": 1}},
        "outside": {**manifest, "parts": [{"file": "../secret", "sha256": ""}]},
        "nothing": {**manifest, "parts": []},
    }
    (folder / MANIFEST).write_text(json.dumps(changes[how]))


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("list", "not a manifest of parts"),
        ("parts", "not a manifest of parts"),
        ("outside", "not a manifest of parts"),
        ("nothing", "no samples"),
    ],
)
def test_invalid_manifest_is_refused(tmp_path: Path, how: str, said: str) -> None:
    folder = write_scored_parts(tmp_path / "out")
    damage_parts(folder, how)
    with pytest.raises(InputError, match=said):
        read_scores(folder)


def test_parts_that_changed_and_folders_that_are_not_finished_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_scored_parts(tmp_path / "out")
    shutil.copytree(folder, tmp_path / "begun")
    (tmp_path / "begun" / MANIFEST).unlink()
    (tmp_path / "begun" / UNFINISHED).mkdir()
    for command in (["compare", str(folder)], ["filter", "--where", "true", "--output", "-"]):
        assert main([*command, str(tmp_path / "begun")]) == 2
        said = capsys.readouterr().err
        assert said.count("\n") == 1 and "begun: not finished; run the command" in said
    part = folder / "part-000001.jsonl"
    part.write_text(part.read_text().replace("0.", "1."))
    with pytest.raises(InputError, match=r"part-000001\.jsonl: not as .* says"):
        read_scores(folder)
    part.unlink()
    with pytest.raises(InputError, match=r"part-000001\.jsonl: not as"):
        read_scores(folder)
