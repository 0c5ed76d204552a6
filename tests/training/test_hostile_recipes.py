"""Invalid TOML recipes: each is an error of one line that names the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from captious._internal.checks.bounds import COUNT, check_number
from captious.errors import CaptiousError, InputError
from captious.metrics.learned.feature_files import read_feature_set, read_toml
from captious.training.learned_metrics.job import features_and_recipe

VALUES = {
    "deep": "[" * 100_000 + "]" * 100_000,
    "nested": "[" * 150 + "]" * 150,
    "too long": "9" * 5000,
    "huge": "1" + "0" * 400,
    "hexadecimal": "0x" + "f" * 10_000,
    "infinite": "inf",
    "nan": "nan",
    "true": "true",
    "text": '"x"',
    "list": "[[1], {a = 1}]",
    "table": "{a = {b = 1}}",
    "date": "1979-05-27T07:32:00Z",
    "negative": "-1",
}
TOML = """
name = {name}
scaling = {scaling}
pool = {pool}
feature = [{{column = {column}, shift = {shift}, divisor = {divisor}, options = {options}}}]
[training]
hidden = {hidden}
learning_rate = {learning_rate}
seed = {seed}
batch = {batch}
"""
SOUND = {
    "name": '"mine"',
    "scaling": '"fixed"',
    "pool": '"max"',
    "column": '"bleu_1"',
    "shift": "0",
    "divisor": "1",
    "options": "{}",
    "hidden": "[3]",
    "learning_rate": "0.1",
    "seed": "1",
    "batch": "10",
}


@pytest.mark.parametrize("name", SOUND)
@pytest.mark.parametrize("value", VALUES)
def test_values_of_every_kind(tmp_path: Path, name: str, value: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(TOML.format(**SOUND | {name: VALUES[value]}))
    for read in (read_feature_set, lambda path: features_and_recipe(str(path))):
        try:
            read(path)
        except CaptiousError as error:
            assert "mine.toml" in str(error) and "\n" not in str(error)
            assert len(str(error)) < 1000


@pytest.mark.parametrize("option", ["[1]", "{a = 1}", "[[[]]]"])
def test_options_that_no_metric_can_have(tmp_path: Path, option: str) -> None:
    path = tmp_path / "mine.toml"
    text = f'feature = [{{column = "cider_d", options = {{sigma = {option}}}}}]'
    path.write_text(text)
    with pytest.raises(InputError, match=r"mine\.toml: "):
        read_feature_set(path)


@pytest.mark.parametrize("content", [b"\xff\xfea\x00", b"a = \x00", b"\xef\xbb\xbfa = 1", b"a = '"])
def test_bytes_of_every_kind(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    if content.endswith(b"1"):
        assert read_toml(path) == {"a": 1}
        return
    with pytest.raises(InputError, match=r"mine\.toml: "):
        read_toml(path)


def test_huge_number_is_shortened_in_the_error() -> None:
    with pytest.raises(InputError, match=r"batch: a whole number .*, not <some 5001 digits>"):
        check_number("batch", 10**5000, COUNT)
