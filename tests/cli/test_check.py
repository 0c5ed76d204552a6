"""captious check, and what captious score says by itself, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import HASTY, REFERENCES, captious, score
from tests.diagnostics.check import test_check as made_up


@pytest.fixture
def chatty(tmp_path: Path) -> tuple[str, str]:
    """A large model's captions and their references, as COCO has them."""
    results = [
        {"image_id": row, "caption": f"**The image shows** {caption}"}
        for row, caption in enumerate(made_up.CANDIDATES)
    ]
    annotations = [
        {"image_id": row, "caption": caption}
        for row, captions in enumerate(made_up.REFERENCES)
        for caption in captions
    ]
    files = {"results.json": results, "captions.json": {"annotations": annotations}}
    for name, content in files.items():
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    return str(tmp_path / "results.json"), str(tmp_path / "captions.json")


def test_findings_are_printed(chatty: tuple[str, str]) -> None:
    candidates, references = chatty
    said = captious("check", candidates, "--references", references)
    assert said.returncode == 0 and said.stderr == ""
    assert "grave    openings: 120 of 120 candidates (100%)" in said.stdout
    assert "What to do: strip it before scoring" in said.stdout
    assert "e.g. 0: **The image shows** a dog is sitting on a bench" in said.stdout
    assert max(map(len, said.stdout.splitlines())) <= 120


def test_every_format(chatty: tuple[str, str]) -> None:
    candidates, references = chatty
    as_json = captious("check", candidates, "--references", references, "--format", "json")
    data = json.loads(as_json.stdout)
    assert [finding["finding"] for finding in data["findings"]] == ["openings", "markup"]
    for format in ("markdown", "latex"):
        said = captious("check", candidates, "--references", references, "--format", format)
        assert "openings" in said.stdout


def test_ids_that_meet_in_part(tmp_path: Path, chatty: tuple[str, str]) -> None:
    candidates, references = chatty
    rows = json.loads(Path(candidates).read_text(encoding="utf-8"))
    rows[0]["image_id"] = "COCO_val2014_000000000000.jpg"
    (tmp_path / "some.json").write_text(json.dumps(rows), encoding="utf-8")
    some = tmp_path / "some.json"
    assert captious("score", some, "--references", references).returncode == 2
    said = captious("check", some, "--references", references, "--format", "json")
    finding = json.loads(said.stdout)["findings"][0]
    assert (finding["finding"], finding["count"], finding["total"]) == ("ids", 1, 120)
    assert "by the last number in them" in finding["advice"]


def test_scoring_notes_the_gravest_finding(chatty: tuple[str, str]) -> None:
    candidates, references = chatty
    words = ("score", candidates, "--references", references, "--metrics", "bleu")
    said = captious(*words)
    assert said.returncode == 0
    assert said.stderr.startswith("captious: warning: 120 of 120 candidates (100%) begin with")
    assert said.stderr.count("\n") == 1 and "begin with" not in said.stdout
    assert captious(*words, "--quiet").stderr == ""


def test_another_language(tmp_path: Path) -> None:
    row = {"id": 1, "candidate": "一只狗在草地上跑", "references": ["一只棕色的狗在草地上"]}
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    blind = captious("score", path, "--metrics", "bleu")
    assert "do not seem to be English" in blind.stderr
    said = captious("score", path, "--language", "zh", "--df", "coco-val2014")
    assert said.returncode == 2
    said = captious("score", path, "--language", "zh")
    assert "captious: left out, English only: meteor, spice, captious" in said.stderr
    assert "tokenizer:zh|language:zh" in said.stdout
    named = captious("score", path, "--language", "zh", "--metrics", "meteor")
    assert named.returncode == 2 and "meteor: English only" in named.stderr
    assert named.stderr.count("\n") == 1
    assert captious("check", path, "--language", "zh").returncode == 0


def test_the_example_has_nothing_grave() -> None:
    said = captious("check", HASTY, "--references", REFERENCES, "--format", "json")
    assert not [f for f in json.loads(said.stdout)["findings"] if f["severity"] == "grave"]
    assert "warning" not in score("--metrics", "bleu").stderr


def test_several_candidates_an_id(tmp_path: Path) -> None:
    rows = [
        {"id": number % 3, "candidate": f"**{caption}**", "references": ["a dog", "a cat"]}
        for number, caption in enumerate(made_up.CANDIDATES[:30])
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert captious("check", path).returncode == 2
    said = captious("check", path, "--repeated", "--format", "json")
    data = json.loads(said.stdout)
    assert (data["facts"]["samples"], data["facts"]["images"]) == (30, 3)
    markup = next(finding for finding in data["findings"] if finding["finding"] == "markup")
    assert markup["count"] == 30 and [each["id"] for each in markup["examples"]] == ["0", "1", "2"]
    scored = captious("score", path, "--repeated", "--metrics", "bleu")
    assert scored.returncode == 0 and "have markup" in scored.stderr


def test_files_without_references(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": 1, "candidate": "a dog"}', encoding="utf-8")
    said = captious("check", path)
    assert said.returncode == 2 and "no references" in said.stderr
    assert said.stderr.count("\n") == 1
