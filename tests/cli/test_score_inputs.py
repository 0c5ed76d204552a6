"""captious score on files as people have them: standard input, repeated ids, no references."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.io.formats import write_columns
from tests.cli.command import captious

ROWS = '{"id": 1, "candidate": "a dog", "references": ["a dog runs", "the dog"]}\n'
TABLE = "id;prediction;ref1;ref2\n1;a dog;a dog runs;the dog\n"
LINES = "a dog\n"
CHEAP = ("--metrics", "bleu_1,rouge_l", "--no-cache", "--format", "json")


def piped(data: bytes | None, *arguments: str, cwd: Path | None = None) -> Any:
    """The command with these bytes piped in; with none, standard input is closed."""
    command = [sys.executable, "-m", "captious", "score", *arguments, *CHEAP]
    if data is None:
        command = ["sh", "-c", 'exec "$@" <&-', "sh", *command]
    return subprocess.run(command, input=data, capture_output=True, check=False, cwd=cwd)


@pytest.mark.slow
def test_standard_input_shows_its_format(tmp_path: Path) -> None:
    (tmp_path / "r.txt").write_text("a dog runs\n")
    (tmp_path / "s.txt").write_text("the dog\n")
    wanted = json.loads(piped(ROWS.encode(), "-").stdout)["corpus"]
    for data, arguments in (
        (TABLE.encode(), ("-",)),
        (b"\xef\xbb\xbf" + TABLE.replace("\n", "\r\n").encode(), ("-",)),
        (f"[{ROWS}]".encode(), ("-",)),
        (gzip.compress(ROWS.encode(), mtime=0), ("-",)),
        (LINES.encode(), ("-", "--references", "r.txt", "s.txt")),
        (ROWS.encode(), ("-", "--input-format", "jsonl")),
    ):
        done = piped(data, *arguments, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["corpus"] == wanted


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "arguments", "message"),
    [
        (b"", ("-",), "standard input: no samples"),
        (None, ("-",), "standard input: "),
        (b"\x1f\x8bno", ("-",), "standard input: not a valid gzip file|cut off"),
        (b'{"id": 1,', ("-",), "standard input: line 1, column 10: malformed JSON"),
        (b"\xff\xfe", ("-",), "standard input: line 1: not UTF-8"),
        (b"x", ("-", "--references", "-"), "standard input can be read only once"),
        (b"x", ("-", "--input-format", "xml"), "invalid choice"),
        (ROWS.encode(), ("-", "--input-format", "csv"), "standard input: "),
        (ROWS.encode(), ("-", "--columns", "id=nowhere"), "no column 'nowhere' for id"),
        (ROWS.encode(), ("-", "--split", "test"), "no column 'split'; leave --split out"),
    ],
)
def test_standard_input_that_cannot_be_used_is_one_line(
    data: bytes | None, arguments: tuple[str, ...], message: str
) -> None:
    done = piped(data, *arguments)
    errors = done.stderr.decode()
    assert done.returncode == 2 and done.stdout == b"" and errors.count("\n") == 1, errors
    assert any(part in errors for part in message.split("|"))


@pytest.mark.slow
def test_a_process_that_waits_for_standard_input_is_interrupted() -> None:
    command = [sys.executable, "-m", "captious", "score", "-"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None
        process.stdin.write(ROWS.encode()[:20])
        process.stdin.flush()
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert (process.returncode, output) == (130, b"") and b"Traceback" not in errors


def test_each_guess_is_one_warning_per_file_unless_quiet(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text(TABLE)
    done = captious("score", "c.csv", *CHEAP, cwd=tmp_path)
    guessed = "c.csv: id from 'id', candidate from 'prediction', references from 'ref1' to"
    assert done.stderr.startswith(f"captious: warning: {guessed}") and done.stderr.count("\n") == 1
    assert captious("score", "c.csv", *CHEAP, "--quiet", cwd=tmp_path).stderr == ""
    (tmp_path / "d.csv").write_text("id,prediction,hypothesis,ref\n1,a,b,c\n")
    refused = captious("score", "d.csv", *CHEAP, cwd=tmp_path)
    assert "candidate could be 'prediction' or 'hypothesis'" in refused.stderr
    named = "--columns", "candidate=hypothesis"
    assert captious("score", "d.csv", *CHEAP, *named, cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("command", ["score", "check"])
def test_candidates_after_references_are_an_error(command: str, tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text(ROWS)
    refused = captious(command, "--references", "r.jsonl", "c.jsonl", cwd=tmp_path)
    assert refused.returncode == 2 and refused.stdout == ""
    assert refused.stderr == (
        "captious: error: no candidates: --references takes every file after it; put the "
        f"candidates first: captious {command} CANDIDATES --references FILE...\n"
    )
    nothing = captious(command, "--quiet", cwd=tmp_path)
    assert nothing.returncode == 2 and nothing.stderr.count("\n") == 1
    assert "no candidates: name a file, or - for standard input" in nothing.stderr
    # Another option between them ends the references.
    taken = captious(command, "--references", "r.jsonl", "--quiet", "r.jsonl", cwd=tmp_path)
    assert taken.returncode == 0


def test_names_as_papers_write_them_are_noted(tmp_path: Path) -> None:
    (tmp_path / "c.jsonl").write_text(ROWS)
    arguments = ("--metrics", "CIDEr,Bleu_4", "--df", "coco-val2014", "--format", "json")
    done = captious("score", "c.jsonl", *arguments, cwd=tmp_path)
    assert list(json.loads(done.stdout)["corpus"]) == ["cider_d", "bleu_4"]
    assert done.stderr.startswith("captious: CIDEr is read as cider_d, the number that papers")
    assert done.stderr.count("\n") == 1


def repeated(path: Path, times: int) -> Path:
    """Twenty images' candidates, each so many times."""
    numbers = [number for number in range(20) for _ in range(times)]
    columns: dict[str, list[Any]] = {
        "id": [f"image {number}" for number in numbers],
        "candidate": [f"a dog number {'one two three'.split()[n % 3]}" for n in numbers],
        "references": [["a dog number two", f"a cat of {number}"] for number in numbers],
    }
    write_columns(path, columns)
    return path


