"""Captions in another language whose language was not named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import captious

GERMAN = (
    ("ein brauner Hund läuft über die grüne Wiese", "der Hund rennt schnell über eine Wiese"),
    ("zwei Kinder spielen im großen Garten", "Kinder spielen zusammen draußen im Garten"),
    ("eine Frau fährt mit dem Fahrrad", "die Frau sitzt auf ihrem roten Fahrrad"),
)
METRICS = ("--metrics", "bleu_1,meteor,captious")


def write(folder: Path, *pairs: tuple[str, str]) -> Path:
    path = folder / "captions.jsonl"
    rows = [
        json.dumps({"id": number, "candidate": candidate, "references": [reference]})
        for number, (candidate, reference) in enumerate(pairs)
    ]
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def test_german_captions_are_not_scored_by_english_metrics(tmp_path: Path) -> None:
    path = write(tmp_path, *GERMAN)
    done = captious("score", path, *METRICS)
    assert done.returncode == 0
    assert "bleu_1" in done.stdout
    assert "meteor" not in done.stdout and "captious(" not in done.stdout
    assert "left out, English only: meteor, captious" in done.stderr
    assert "--language en" in done.stderr


def test_german_captions_are_scored_by_all_metrics_if_english_is_named(tmp_path: Path) -> None:
    done = captious("score", write(tmp_path, *GERMAN), *METRICS, "--language", "en")
    assert done.returncode == 0 and "meteor" in done.stdout and "captious" in done.stdout


def test_english_only_metrics_of_german_captions_are_an_error(tmp_path: Path) -> None:
    done = captious("score", write(tmp_path, *GERMAN), "--metrics", "meteor")
    assert done.returncode != 0
    assert "no metric is left" in done.stderr and "--language en" in done.stderr


def test_captions_that_are_not_english_beside_english_references_are_scored(
    tmp_path: Path,
) -> None:
    pairs = [(german, "a brown dog runs over a green field") for german, _ in GERMAN]
    done = captious("score", write(tmp_path, *pairs), *METRICS)
    assert done.returncode == 0 and "meteor" in done.stdout


def test_german_streams_are_not_scored_by_english_metrics(tmp_path: Path) -> None:
    path = write(tmp_path, *GERMAN)
    whole = captious("score", path, *METRICS, "--format", "json")
    done = captious("score", path, *METRICS, "--stream", "--format", "json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["corpus"] == json.loads(whole.stdout)["corpus"]
    assert "left out, English only: meteor, captious" in done.stderr
    assert "the first rows do not seem to be English" in done.stderr
    assert "--language en" in done.stderr


@pytest.mark.slow
def test_german_streams_decide_by_their_first_chunk(tmp_path: Path) -> None:
    english = [("a dog runs over a green field", "a brown dog runs on the grass")] * 3
    for pairs, is_left_out in (([*GERMAN, *english], True), ([*english, *GERMAN], False)):
        path = write(tmp_path, *pairs)
        done = captious("score", path, *METRICS, "--stream", "--chunk", "3")
        assert done.returncode == 0
        assert ("left out, English only" in done.stderr) == is_left_out
        assert ("meteor" in done.stdout) != is_left_out


def test_german_streams_with_references_of_their_own_and_english_named(tmp_path: Path) -> None:
    path = write(tmp_path, *GERMAN)
    references = tmp_path / "references.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    references.write_text(
        "\n".join(json.dumps({"id": row["id"], "references": row["references"]}) for row in rows)
    )
    alone = tmp_path / "alone.jsonl"
    alone.write_text(
        "\n".join(json.dumps({"id": row["id"], "candidate": row["candidate"]}) for row in rows)
    )
    command = ("score", alone, "--references", references, "--stream", *METRICS)
    done = captious(*command)
    assert done.returncode == 0 and "left out, English only: meteor, captious" in done.stderr
    done = captious(*command, "--language", "en")
    assert done.returncode == 0 and "meteor" in done.stdout and "left out" not in done.stderr


def test_german_streams_and_english_metrics_alone_are_an_error(tmp_path: Path) -> None:
    done = captious("score", write(tmp_path, *GERMAN), "--metrics", "meteor", "--stream")
    assert done.returncode != 0
    assert "no metric is left" in done.stderr and "--language en" in done.stderr


@pytest.mark.slow
def test_filter_warns_of_german_captions_in_one_line(tmp_path: Path) -> None:
    path, kept = write(tmp_path, *GERMAN), tmp_path / "kept.jsonl"
    command = ("filter", path, "--where", "captious < 2", "--output", kept)
    done = captious(*command)
    assert done.returncode == 0 and len(kept.read_text().splitlines()) == 3
    [line] = [line for line in done.stderr.splitlines() if "do not seem to be English" in line]
    assert "captious" in line and "--language" in line
    for quiet in (
        captious(*command, "--language", "en"),
        captious("filter", path, "--where", "bleu_1 < 2", "--output", kept),
    ):
        assert quiet.returncode == 0 and "seem to be English" not in quiet.stderr
