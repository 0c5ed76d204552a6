"""captious report: scores become a page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from captious.report.browser.contents import Contents
from captious.report.browser.page import write_page
from captious.report.systems import writing
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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two systems, scored."""
    for system in ("ours", "theirs"):
        path = tmp_path / f"{system}.json"
        path.write_text(json.dumps(rows(system)))
        scored = ("--metrics", "bleu,cider_d", "--output", tmp_path / f"{system}.jsonl")
        assert captious("score", path, *scored, "--quiet").returncode == 0
    return tmp_path


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Contents]:
    """The contents of pages that were written."""
    contents: list[Contents] = []

    def kept(path: str | Path, what: Contents) -> None:
        contents.append(what)
        write_page(path, what)

    monkeypatch.setattr(writing, "write_page", kept)
    return contents


def test_two_systems_by_their_names(folder: Path, written: list[Contents]) -> None:
    said = captious("report", "ours.jsonl", "b=theirs.jsonl", "--output", "page.html", cwd=folder)
    assert said.returncode == 0
    assert said.stdout.startswith("page.html: 24 samples of 2 systems, 0.")
    assert (folder / "page.html").read_text().lower().startswith("<!doctype html>")
    (contents,) = written
    assert [series.name for series in contents.series] == ["ours", "b"]
    assert contents.title == "ours and b on 24 captions"
    assert contents.made.commands[-1] == (
        "captious report ours.jsonl b=theirs.jsonl --output page.html"
    )
    assert contents.series[0].captions == [row["candidate"] for row in rows("ours")]
    assert contents.references == [row["references"] for row in rows("ours")]
    assert "scene graphs are shown where SPICE was scored" in said.stderr


def test_one_system_alone(folder: Path, written: list[Contents]) -> None:
    arguments = ("ours.jsonl", "--output", "page.html", "--title", "<b>Mine</b>", "--quiet")
    said = captious("report", *arguments, cwd=folder)
    assert said.returncode == 0
    assert said.stderr == ""
    assert "1 system, " in said.stdout
    assert written[0].title == "<b>Mine</b>"
    assert "<b>Mine" not in (folder / "page.html").read_text()


def test_scores_without_captions_are_shown_and_said(folder: Path, written: list[Contents]) -> None:
    without = ("--metrics", "bleu", "--output", "bare.csv", "--no-captions", "--quiet")
    assert captious("score", "ours.json", *without, cwd=folder).returncode == 0
    said = captious("report", "bare.csv", "--output", "page.html", cwd=folder)
    assert said.returncode == 0
    assert "no captions were kept with the scores of bare" in said.stderr
    assert written[0].series[0].captions is None
    assert written[0].references is None


def test_captions_from_the_files_that_were_scored(folder: Path, written: list[Contents]) -> None:
    without = ("--metrics", "bleu", "--output", "bare.csv", "--no-captions", "--quiet")
    assert captious("score", "ours.json", *without, cwd=folder).returncode == 0
    shuffled = rows("ours")[::-1]
    (folder / "candidates.json").write_text(json.dumps(shuffled))
    given = ("--candidates", "bare=candidates.json", "--output", "page.html")
    said = captious("report", "bare.csv", *given, cwd=folder)
    assert said.returncode == 0
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
        (["ours.jsonl", "x/ours.jsonl", "--output", "page.html"], "two systems are called 'ours'"),
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
def test_what_is_wrong_is_said_in_one_line(folder: Path, arguments: list[str], reason: str) -> None:
    (folder / "few.json").write_text(json.dumps(rows("ours", 23)))
    for line in (
        "score few.json --metrics bleu,cider_d --output few.jsonl --quiet",
        "score ours.json --metrics bleu --output bare.csv --no-captions --quiet",
    ):
        assert captious(*line.split(), cwd=folder).returncode == 0
    said = captious("report", *arguments, cwd=folder)
    assert said.returncode == 2
    assert reason in said.stderr
    assert len(said.stderr.strip().splitlines()) == 1
    assert said.stdout == ""
    assert not (folder / "page.html").exists()


@pytest.mark.parametrize("scores", ["page.html", "mine=page.html"])
def test_no_file_is_written_over_that_is_read(folder: Path, scores: str) -> None:
    content = (folder / "ours.jsonl").read_bytes()
    (folder / "page.html").write_bytes(content)
    said = captious("report", scores, "--output", "page.html", cwd=folder)
    assert said.returncode == 2
    assert "page.html: would be overwritten by --output" in said.stderr
    assert (folder / "page.html").read_bytes() == content


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
