"""captious score --stream on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from captious._internal import threads
from captious.cli.main import main
from captious.io.file_metadata import metadata_values
from captious.io.formats import read_table
from tests.streaming.rows import captions_of, write_rows

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "rows.jsonl", captions_of(40))


def score(*arguments: object) -> int:
    return main(["score", *map(str, arguments), "--stream", "--jobs", "1", "--resamples", "20"])


@pytest.mark.slow
def test_a_folder_of_parts(rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    how = ("--metrics", "rouge_l,bleu", "--chunk", 15, "--format", "json")
    assert score(rows, *how, "--output", tmp_path / "out") == 0
    streamed = json.loads(capsys.readouterr().out)
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == [
        "manifest.json",
        *(f"part-00000{number}.jsonl" for number in range(3)),
        "sums.npz",
    ]
    assert main(["score", str(rows), "--repeated", *map(str, how[:2]), "--format", "json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert streamed["corpus"] == whole["corpus"] and streamed["n"] == whole["n"] == 40
    assert "bootstrap:poisson,20,seed=0" in streamed["signature"]


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["jsonl", "csv.gz", "tsv", "parquet"])
def test_one_file(rows: Path, tmp_path: Path, ending: str) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    output = tmp_path / f"scores.{ending}"
    assert score(rows, "--metrics", "rouge_l", "--chunk", 15, "--output", output) == 0
    table = read_table(output)
    assert len(table) == 40 and "rouge_l" in table.columns and "source" in table.columns
    (signature,) = metadata_values(table, "signature")
    assert "bootstrap:poisson,20" in signature and "|rouge_l(" in signature
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([output.name, rows.name])


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--by", "source"], "--by is for captions that are read whole"),
        (["--interval", "bca"], "intervals of streams are percentiles"),
        (["--address", "auto"], "--address is for --engine ray"),
        (["--metrics", "nothing"], "nothing"),
        (["--output", "there/deep/er.csv"], "choose a folder"),
        (["--columns", "candidate=none"], "no column 'none'"),
    ],
)
def test_invalid_arguments_give_a_one_line_error(
    rows: Path, more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert score(rows, "--metrics", "rouge_l", *more) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and said in error


@pytest.mark.parametrize("given", ["folder", "folder/*.jsonl"])
def test_no_file_of_a_folder_or_pattern_is_written_over(
    tmp_path: Path, given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    rows = write_rows(tmp_path / "folder" / "rows.jsonl", captions_of(5))
    before = rows.read_bytes()
    assert score(tmp_path / given, "--metrics", "rouge_l", "--output", rows) == 2
    assert "would be overwritten" in capsys.readouterr().err
    assert rows.read_bytes() == before and sorted(rows.parent.iterdir()) == [rows]


@pytest.mark.slow
def test_what_was_written_can_be_compared_though_it_has_texts_of_the_users(
    rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.jsonl", "b.csv"):
        assert score(rows, "--metrics", "rouge_l,bleu", "--output", tmp_path / name) == 0
    files = [str(tmp_path / name) for name in ("a.jsonl", "b.csv")]
    assert main(["compare", *files, "--resamples", "20"]) == 0
    said = capsys.readouterr()
    assert "bleu_4" in said.out
    assert "source" not in said.out


@pytest.mark.slow
def test_a_signature_of_the_users_own_is_not_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    columns = {**captions_of(5), "signature": ["mine"] * 5}
    rows = write_rows(tmp_path / "rows.jsonl", columns)
    assert score(rows, "--metrics", "rouge_l", "--output", tmp_path / "out.csv") == 2
    assert "a column 'signature' is there already" in capsys.readouterr().err
    assert score(rows, "--metrics", "rouge_l", "--output", tmp_path / "out") == 0


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_rows_of_other_columns_become_one_file_or_none(
    tmp_path: Path, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    extras: list[dict[str, list[Any]]] = [{}, {"extra": [1.5] * 5}, {"extra": [1] * 5}]
    for number, more in enumerate(extras):
        write_rows(tmp_path / f"{number}.jsonl", {**captions_of(5, number), **more})
    files = [tmp_path / f"{number}.jsonl" for number in range(3)]
    output = tmp_path / f"out.{ending}"
    code = score(*files, "--metrics", "rouge_l", "--output", output)
    if ending == "csv":
        assert code == 2 and not output.exists()
        assert "cannot be one table; write .jsonl, or a folder" in capsys.readouterr().err
    else:
        assert code == 0
        extra = read_table(output).columns["extra"]
        assert len(extra) == 15 and [float(each) for each in extra[5:]] == [1.5] * 5 + [1] * 5


@pytest.mark.slow
def test_missing_values_are_empty_cells(tmp_path: Path) -> None:
    columns = captions_of(3)
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    del rows[1]["source"]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    how = ("--metrics", "rouge_l", "--output", tmp_path / "out.csv")
    assert score(tmp_path / "rows.jsonl", *how) == 0
    assert read_table(tmp_path / "out.csv").columns["source"][1] == ""


@pytest.mark.parametrize("more", [("--chunk", 5), ("--engine", "ray")])
def test_stream_options_are_rejected_without_stream(
    rows: Path, more: tuple[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    how = ["score", str(rows), "--repeated", "--metrics", "rouge_l"]
    assert main([*how, *map(str, more)]) == 2
    assert f"{more[0]} is for streams; add --stream" in capsys.readouterr().err


@pytest.mark.slow
def test_jobs_in_memory_are_threads_and_change_no_bit(
    rows: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[int] = []

    def side_by_side(tasks: list[Any]) -> list[Any]:
        used.append(len(tasks))
        return threads.run_in_parallel(tasks)

    monkeypatch.setattr(
        "captious._internal.threads.os.sched_getaffinity", lambda _: range(3), raising=False
    )
    monkeypatch.setattr("captious.scorer.MIN_SAMPLES_FOR_THREADS", 1)
    monkeypatch.setattr("captious.text.meteor.alignment.MIN_PAIRS_PER_THREAD", 1)
    monkeypatch.setattr("captious.text.meteor.alignment.run_in_parallel", side_by_side)
    written = []
    for jobs in (1, 2, 3, 50):
        used.clear()
        output = tmp_path / f"{jobs}.jsonl"
        how = ["--repeated", "--metrics", "meteor,bleu,captious", "--no-cache"]
        assert main(["score", str(rows), *how, "--jobs", str(jobs), "--output", str(output)]) == 0
        assert max(used) == min(jobs, 3)
        written.append(output.read_bytes())
    assert len(set(written)) == 1
