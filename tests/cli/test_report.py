"""captious report: scores become a page."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from captious.report.browser.contents import Contents
from captious.report.browser.page import write_page
from captious.report.systems import report_data
from tests.cli.command import captious

WORDS = "dog cat horse man woman bus bench beach street".split()


def rows(system: str, count: int = 24) -> list[dict[str, object]]:
    return [
        {
            "id": f"sample {number}",
            "candidate": f"a {WORDS[(number + len(system)) % 9]} on a {WORDS[number % 4]}",
            "references": [f"a {WORDS[number % 9]} near a {WORDS[number % 5]}", "an animal"],
        }
        for number in range(count)
    ]


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two systems, scored; a few samples of one; and its scores without captions."""
    path = tmp_path_factory.mktemp("scored")
    (path / "ours.json").write_text(json.dumps(rows("ours")))
    (path / "theirs.json").write_text(json.dumps(rows("theirs")))
    (path / "few.json").write_text(json.dumps(rows("ours", 23)))
    for line in (
        "score ours.json --metrics bleu,cider_d --output ours.jsonl",
        "score theirs.json --metrics bleu,cider_d --output theirs.jsonl",
        "score few.json --metrics bleu,cider_d --output few.jsonl",
        "score ours.json --metrics bleu --output bare.csv --no-captions",
    ):
        assert captious(*line.split(), "--quiet", cwd=path).returncode == 0
    return path


@pytest.fixture
def folder(scored: Path, tmp_path: Path) -> Path:
    """A copy to write into."""
    return shutil.copytree(scored, tmp_path / "scored")


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Contents]:
    """The contents of pages that were written."""
    contents: list[Contents] = []

    def kept(path: str | Path, what: Contents) -> None:
        contents.append(what)
        write_page(path, what)

    monkeypatch.setattr(report_data, "write_page", kept)
    return contents


def test_two_systems_by_their_names(folder: Path, written: list[Contents]) -> None:
    process = captious(
        "report", "ours.jsonl", "b=theirs.jsonl", "--output", "page.html", cwd=folder
    )
    assert process.returncode == 0
    assert process.stdout.startswith("page.html: 24 samples of 2 systems, 0.")
    assert (folder / "page.html").read_text().lower().startswith("<!doctype html>")
    (contents,) = written
    assert [series.name for series in contents.series] == ["ours", "b"]
    assert contents.title == "ours and b"
    assert contents.made.commands[-1] == (
        "captious report ours.jsonl b=theirs.jsonl --output page.html"
    )
    assert contents.series[0].captions == [row["candidate"] for row in rows("ours")]
    assert contents.references == [row["references"] for row in rows("ours")]
    assert "scene graphs are shown where SPICE was scored" in process.stderr


def test_one_system_alone(folder: Path, written: list[Contents]) -> None:
    arguments = ("ours.jsonl", "--output", "page.html", "--title", "<b>Mine</b>", "--quiet")
    process = captious("report", *arguments, cwd=folder)
    assert process.returncode == 0
    assert process.stderr == ""
    assert "1 system, " in process.stdout
    assert written[0].title == "<b>Mine</b>"
    assert "<b>Mine" not in (folder / "page.html").read_text()


def test_scores_without_captions_are_shown_with_a_note(
    folder: Path, written: list[Contents]
) -> None:
    process = captious("report", "bare.csv", "--output", "page.html", cwd=folder)
    assert process.returncode == 0
    assert "no captions were kept with the scores of bare" in process.stderr
    assert written[0].series[0].captions is None
    assert written[0].references is None


def test_captions_from_the_files_that_were_scored(folder: Path, written: list[Contents]) -> None:
    shuffled = rows("ours")[::-1]
    (folder / "candidates.json").write_text(json.dumps(shuffled))
    given = ("--candidates", "bare=candidates.json", "--output", "page.html")
    process = captious("report", "bare.csv", *given, cwd=folder)
    assert process.returncode == 0
    assert written[0].series[0].captions == [row["candidate"] for row in rows("ours")]
    assert written[0].references == [row["references"] for row in rows("ours")]


