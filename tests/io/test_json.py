"""JSON is JSON, whatever numbers come."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

import captious
from captious.io.formats import write_columns
from captious.io.json import json_text

UNDEFINED = {"a": [math.nan, {"b": (math.inf, 1.5)}], "c": -math.inf, "d": "NaN", "e": True}


@pytest.mark.parametrize("indent", [None, 2])
def test_undefined_numbers_are_null(indent: int | None) -> None:
    read = json.loads(json_text(UNDEFINED, indent), parse_constant=pytest.fail)
    assert read == {"a": [None, {"b": [None, 1.5]}], "c": None, "d": "NaN", "e": True}


def test_json_is_ascii_without_control_characters() -> None:
    text = json_text("犬\x1b\u202e\ud800")
    assert text.isascii() and text.isprintable() and json.loads(text) == "犬\x1b\u202e\ud800"


@pytest.mark.parametrize("name", ["x.json", "x.jsonl"])
def test_undefined_numbers_are_null_in_files(tmp_path: Path, name: str) -> None:
    write_columns(tmp_path / name, {"id": [1, 2], "value": [math.nan, 0.5]})
    assert "NaN" not in (tmp_path / name).read_text()
    assert "null" in (tmp_path / name).read_text()


def test_custom_metric_without_a_number_is_null() -> None:
    def undefined(candidate: str, references: Sequence[str]) -> float:
        return math.nan

    try:
        result = captious.score(["a"], [["b"]], [undefined])
    except captious.CaptiousError:
        return  # refused, which is as good
    json.loads(result.to_json(), parse_constant=pytest.fail)
