"""ABSTRACT-50S: what can be worked out of what people said, and votes of one's own."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from captious.errors import InputError
from captious.io.captions import read_references
from captious.meta.benchmarks.abstract_50s import (
    ABSTRACT_50S,
    FIRST_CAPTIONS,
    REFERENCES,
    SECOND_CAPTIONS,
    SceneWords,
)
from captious.meta.evaluation import evaluate
from captious.meta.judgements import Preferences
from captious.meta.presets import preset
from captious.meta.task import Task


def load(folder: Path) -> Preferences:
    scenes = ABSTRACT_50S.load(folder)
    assert isinstance(scenes, Preferences)
    return scenes


def write_scenes(folder: Path, pairs: dict[str, list[tuple[str, str]]]) -> None:
    """Two pairs of captions of each scene, and captions of scenes with a dog and with a cat."""
    for place, name in enumerate((FIRST_CAPTIONS, SECOND_CAPTIONS)):
        rows = [
            {"image_id": image, "caption": both[number][place]}
            for number in (0, 1)
            for image, both in pairs.items()
        ]
        (folder / name).write_text(json.dumps(rows))
    animals = {"1.png": "dog", "2.png": "cat", "3.png": "cat"}
    rows = [
        {"image_id": image, "caption": f"the {animal} sits on chair {number}"}
        for image, animal in animals.items()
        for number in range(48)
    ]
    (folder / REFERENCES).write_text(json.dumps(rows))


SCENES = {
    # The shared caption stands first in one pair: that is HI, whatever its other caption says.
    "1.png": [("a dog sits", "the dog"), ("the dog", "a dog")],
    # Second in both: the other caption that has less of the scene makes a pair HI.
    "2.png": [("the dog runs", "a cat"), ("the cat", "a cat")],
    "3.png": [("the cat", "it sits"), ("a dog", "it sits")],
}


def test_abstract_50s_infers_half_of_the_preferences(tmp_path: Path) -> None:
    write_scenes(tmp_path, SCENES)
    scenes = load(tmp_path)
    assert scenes.pairs == [
        ("the dog", "a dog"),
        ("the dog runs", "a cat"),
        ("a dog", "it sits"),
    ]
    assert scenes.preferred.tolist() == [0, 1, 1]
    assert scenes.groups == ["HI"] * 3 and scenes.images == list(SCENES)
    assert [len(captions) for captions in scenes.references] == [48] * 3
    found = evaluate(scenes, ["bleu_1"], resamples=0)
    assert "accuracy HI" in str(found) and "mean" not in str(found).splitlines()[3]
    task = Task("abstract-50s", preset("lceval", "abstract-50s"), scenes)
    known = evaluate(task, ["bleu_1"], resamples=0).published("bleu_1")
    assert known is not None and (known.group, known.value) == ("HI", 0.885)


def test_abstract_50s_with_votes_of_ones_own(tmp_path: Path) -> None:
    write_scenes(tmp_path, SCENES)
    vote = {"image_id": "2.png", "candidates": ["the cat", "a cat"], "preferred": 1, "group": "HC"}
    (tmp_path / "abstract_votes.jsonl").write_text(json.dumps(vote))
    both = load(tmp_path)
    assert both.groups == ["HC", *["HI"] * 3] and both.preferred.tolist() == [1, 0, 1, 1]
    assert both.pairs[0] == ("the cat", "a cat") and len(both.references[0]) == 48
    # What people said of HI counts in place of what is worked out.
    voted = [vote, vote | {"group": "HI", "preferred": 0}]
    (tmp_path / "abstract_votes.jsonl").write_text("\n".join(map(json.dumps, voted)))
    assert load(tmp_path).groups == ["HC", "HI"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"group": "HM"}, "line 1: 'group' cannot be 'HM'.*HC, HI"),
        ({"image_id": "9.png"}, r"line 1: abstract48S.json has no scene '9.png'"),
        ({"preferred": 2}, "'preferred' must be 0"),
        ({"candidates": ["a"]}, "a list of 2 texts"),
    ],
)
def test_votes_that_cannot_be_read(tmp_path: Path, wrong: dict[str, Any], said: str) -> None:
    write_scenes(tmp_path, SCENES)
    vote = {"image_id": "2.png", "candidates": ["the cat", "a cat"], "preferred": 1, "group": "HC"}
    (tmp_path / "abstract_votes.jsonl").write_text(json.dumps(vote | wrong))
    with pytest.raises(InputError, match=said):
        load(tmp_path)


@pytest.mark.parametrize(
    "both",
    [
        [("a", "b"), ("c", "d")],
        [("a", "b"), ("a", "b")],
        [("a", "a"), ("a", "b")],
    ],
)
def test_pairs_without_a_shared_caption_are_refused(
    tmp_path: Path, both: list[tuple[str, str]]
) -> None:
    write_scenes(tmp_path, {"2.png": both})
    with pytest.raises(InputError, match=r"scene '2.png' has no two pairs"):
        load(tmp_path)


@pytest.mark.slow
def test_abstract_50s_says_alike_which_pair_is_incorrect(shared: Path) -> None:
    folder = shared / "data" / "pascal50s"
    scenes = load(folder)
    assert Counter(scenes.groups) == {"HI": 200} and {len(r) for r in scenes.references} == {48}
    captions = [read_references(folder / name) for name in (FIRST_CAPTIONS, SECOND_CAPTIONS)]
    references = read_references(folder / REFERENCES)
    words, same = SceneWords.of(references), []
    firsts = zip(scenes.images, scenes.pairs, scenes.preferred, strict=True)
    for image, pair, preferred in firsts:
        both = list(zip(*(several[str(image)] for several in captions), strict=True))
        right = pair[preferred]
        places = [each.index(right) for each in both]
        assert pair in both and places != [0, 0]
        if places != [1, 1]:
            assert preferred == 0
            less = min(
                both,
                key=lambda each: words.distinctiveness(each[1 - each.index(right)], str(image)),
            )
            same.append(less == pair)
    assert (sum(same), len(same)) == (101, 106)