def test_groups_of_the_users_own(folder: Path, written: list[Contents]) -> None:
    lines = (folder / "ours.jsonl").read_text().splitlines()
    marked = [
        json.dumps(json.loads(line) | {"domain": "in" if place < 12 else "out"})
        for place, line in enumerate(lines)
    ]
    (folder / "marked.jsonl").write_text("\n".join(marked))
    arguments = ("marked.jsonl", "--by", "domain", "--output", "page.html")
    assert captious("report", *arguments, cwd=folder).returncode == 0
    (contents,) = written
    assert contents.bucketings[0].title == "domain"
    assert [bucket.label for bucket in contents.bucketings[0].buckets] == ["in", "out"]
    assert contents.attributes[0].values == ["in"] * 12 + ["out"] * 12


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["ours.jsonl"], "--output"),
        (["ours.jsonl", "--output", "page.txt"], "name the file .html"),
        (["absent.jsonl", "--output", "page.html"], "absent.jsonl"),
        (["a=ours.jsonl", "a=few.jsonl", "--output", "page.html"], "two systems are called a"),
        (["ours.jsonl", "--output", "no/such/page.html"], "no/such"),
        (["ours.jsonl", "few.jsonl", "--output", "page.html"], "id 'sample 23'"),
        (["ours.jsonl", "--output", "page.html", "--by", "domain"], "domain"),
        (["ours.jsonl", "--output", "page.html", "--images", "nowhere"], "no such folder"),
        (["ours.jsonl", "--output", "page.html", "--link-images"], "no images to link"),
        (["ours.jsonl", "--output", "page.html", "--candidates", "x=ours.json"], "there are: ours"),
        (["bare.csv", "--output", "page.html", "--references", "ours.json"], "add --candidates"),
        (
            ["ours.jsonl", "--output", "page.html", "--candidates", "ours=few.json"],
            "few.json: id 'sample 23'",
        ),
    ],
)
def test_invalid_options_give_a_one_line_error(
    folder: Path, arguments: list[str], reason: str
) -> None:
    process = captious("report", *arguments, cwd=folder)
    assert process.returncode == 2
    assert reason in process.stderr
    assert len(process.stderr.strip().splitlines()) == 1
    assert process.stdout == ""
    assert not (folder / "page.html").exists()


@pytest.mark.parametrize("scores", ["page.html", "mine=page.html"])
def test_no_file_is_written_over_that_is_read(folder: Path, scores: str) -> None:
    content = (folder / "ours.jsonl").read_bytes()
    (folder / "page.html").write_bytes(content)
    process = captious("report", scores, "--output", "page.html", cwd=folder)
    assert process.returncode == 2
    assert "page.html: would be overwritten by --output" in process.stderr
    assert (folder / "page.html").read_bytes() == content


@pytest.mark.slow
def test_pictures_are_put_in_or_linked(folder: Path, written: list[Contents]) -> None:
    image = pytest.importorskip("PIL.Image")
    (folder / "photos").mkdir()
    for number in range(24):
        image.new("RGB", (40, 30), (number, 0, 0)).save(folder / "photos" / f"sample {number}.png")
    for more in ([], ["--link-images"], ["--image-budget", "0"]):
        arguments = ("ours.jsonl", "--images", "photos", "--output", "page.html", *more)
        assert captious("report", *arguments, cwd=folder).returncode == 0
    inlined, linked, none = (contents.images or [] for contents in written)
    assert all(address.startswith("data:image/") for address in inlined)
    assert linked[7] == "photos/sample%207.png"
    assert set(none) == {""}


@pytest.mark.slow
def test_scoring_writes_a_page_too(folder: Path, written: list[Contents]) -> None:
    arguments = ("ours.json", "theirs.json", "--metrics", "bleu,cider_d", "--report", "page.html")
    process = captious("score", *arguments, cwd=folder)
    assert process.returncode == 0
    assert "page.html: 24 samples of 2 systems" in process.stderr
    assert "page.html" not in process.stdout
    by_report = captious("report", "ours.jsonl", "theirs.jsonl", "--output", "b.html", cwd=folder)
    assert by_report.returncode == 0
    scored_at_once, scored_before = written
    assert scored_at_once.tables == scored_before.tables
    assert scored_at_once.bucketings == scored_before.bucketings
    assert scored_at_once.made.commands[-1].startswith("captious score ours.json")


@pytest.mark.parametrize(
    ("report", "reason"), [("ours.json", "name the file .html"), ("no/such/page.html", "no/such")]
)
def test_unwritable_report_is_an_error_before_scoring(
    folder: Path, report: str, reason: str
) -> None:
    content = (folder / "ours.json").read_bytes()
    arguments = ("theirs.json", "--metrics", "bleu", "--report", report, "--output", "s.csv")
    process = captious("score", *arguments, cwd=folder)
    assert process.returncode == 2
    assert reason in process.stderr
    assert not (folder / "s.csv").exists()
    assert (folder / "ours.json").read_bytes() == content


def test_unreadable_pictures_are_noted_and_left_out(folder: Path, written: list[Contents]) -> None:
    pytest.importorskip("PIL")
    from tests.made_up.toy_images import noise, png_that_says, saved

    (folder / "photos").mkdir()
    (folder / "photos" / "sample 0.png").write_bytes(saved(noise(seed=1), "PNG"))
    (folder / "photos" / "sample 1.png").write_bytes(png_that_says(12_000, 9_000))
    (folder / "photos" / "sample 2.png").write_bytes(b"nothing")
    arguments = ("ours.jsonl", "--images", "photos", "--output", "page.html", "--scenes", "no")
    process = captious("report", *arguments, cwd=folder)
    assert process.returncode == 0
    missing, bad = process.stderr.strip().splitlines()
    assert "21 images have no picture; the first: photos: no image 'sample 3'" in missing
    assert "2 pictures cannot be read; the first: photos/sample" in bad
    images = written[0].images or ()
    assert [bool(address) for address in images] == [True] + [False] * 23