def test_intervals_draw_images_and_not_candidates(tmp_path: Path) -> None:
    arguments = ("--metrics", "rouge_l,bleu_2", "--no-cache", "--format", "json")
    once, thrice = repeated(tmp_path / "once.json", 1), repeated(tmp_path / "thrice.json", 3)
    assert "occurs twice" in captious("score", thrice, *arguments).stderr
    one = json.loads(captious("score", once, *arguments).stdout)
    three = json.loads(captious("score", thrice, *arguments, "--repeated").stdout)
    assert (one["n"], three["n"]) == (20, 60)
    assert "|images:20|references:40|samples:60" in three["signature"]
    # Each image's candidates are drawn together, so that three of the same are as one.
    for name in one["corpus"]:
        assert three["corpus"][name] == pytest.approx(one["corpus"][name], abs=1e-9)
        assert three["interval"][name] == pytest.approx(one["interval"][name], abs=1e-9)


def test_repeated_candidates_are_compared_image_by_image(tmp_path: Path) -> None:
    arguments = ("--metrics", "rouge_l", "--no-cache", "--repeated", "--quiet")
    for times in (1, 2):
        path = repeated(tmp_path / f"{times}.json", times)
        done = captious("score", path, *arguments, "--output", tmp_path / f"{times}.csv")
        assert done.returncode == 0
    twice = tmp_path / "2.csv"
    both = captious("compare", f"a={twice}", f"b={twice}", "--format", "json")
    assert (
        json.loads(both.stdout)["n"] == 20 and json.loads(both.stdout)["rows"][0]["difference"] == 0
    )
    other = captious("compare", tmp_path / "1.csv", tmp_path / "2.csv")
    assert other.returncode == 2
    assert "id 'image 0': 1 sample of 1 and 2 of 2" in other.stderr


def test_candidates_alone_for_what_needs_no_references(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "candidate": "a dog runs on the beach"},
        {"id": "b", "candidate": "dog a a a a"},
    ]
    (tmp_path / "c.json").write_text(json.dumps(rows))
    done = captious("score", "c.json", "--metrics", "form", "--format", "json", cwd=tmp_path)
    assert 0 < json.loads(done.stdout)["corpus"]["form"] <= 1, done.stderr
    assert "|references:0|" in json.loads(done.stdout)["signature"]
    for metrics in ("form,bleu_1", "bleu_1"):
        refused = captious("score", "c.json", "--metrics", metrics, cwd=tmp_path)
        assert refused.returncode == 2 and "no column 'references'" in refused.stderr
    # Some rows without references: as all without them.
    (tmp_path / "d.json").write_text(json.dumps([{**rows[0], "references": ["x"]}, rows[1]]))
    some = captious("score", "d.json", "--metrics", "form", "--format", "json", cwd=tmp_path)
    assert json.loads(some.stdout)["corpus"] == json.loads(done.stdout)["corpus"]
    refused = captious("score", "d.json", "--metrics", "bleu_1", cwd=tmp_path)
    assert "d.json: row 2: id 'b': no references" in refused.stderr


def test_images_without_references(tmp_path: Path) -> None:
    from captious.metrics.learned.captious_image import WORDS, ImageModel
    from captious.resources import LEARNED

    width = len(ImageModel.load(LEARNED / "captious_image.npz").places[WORDS].usual_image)
    vectors = np.random.default_rng(0).standard_normal((2, width)).astype(np.float32)
    np.savez(tmp_path / "seen.npz", files=np.array(["a", "b"]), features=vectors)
    rows = [{"id": "a", "candidate": "a dog"}, {"id": "b", "candidate": "a cat"}]
    (tmp_path / "c.json").write_text(json.dumps(rows))
    with_references = [{**row, "references": ["two men"]} for row in rows]
    (tmp_path / "d.json").write_text(json.dumps(with_references))
    arguments = ("--images", "seen.npz", "--no-cache", "--format", "json")
    alone = ("--metrics", "captious_image_alone", *arguments)
    corpora = [
        json.loads(captious("score", name, *alone, "--output", "o.json", cwd=tmp_path).stdout)
        for name in ("c.json", "d.json")
    ]
    assert corpora[0]["corpus"] == corpora[1]["corpus"]
    assert corpora[0]["interval"] == corpora[1]["interval"]
    both = captious("score", "c.json", "--metrics", "captious_image", *arguments, cwd=tmp_path)
    assert both.returncode == 2 and "no column 'references'" in both.stderr


@pytest.mark.slow
def test_an_output_beside_standard_input_is_whole(tmp_path: Path) -> None:
    arguments = ("-", "--output", "o.csv")
    done = piped(ROWS.encode(), *arguments, cwd=tmp_path)
    assert done.returncode == 0 and (tmp_path / "o.csv").read_text().startswith("id,candidate,")
    assert [path.name for path in tmp_path.iterdir()] == ["o.csv"]
