"""captious filter on the command line: what it writes, says and refuses."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from captious.streaming.folder_lock import lock_folder
from tests.cli.command import HASTY, REFERENCES, captious
from tests.places import EXAMPLES
from tests.streaming.here import no_processes

CAREFUL = str(EXAMPLES / "careful.jsonl")


@pytest.fixture
def here() -> Iterator[None]:
    with no_processes():
        yield


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    some = [
        {"id": n % 4, "candidate": f"a {'very ' * n}big dog", "references": ["a dog"], "n": n}
        for n in range(12)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in some))
    return path


@pytest.mark.slow
def test_two_processes_and_references_of_another_file(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    where = ("--where", "captious > .5 and words < 40", "--output", kept)
    done = captious("filter", HASTY, CAREFUL, "--references", REFERENCES, *where, "--jobs", 2,
                    "--chunk", 8, "--format", "json")  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    counts = json.loads(done.stdout)
    written = [json.loads(line) for line in kept.read_text().splitlines()]
    assert counts["read"] == 60
    assert counts["kept"] == len(written) > 25
    assert all(row["captious"] > 0.5 for row in written)
    assert counts["conditions"][0] == {"condition": "words < 40", "failed": 0, "missing": 0}


@pytest.mark.usefixtures("here")
def test_standard_output(rows: Path) -> None:
    line = ("--where", "n >= 10", "--output", "-", "--no-scores")
    done = captious("filter", rows, *line)
    assert done.stdout == "".join(rows.read_text().splitlines(keepends=True)[10:])
    assert "kept: 2" in done.stderr
    assert captious("filter", rows, *line, "--quiet").stderr == ""


@pytest.mark.usefixtures("here")
def test_the_best_of_each_image_by_the_usual_score(rows: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    done = captious("filter", rows, "--per-image", 1, "--output", kept)
    assert "not among the best of its image" in done.stdout
    written = [json.loads(line) for line in kept.read_text().splitlines()]
    assert [row["n"] for row in written] == [0, 1, 2, 3]
    assert set(written[0]) == {"id", "candidate", "references", "n", "captious"}


@pytest.mark.usefixtures("here")
def test_candidates_without_references(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    done = captious("filter", HASTY, "--where", "form > .5 and english", "--output", kept)
    assert done.returncode == 0
    assert json.loads(kept.read_text().split("\n")[0])["form"] > 0.5
    done = captious("filter", HASTY, "--where", "captious > .5", "--output", kept)
    assert done.returncode == 2
    assert "no column 'references'" in done.stderr


@pytest.mark.usefixtures("here")
def test_a_folder_of_parts(rows: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    line = ("--dedup", "text", "--chunk", 5, "--output", folder)
    for _ in range(2):
        assert captious("filter", rows, *line, "--where", "n > 3").returncode == 0
        names = sorted(path.name for path in folder.iterdir())
        assert names == ["manifest.json", "part-000000.jsonl", "part-000001.jsonl",
                         "part-000002.jsonl"]  # fmt: skip
    done = captious("filter", rows, *line, "--where", "n > 4")
    assert done.returncode == 2
    assert "was begun with where" in done.stderr


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "nothing says which rows to keep"),
        (["--where", "n >"], "'n >': character 4: expected a number"),
        (["--where", "nn > 1"], "'nn' is no column of the input, no fact and no metric"),
        (["--where", "candidate > 1"], "line 1: column 'candidate': a number is needed here"),
        (["--where", "n > 1", "--by", "n"], "--by: needs --top or --per-image"),
        (["--top", "3", "--by", "n > 1"], "character 1: expected a number, found true or false"),
        (["--top", "0"], "--top: a whole number from 1 up to"),
        (["--sample", "0"], "--sample: a share such as .1, or a number of rows, not '0'"),
        (["--sample", "1.5"], "--sample: a share"),
        (["--sample", "nan"], "--sample: a share"),
        (["--sample", "٣"], "--sample: a share"),
        (["--dedup", "txt"], "--dedup: text, or a cosine from 0.8 up to 1, not 'txt'"),
        (["--dedup", ".1"], "--dedup: text, or a cosine"),
        (["--sample", ".5", "--dedup-within", "image"], "--dedup-within: needs --dedup"),
        (["--where", "n > 1", "--df", "coco-val2014"], "no score is named"),
        (["--where", "n > 1", "--metrics", "bleu_9"], "bleu_9"),
        (["--where", "n > 1", "--output", "{folder}/kept.csv"], "name it .jsonl, or name a folder"),
        (["--where", "n > 1", "--output", "{folder}"], "holds other files"),
        (["--where", "n > 1", "--output", "{rows}"], "would be overwritten"),
        (["--where", "n > 1", "--output", "{folder}/none/k.jsonl"], "cannot be written"),
    ],
)
def test_what_is_refused(options: list[str], said: str, rows: Path, tmp_path: Path) -> None:
    given = [each.format(folder=tmp_path, rows=rows) for each in options]
    before = rows.read_bytes()
    output = [] if "--output" in given else ["--output", tmp_path / "kept.jsonl"]
    done = captious("filter", rows, *given, *output)
    assert done.returncode == 2, done.stdout
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]
    assert rows.read_bytes() == before


@pytest.mark.usefixtures("here")
def test_inputs_that_do_not_go_together(rows: Path, tmp_path: Path) -> None:
    other = tmp_path / "a.csv"
    other.write_text("id,candidate,n\n1,a dog,2\n")
    done = captious("filter", rows, other, "--sample", 1, "--output", tmp_path / "k.jsonl")
    assert "files of several formats (csv, jsonl)" in done.stderr
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    done = captious("filter", empty, "--sample", 1, "--output", tmp_path / "k.jsonl")
    assert (done.returncode, "no rows to filter" in done.stderr) == (2, True)
    done = captious("filter", f"{tmp_path}/*.jsonl", "--where", "n = 3", "--output", rows)
    assert "would be overwritten" in done.stderr


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("how", [("--where", "x > 0"), ("--top", 1, "--by", "x")])
def test_files_of_other_columns_do_not_become_one(how: tuple[object, ...], tmp_path: Path) -> None:
    for name, text in (("a", "id,candidate,x\n1,b,2\n"), ("b", "candidate,id,x\nb,1,2\n")):
        (tmp_path / f"{name}.csv").write_text(text)
    line = ("filter", tmp_path / "a.csv", tmp_path / "b.csv", *how, "--output")
    done = captious(*line, tmp_path / "k.csv")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "b.csv: has other columns" in done.stderr and "a.csv; files" in done.stderr
    assert not (tmp_path / "k.csv").exists()
    assert captious(*line, tmp_path / "parts").returncode == 0


@pytest.mark.usefixtures("here")
def test_a_folder_that_another_process_works_in(rows: Path, tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    for output, folder in (("out", "out"), ("out.jsonl", "out.jsonl.parts")):
        with lock_folder(tmp_path / folder):
            done = captious("filter", rows, "--sample", 1, "--output", tmp_path / output)
        assert done.returncode == 2 and done.stderr.count("\n") == 1
        assert f"{folder}: another process writes there" in done.stderr
        assert not (tmp_path / output).exists()


@pytest.mark.usefixtures("here")
def test_a_pipe_gets_rows_and_has_no_folder_beside_it(rows: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as reader:
        read = reader.submit(pipe.read_text)
        line = ("--where", "n = 3", "--no-scores", "--output", pipe)
        assert captious("filter", rows, *line).returncode == 0
        assert read.result(10) == rows.read_text().splitlines(keepends=True)[3]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pipe.jsonl", "rows.jsonl"]
