"""Unsupported words beside those that people marked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from captious.cli.main import main
from captious.errors import InputError
from captious.meta.benchmarks.hallucinations import half_of
from captious.meta.marked_words import EVERYWHERE, WITHIN, evaluate_words

REFERENCES = ["a brown dog runs on the beach", "a dog is running near the water"]


def row(image: int, *words: tuple[str, bool]) -> dict[str, Any]:
    return {
        "caption": " ".join(word for word, _ in words),
        "grounding": [list(word) for word in words],
        "image_path": f"COCO_val2014_{image:012}.jpg",
        "references": REFERENCES,
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    a_dog = (("a", False), ("dog", False))
    rows = [
        # `and` is marked, but is no word that anybody finds; a full stop is no part of a word.
        row(1, *a_dog, ("and", True), ("a", True), ("giraffe.", True)),
        row(2, *a_dog, ("with", False), ("a", False), ("giraffe", False)),
        row(3, *a_dog, ("running", True)),
        row(4, *a_dog, ("running", False)),
    ]
    (tmp_path / "hat_trainval.json").write_text(json.dumps(rows))
    return tmp_path


def test_precision_recall_and_f1(data: Path) -> None:
    within, everywhere = evaluate_words(data, resamples=0).rows
    assert (within["captions"], everywhere["captions"]) == (WITHIN, EVERYWHERE)
    # giraffe is found twice, once rightly; running is marked once, and references say it.
    assert (within["n"], within["precision"], within["recall"]) == (2, 1, 1 / 2)
    assert (everywhere["n"], everywhere["precision"], everywhere["recall"]) == (4, 1 / 2, 1 / 2)
    assert within["f1"] == pytest.approx(2 / 3) and everywhere["f1"] == pytest.approx(1 / 2)
    assert within["found"] == everywhere["found"] == 1 / 2


def test_halves_are_parts(data: Path) -> None:
    sizes = {}
    for part in ("choose", "report"):
        sizes[part] = evaluate_words(data, part=part, resamples=0).captions[EVERYWHERE]
        assert sizes[part] == [half_of(str(image)) for image in (1, 2, 3, 4)].count(part)
    assert sum(sizes.values()) == 4
    with pytest.raises(InputError, match="hat: no part 'half'; choose one of: choose, report"):
        evaluate_words(data, part="half")


def test_the_command(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["meta", "hat", "--data", str(data), "--words", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["n"] for each in found["rows"]] == [2, 4]
    low, high = found["rows"][1]["interval"]["precision"]
    assert low <= found["rows"][1]["precision"] <= high
    assert main(["meta", "foil", "--data", str(data), "--words"]) == 2
    assert "--words is for hat" in capsys.readouterr().err
    for option in (["--metrics", "spice"], ["--plot", "p.svg"], ["--raters", "mean"], ["--joined"]):
        assert main(["meta", "hat", "--data", str(data), "--words", *option]) == 2
        assert f"leave out {option[0]}" in capsys.readouterr().err


def test_one_part_of_a_benchmark(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["meta", "hat", "--data", str(data), "--metrics", "bleu_1", "--resamples", "0"]
    counts = []
    for part in ("choose", "report"):
        assert main([*line, "--part", part, "--format", "json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["protocol"]["parts"] == [part]
        counts.append(found["rows"][0]["n"])
    assert sum(counts) == 4 and min(counts) > 0
    assert main([*line, "--part", "third"]) == 2
    assert "no part 'third'; the parts are: choose, report" in capsys.readouterr().err
