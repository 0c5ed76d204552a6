"""Files of judgements that were damaged or made up: one line that names the file, no traceback."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.meta.benchmarks import BENCHMARKS
from captious.meta.benchmarks.coco import image_number
from captious.meta.benchmarks.custom import MAX_RATERS, read_judgements

NESTED = "[" * 900 + "]" * 900
ODD = {
    "null": "null",
    "true": "true",
    "text": '"x"',
    "list": "[]",
    "object": "{}",
    "number": "7",
    "fraction": "0.5",
    "huge": "1" + "0" * 400,
    "too long": "9" * 5000,
    "nan": "NaN",
    "infinite": "Infinity",
    "nested": NESTED,
    "surrogate": '"\\ud800"',
}


def check_one_line(read: Callable[..., Any], *arguments: Path, **options: int) -> str:
    try:
        read(*arguments, **options)
    except InputError as error:
        assert "\n" not in str(error) and len(str(error)) < 1500
        return str(error)
    return ""


def replaced(value: Any) -> Iterator[Any]:
    """The same document with each of its values, in turn, replaced by a place to fill."""
    yield "PLACE"
    if isinstance(value, dict | list):
        parts = list(value.items() if isinstance(value, dict) else enumerate(value))
        for key, part in parts:
            for other in replaced(part):
                copy = value.copy()
                copy[key] = other
                yield copy


def documents(
    value: Any,
) -> Iterator[str]:
    for changed, odd in itertools.product(replaced(value), ODD.values()):
        yield json.dumps(changed).replace('"PLACE"', odd)


RATING = {"candidate": "a", "references": ["r"], "rating": [1, 2], "image": "i", "group": "g"}
PREFERENCE = {"candidates": ["a", "b"], "references": ["r"], "preferred": 1}


@pytest.mark.filterwarnings("ignore:.*as many votes on either side")
@pytest.mark.parametrize("row", [RATING, PREFERENCE], ids=["ratings", "preferences"])
def test_judgements_of_ones_own_with_odd_values(tmp_path: Path, row: dict[str, Any]) -> None:
    path = tmp_path / "mine.json"
    for text in documents([row, row]):
        path.write_text(text)
        check_one_line(read_judgements, path)


@pytest.mark.parametrize("rating", ["1" + "0" * 400, "[1e160]", "1e400", "NaN", "-1e151"])
def test_a_rating_is_a_number_that_can_be_reckoned_with(tmp_path: Path, rating: str) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps([RATING | {"rating": "PLACE"}]).replace('"PLACE"', rating))
    with pytest.raises(InputError, match="row 1: 'rating' must be a number, found"):
        read_judgements(path)


def test_one_caption_with_many_ratings_does_not_widen_all(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps([RATING, RATING | {"rating": [1] * (MAX_RATERS + 1)}]))
    with pytest.raises(InputError, match=r"row 2: 1,001 in 'rating'; at most 1,000"):
        read_judgements(path)


def test_pascal_50s_with_odd_values(tmp_path: Path) -> None:
    row = {"image": "i.jpg", "captions": ["a", "b"], "label": 0, "references": ["r"]}
    path = tmp_path / "pascal_50s.json"
    for text in documents({"HM": [row]}):
        path.write_text(text)
        check_one_line(BENCHMARKS["pascal-50s"].load, tmp_path)
    path.write_text(json.dumps({"HM": [row | {"captions": [None, "b"]}]}))
    with pytest.raises(InputError, match="text expected, found null"):
        BENCHMARKS["pascal-50s"].load(tmp_path)


@pytest.mark.slow
def test_the_challenge_of_2015_with_odd_values(tmp_path: Path) -> None:
    results = {f"q{place}": place for place in range(1, 6)}
    path = tmp_path / "cap_challenge2015.json"
    for text in documents([{"team": {"name": "NeuralTalk"}, "results": results}]):
        path.write_text(text)
        assert check_one_line(BENCHMARKS["coco-2015"].load, tmp_path)


def test_forced_choices_with_odd_values(tmp_path: Path) -> None:
    captions = {"annotations": [{"image_id": 7, "caption": "a dog"}]}
    (tmp_path / "captions_val2014.json").write_text(json.dumps(captions))
    entry = {"image_file": "COCO_val2014_000000000007.jpg", "caption": "a", "foil": "b"}
    path = tmp_path / "foil-it.json"
    for text in documents({"1": entry}):
        path.write_text(text)
        check_one_line(BENCHMARKS["foil"].load, tmp_path)


@pytest.mark.slow
def test_hallucinations_with_odd_values(tmp_path: Path) -> None:
    marked = {
        "caption": "a red dog",
        "grounding": [["a", False], ["red", True], ["dog", False]],
        "image_path": "COCO_val2014_000000000007.jpg",
        "references": ["a dog"],
    }
    corrected = {
        "caption": "a dog",
        "image_id": "7",
        "hall_caption": "a red dog",
        "human_corrected_hall_caption": "a dog",
    }
    for name, file, row in (
        ("hat", "hat_trainval.json", marked),
        ("discourse-foil", "discourse_foil.json", corrected),
    ):
        path = tmp_path / file
        for text in documents([row]):
            path.write_text(text)
            check_one_line(BENCHMARKS[name].load, tmp_path)


def test_numbers_of_images_in_names_of_any_length() -> None:
    assert image_number("COCO_val2014_000000165831.jpg", "f") == "165831"
    assert image_number("000.jpg", "f") == "0" and image_number("a7.b8.png", "f") == "8"
    assert image_number(f"{'0' * 10**6}12.jpg", "f") == "12"
    assert len(image_number(f"{'1' * 5000}.jpg", "f")) == 5000
    for name in ("", ".jpg", "a.jpg", "7", "7.", "7.j2g"):
        with pytest.raises(InputError, match="f: no number of a COCO image"):
            image_number(name, "f")


@pytest.mark.parametrize("number", ["nan", "inf", "1e999", "", "x", "9" * 5000])
def test_numbers_in_lines(tmp_path: Path, number: str) -> None:
    (tmp_path / "Flickr8k.token.txt").write_text("a.jpg#0\tA dog .\n")
    (tmp_path / "ExpertAnnotations.txt").write_text(f"a.jpg\ta.jpg#0\t1\t2\t{number}\n")
    (tmp_path / "CrowdFlowerAnnotations.txt").write_text(f"a.jpg\ta.jpg#0\t1\t{number}\t1\n")
    for name in ("flickr8k-expert", "flickr8k-cf"):
        said = check_one_line(BENCHMARKS[name].load, tmp_path)
        assert "line 1" in said


def test_crowd_without_answers_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "Flickr8k.token.txt").write_text("a.jpg#0\tA dog .\n")
    for counts in ("0\t0", "-1\t1", "3\t-2"):
        (tmp_path / "CrowdFlowerAnnotations.txt").write_text(f"a.jpg\ta.jpg#0\t0\t{counts}\n")
        with pytest.raises(InputError, match="nobody judged"):
            BENCHMARKS["flickr8k-cf"].load(tmp_path)


def struct(**fields: np.ndarray) -> np.ndarray:
    array = np.empty((1, 1), dtype=[(name, object) for name in fields])
    for name, value in fields.items():
        array[name][0, 0] = value
    return array


TEXT = np.array(["i.jpg"])
PAIR = struct(name=TEXT, sent1=TEXT, sent2=TEXT)
VOTES = struct(result=np.array([[1, 1]]))
ODD_VARIABLES = {
    "a number": np.array([[3.5]]),
    "text": np.array(["abc"]),
    "nothing": np.zeros((0, 0)),
    "another structure": struct(other=TEXT),
    "an empty structure": struct(name=np.zeros((0, 0)), sent1=TEXT, sent2=TEXT),
    "no votes": struct(result=np.array(["x"])),
    "a structure of structures": struct(name=PAIR, sent1=PAIR, sent2=PAIR, result=PAIR),
    "infinite": np.array([[np.inf, np.nan]]),
}


@pytest.mark.parametrize("variable", ["new_input", "category", "result", "train_sent_final"])
@pytest.mark.parametrize("odd", ODD_VARIABLES)
def test_matlab_files_of_other_layouts_are_refused(tmp_path: Path, variable: str, odd: str) -> None:
    savemat = pytest.importorskip("scipy.io").savemat
    sentences = np.empty((1, 1), dtype=object)
    sentences[0, 0] = np.array(["a dog"])
    variables = {
        "new_input": PAIR,
        "category": np.array([[1]]),
        "result": VOTES,
        "train_sent_final": struct(name=TEXT, sentences=sentences),
    }
    savemat(tmp_path / "sound.mat", variables)
    variables[variable] = ODD_VARIABLES[odd]
    for name in ("pair_pascal.mat", "pascal50S.mat"):
        savemat(tmp_path / name, variables)
    said = check_one_line(BENCHMARKS["pascal-50s"].load, tmp_path, votes=11)
    assert ".mat: " in said


@pytest.mark.slow
def test_matlab_files_with_a_byte_changed(tmp_path: Path) -> None:
    savemat = pytest.importorskip("scipy.io").savemat
    sentences = np.empty((1, 1), dtype=object)
    sentences[0, 0] = np.array(["a dog"])
    variables = {"new_input": PAIR, "category": np.array([[1]]), "result": VOTES}
    variables["train_sent_final"] = struct(name=TEXT, sentences=sentences)
    savemat(tmp_path / "sound.mat", variables)
    sound = (tmp_path / "sound.mat").read_bytes()
    (tmp_path / "pascal50S.mat").write_bytes(sound)
    rng = np.random.default_rng(2)
    for _ in range(300):
        damaged = bytearray(sound)
        damaged[rng.integers(len(sound))] = rng.integers(256)
        (tmp_path / "pair_pascal.mat").write_bytes(damaged)
        check_one_line(BENCHMARKS["pascal-50s"].load, tmp_path, votes=11)
