"""CHAIR: mentions of objects, and which are hallucinated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import captious
from captious.cli.main import main
from captious.errors import InputError
from captious.metrics.chair import SHIPPED, Chair, ObjectVocabulary
from captious.text.tokenizer.tokenizer import tokenize

# As cocodataset.org lists them.
CLASSES = """person, bicycle, car, motorcycle, airplane, bus, train, truck, boat, traffic light,
fire hydrant, stop sign, parking meter, bench, bird, cat, dog, horse, sheep, cow, elephant, bear,
zebra,
giraffe, backpack, umbrella, handbag, tie, suitcase, frisbee, skis, snowboard, sports ball, kite,
baseball bat, baseball glove, skateboard, surfboard, tennis racket, bottle, wine glass, cup, fork,
knife, spoon, bowl, banana, apple, sandwich, orange, broccoli, carrot, hot dog, pizza, donut, cake,
chair, couch, potted plant, bed, dining table, toilet, tv, laptop, mouse, remote, keyboard, cell
phone, microwave, oven, toaster, sink, refrigerator, book, clock, vase, scissors, teddy bear, hair
drier, toothbrush"""


def mentions(caption: str) -> list[str]:
    return list(ObjectVocabulary.load().mentions(tokenize(caption)))


def test_the_80_classes_of_coco() -> None:
    classes = set(ObjectVocabulary.load().class_of.values()) - {None}
    assert classes == {" ".join(name.split()) for name in CLASSES.split(",")} and len(classes) == 80


@pytest.mark.parametrize(
    ("caption", "classes"),
    [
        ("A man rides a horse.", ["person", "horse"]),
        ("two women and three children", ["person", "person"]),
        ("a hot dog", ["hot dog"]),
        ("hot dogs and dogs", ["hot dog", "dog"]),
        ("a dog and a dog", ["dog", "dog"]),  # every mention counts
        ("a teddy bear beside a bear", ["teddy bear", "bear"]),
        ("knives, mice, geese, buses, benches", ["knife", "mouse", "bird", "bus", "bench"]),
        ("train tracks at a train station", []),
        ("a train on train tracks", ["train"]),
        ("people skiing and training", ["person"]),
        ("a man in an orange shirt", ["person"]),
        ("a bowl of oranges", ["bowl", "orange"]),
        ("a glass of wine", ["wine glass"]),
        ("the sky", []),
        ("", []),
    ],
)
def test_mentions(caption: str, classes: list[str]) -> None:
    assert mentions(caption) == classes


def test_scores_are_shares_of_mentions_and_of_captions() -> None:
    candidates = ["a man, a dog and a cat", "a dog", "the sky", "a cat on a cat"]
    references = [["a person with a puppy"], ["a dog"], ["a cat"], ["a dog"]]
    result = captious.score(candidates, references, "chair")
    assert result.samples["chair_i"].tolist() == pytest.approx([1 / 3, 0, 0, 1])
    assert result.samples["chair_s"].tolist() == [1, 0, 0, 1]
    assert result.corpus["chair_i"] == pytest.approx(3 / 6)  # of all mentions, not a mean
    assert result.corpus["chair_s"] == 2 / 4


def write_file(path: Path, value: Any) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


INSTANCES = {
    "images": [{"id": 7}, {"id": 8}, {"id": 9}],
    "categories": [{"id": 1, "name": "person"}, {"id": 18, "name": "dog"}],
    "annotations": [
        {"image_id": 7, "category_id": 1},
        {"image_id": 7, "category_id": 1},
        {"image_id": 8, "category_id": 18},
    ],
}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("o.json", {"7": ["person"], "8": ["dog", "rainbow"], "9": []}),
        ("o.json", [{"id": 7, "objects": ["man"]}, {"id": 8, "objects": ["dogs"]},
                    {"id": 9, "objects": []}]),
        ("o.csv", 'id,objects\n7,"[""person""]"\n8,"[""dog""]"\n9,[]\n'),
        ("instances.json", INSTANCES),
    ],
)  # fmt: skip
def test_objects_from_a_file(tmp_path: Path, name: str, content: Any) -> None:
    path = write_file(tmp_path / name, content)
    candidates = {7: "a man and a cat", 8: "a dog and a man", 9: "a dog"}
    references = {7: ["a cat"], 8: ["the lawn"], 9: ["a bird"]}
    both = captious.score(candidates, references, Chair(path))
    assert both.samples["chair_i"].tolist() == [0, 1 / 2, 1]
    alone = captious.score(candidates, references, Chair(path, truth="file"))
    assert alone.samples["chair_i"].tolist() == [1 / 2, 1 / 2, 1]
    assert f"objects={name}@" in both.signature


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    import os

    path = write_file(tmp_path / "o.json", {"x": ["dog"]})
    captions = ({"x": "a dog"}, {"x": ["the lawn"]})
    assert captious.score(*captions, Chair(path)).corpus["chair_s"] == 0
    write_file(path, {"x": ["cat"]})
    os.utime(path, ns=(1, 1))
    assert captious.score(*captions, Chair(path)).corpus["chair_s"] == 1


def test_own_vocabulary(tmp_path: Path) -> None:
    path = write_file(
        tmp_path / "mine.txt", "# instruments\nviolin, fiddle\n\ngrand piano, piano\n"
    )
    result = captious.score(
        ["a fiddle, pianos and a dog"], [["a man plays the violin"]], Chair(vocabulary=path)
    )
    assert result.corpus["chair_i"] == 1 / 2
    assert "vocabulary=mine.txt@" in result.signature


@pytest.mark.parametrize(
    ("vocabulary", "message"),
    [
        ("", "no classes of objects"),
        ("# only a remark\n", "no classes of objects"),
        ("-: hot dog\n", "no classes of objects"),
        ("-, hot dog\n", "line 1: '-' is no name"),
        ("dog\n-: dog\n", "line 2: 'dog' names two classes, 'dog' and '-'"),
        ("orange:\n", "line 1: '' is no name"),
        ("dog, puppy\ncat, puppy\n", "line 2: 'puppy' names two classes, 'dog' and 'cat'"),
        (", puppy\n", "line 1: no class before the first comma"),
        ("dog, ,cat\n", "line 1: '' is no name"),
        (f"dog, {'very ' * 20}big dog\n", "line 1: .* has 22 words"),
    ],
)
def test_invalid_vocabulary_is_an_error(tmp_path: Path, vocabulary: str, message: str) -> None:
    path = write_file(tmp_path / "mine.txt", vocabulary)
    with pytest.raises(InputError, match=message):
        Chair(vocabulary=path)


@pytest.mark.parametrize(
    ("objects", "message"),
    [
        ({"7": "dog"}, "image '7': objects are a list of names"),
        ({"7": [1]}, "image '7': objects are a list of names"),
        ({"7": ["rainbow"]}, "no object in it has a name of the vocabulary"),
        ([{"id": 7}], "no column 'objects'"),
        ([{"id": None, "objects": []}], "an image is a text or a number"),
        ([{"id": 7, "objects": ["dog"]}, {"id": "7", "objects": []}], "image '7' occurs twice"),
        ({"annotations": []}, "expected a list of objects in 'categories'"),
        ({**INSTANCES, "categories": []}, "category 1 is not among the categories"),
        ({**INSTANCES, "annotations": [7]}, "expected a list of objects in 'annotations'"),
        ("{", "o.json"),
    ],
)
def test_invalid_objects_are_errors(tmp_path: Path, objects: Any, message: str) -> None:
    path = write_file(tmp_path / "o.json", objects)
    with pytest.raises(InputError, match=message):
        Chair(path)


def test_images_missing_from_the_file_are_errors(tmp_path: Path) -> None:
    path = write_file(tmp_path / "o.json", {"7": ["dog"]})
    with pytest.raises(InputError, match=r"o\.json: no image '8'; give its objects"):
        captious.score({8: "a dog"}, {8: ["a dog"]}, Chair(path))
    with pytest.raises(InputError, match="knows images by their ids, and these have none"):
        captious.score(["a dog"], [["a dog"]], Chair(path))
    with pytest.raises(InputError, match="truth=file needs a file of objects"):
        Chair(truth="file")


def test_the_command_with_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_file(tmp_path / "c.json", [{"image_id": 7, "caption": "a dog and a cat"}])
    write_file(tmp_path / "r.json", {"annotations": [{"image_id": 7, "caption": "an animal"}]})
    write_file(
        tmp_path / "o.json", INSTANCES | {"annotations": [{"image_id": 7, "category_id": 18}]}
    )
    files = [str(tmp_path / "c.json"), "--references", str(tmp_path / "r.json")]
    metrics = f'chair(objects="{tmp_path / "o.json"}")'
    assert main(["score", *files, "--metrics", metrics, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["corpus"] == {"chair_i": 0.5, "chair_s": 1.0}
    assert main(["score", *files, "--metrics", "chair(objects=nowhere.json)"]) == 2
    assert "nowhere.json" in capsys.readouterr().err


def test_a_class_whose_own_name_captions_use_otherwise(tmp_path: Path) -> None:
    path = write_file(tmp_path / "o.json", {"x": ["orange"]})
    captions = ["an orange bird", "three oranges"]
    results = [captious.score({"x": each}, {"x": [""]}, Chair(path)) for each in captions]
    assert [result.corpus["chair_i"] for result in results] == [1, 0]


def test_shipped_vocabulary_is_read_like_any_file() -> None:
    assert ObjectVocabulary.load(SHIPPED).fingerprint == ObjectVocabulary.load().fingerprint
