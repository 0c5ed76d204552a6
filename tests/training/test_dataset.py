"""The training set: balance, references, overlap, negatives, seeds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.meta.judgements import Preferences, Ratings
from captious.training.learned_metrics.dataset import build_training_set
from captious.training.learned_metrics.overlap import (
    BENCHMARKS,
    Overlap,
    image_key,
    read_benchmarks,
    text_key,
)
from tests.made_up.captions_to_learn import machine, people

BY_MACHINES = {"machine": 1.0}


def rated(candidate: str, references: list[str], image: int) -> Ratings:
    return Ratings([candidate], [references], [image], np.ones((1, 1)), ["all"])


def test_people_and_machines_are_balanced_image_by_image() -> None:
    human = people(20)
    machines = {"dull": machine(20), "duller": {f"i{n}": "a thing" for n in range(10)}}
    built = build_training_set(human, machines, BY_MACHINES, per_image=3, references=4)
    for image in human:
        rows = [row for row, name in enumerate(built.images) if name == image]
        sources = Counter(built.sources[row] for row in rows)
        expected = 2 if int(image[1:]) < 10 else 1
        assert sources["human"] == expected == len(rows) - sources["human"]
    assert built.counts["human"] == 30 == int(built.is_human.sum())
    assert built.counts["dull"] == 20 and built.counts["duller"] == 10
    assert built.counts["images used"] == 20


def test_candidates_have_equal_numbers_of_references_without_themselves() -> None:
    human = people(20)
    echo = {image: captions[0].upper() + "!" for image, captions in human.items()}
    built = build_training_set(human, {"echo": echo}, BY_MACHINES, per_image=2, references=4)
    for image, candidate, beside in zip(
        built.images, built.candidates, built.references, strict=True
    ):
        assert len(beside) == 4 == len(set(beside))
        assert set(beside) <= set(human[str(image)])
        assert text_key(candidate) not in map(text_key, beside)


def test_candidates_without_enough_other_captions_are_left_out() -> None:
    human = {"a": ["same words", "Same words.", "x y", "z"], "b": ["one", "two", "three", "four"]}
    built = build_training_set(
        human, {"m": {"a": "dog", "b": "dog"}}, BY_MACHINES, per_image=4, references=3, seed=1
    )
    assert "same words" not in built.candidates and "Same words." not in built.candidates
    few = build_training_set(human, {"m": {"b": "dog"}}, BY_MACHINES, references=3)
    assert few.counts["images without a machine's caption"] == 1
    with pytest.raises(InputError, match="2 images with too few captions"):
        build_training_set(human, {"m": {"a": "dog"}}, BY_MACHINES, references=4)


def test_benchmark_images_are_excluded_by_id_and_by_text() -> None:
    human = {f"COCO_val2014_0000000000{n}.jpg": own for n, own in enumerate(people(12).values())}
    names = list(human)
    pairs = Preferences(
        [("unseen", human[names[5]][2].upper())], [["unseen too"]], ["x"], np.array([0]), ["HC"]
    )
    overlap = Overlap.with_judgements([rated("unseen", [human[names[4]][1]], 3), pairs])
    own = dict.fromkeys(human, "a thing")
    built = build_training_set(human, {"m": own}, BY_MACHINES, overlap=overlap)
    assert set(names) - set(built.images) == {names[3], names[4], names[5]}
    assert built.counts["judged images"] == 1
    assert built.counts["images with a judged caption"] == 2


@pytest.mark.parametrize(
    ("image", "key"),
    [
        (391895, "391895"),
        ("COCO_val2014_000000391895.jpg", "391895"),
        ("val2014/COCO_val2014_000000391895", "391895"),
        ("2342035754.jpg", "2342035754"),
        ("2342035754_db4f16befa.jpg", "2342035754"),
        ("VOC2012/JPEGImages/2008_003849.jpg", "2008_003849"),
    ],
)
def test_image_ids_are_known_in_every_form(image: int | str, key: str) -> None:
    assert image_key(image) == key


def test_the_seed_decides() -> None:
    build = [
        build_training_set(people(), {"m": machine()}, BY_MACHINES, images=10, seed=seed)
        for seed in (1, 1, 2)
    ]
    assert build[0].candidates == build[1].candidates
    assert build[0].references == build[1].references
    assert build[0].candidates != build[2].candidates
    assert all(one.counts["images used"] == 10 for one in build)


def test_negatives_follow_the_mixture() -> None:
    human = people(300)
    mixture = {"machine": 1, "random_caption": 1, "word_permutation": 1, "random_word": 1}
    built = build_training_set(human, {"m": machine(300)}, mixture, per_image=1)
    assert built.counts["human"] == sum(
        built.counts[name] for name in ("m", "random_caption", "word_permutation", "random_word")
    )
    for name in ("m", "random_caption", "word_permutation", "random_word"):
        assert 50 < built.counts[name] < 100
    for image, candidate, source in zip(built.images, built.candidates, built.sources, strict=True):
        words = [sorted(text_key(caption).split()) for caption in human[str(image)]]
        if source == "random_caption":
            assert candidate not in human[str(image)]
            assert any(candidate in own for own in human.values())
        elif source == "word_permutation":
            assert sorted(text_key(candidate).split()) in words
            assert text_key(candidate) not in map(text_key, human[str(image)])
        elif source == "random_word":
            assert sorted(text_key(candidate).split()) not in words


def test_a_machine_may_have_several_captions_of_an_image() -> None:
    several = {image: [caption, f"{caption} again"] for image, caption in machine().items()}
    built = build_training_set(people(), {"m": several}, BY_MACHINES, per_image=2)
    assert built.counts["m"] == 2 * built.counts["images used"]
    one = build_training_set(
        people(), {"m": {image: [c] for image, c in machine().items()}}, BY_MACHINES
    )
    assert one.candidates == build_training_set(people(), {"m": machine()}, BY_MACHINES).candidates


def test_negatives_need_no_machine() -> None:
    built = build_training_set(people(), {}, mixture={"random_caption": 2.0, "machine": 0})
    assert set(built.sources) == {"human", "random_caption"}


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"per_image": 0}, "candidates an image"),
        ({"references": 0}, "references"),
        ({"mixture": {"noise": 1}}, "noise"),
        ({"mixture": {"machine": -1}}, "share"),
        ({"mixture": {"machine": 0}}, "no negatives"),
        ({"mixture": {"random_word": 1}, "strength": 0}, "strength"),
        ({"references": 6}, "too few captions"),
    ],
)
def test_mistakes_are_named(options: dict[str, Any], word: str) -> None:
    with pytest.raises(InputError, match=word):
        build_training_set(people(), {"m": machine()}, **{"mixture": BY_MACHINES} | options)


def test_empty_training_set_is_an_error() -> None:
    with pytest.raises(InputError, match="no human captions"):
        build_training_set({}, {"m": machine()}, BY_MACHINES)
    with pytest.raises(InputError, match="no machine captions"):
        build_training_set(people(), {}, BY_MACHINES)
    with pytest.raises(InputError, match="two images"):
        build_training_set(people(1), {}, mixture={"random_caption": 1})


def test_benchmarks_that_are_not_there_are_left_out(tmp_path: Path) -> None:
    assert read_benchmarks(tmp_path, ["composite", "flickr8k-expert"]) == {}


@pytest.mark.slow
def test_overlap_with_the_real_benchmarks(shared: Path) -> None:
    tasks = read_benchmarks(shared / "data")
    assert set(tasks) == set(BENCHMARKS)
    overlap = Overlap.with_judgements(task.as_read for task in tasks.values())
    assert overlap.has_image("COCO_val2014_000000088485.jpg") and overlap.has_image(88485)
    assert overlap.has_text(["A mother and two children opening gifts on a Christmas morning"])
    assert not overlap.has_text(["no benchmark has this caption"])
