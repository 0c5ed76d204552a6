"""Captions in another language whose language was not named."""

from __future__ import annotations

import json
from pathlib import Path

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
