"""Machines' captions of other images: which images, drawn how, and what cannot be drawn."""

from __future__ import annotations

import numpy as np
import pytest

from captious.errors import InputError
from captious.meta.judgements import Ratings
from captious.training.learned_metrics.dataset import build_training_set
from captious.training.learned_metrics.negatives import MAX_NEIGHBOURS, similar_images
from captious.training.learned_metrics.overlap import Overlap
from tests.made_up.captions_to_learn import NOUNS, people

HUMAN = people(60)  # of ten nouns, six images each
WRITTEN = {image: f"machine sees {image}" for image in HUMAN}


def noun_of(image: object) -> str:
    return NOUNS[int(str(image)[1:]) % len(NOUNS)]


def seen_in(caption: str) -> str:
    return caption.rpartition(" ")[2]


def test_a_machines_caption_of_another_image_is_never_of_the_image() -> None:
    built = build_training_set(HUMAN, {"m": WRITTEN}, mixture={"machine_other": 1})
    assert built.counts["m of another image"] == built.counts["human"] == 180
    others = [
        (image, seen_in(text))
        for image, text, source in zip(built.images, built.candidates, built.sources, strict=True)
        if source != "human"
    ]
    assert all(image != other for image, other in others)
    assert len({other for _, other in others}) > 40  # any of them
    assert len({noun_of(other) for image, other in others if noun_of(image) == "dog"}) > 5


def test_similar_images_have_similar_human_captions() -> None:
    themes = ["a giraffe eats leaves", "surfers ride a wave", "a pizza with cheese"]
    human = {f"i{n}": [f"{themes[n % 3]} {n}", f"look, {themes[n % 3]}"] for n in range(90)}
    nearest = similar_images(human, ["i0", "i7"], list(human))
    assert list(nearest) == ["i0", "i7"]
    for image, near in nearest.items():
        assert len(near) == MAX_NEIGHBOURS < 29
        assert int(str(image)[1:]) not in near
        assert {place % 3 for place in near} == {int(str(image)[1:]) % 3}


def test_similar_images_do_not_depend_on_the_number_of_training_images() -> None:
    some = similar_images(HUMAN, ["i3"], list(HUMAN))
    assert similar_images(HUMAN, list(HUMAN), list(HUMAN))["i3"] == some["i3"]
    built = build_training_set(
        HUMAN, {"m": WRITTEN}, mixture={"machine_similar": 1}, images=2, per_image=5
    )
    drawn = {seen_in(text) for text in built.candidates if text.startswith("machine")}
    assert len(drawn - set(map(str, built.images))) > 2  # of images that are not trained on


def test_an_image_without_a_machines_caption_has_similar_images_too() -> None:
    written = {image: text for image, text in WRITTEN.items() if image != "i0"}
    built = build_training_set(
        HUMAN, {"m": written}, mixture={"machine_similar": 1, "machine_other": 1}, per_image=2
    )
    assert "i0" in built.images
    with_own = build_training_set(HUMAN, {"m": written}, mixture={"machine": 1}, per_image=2)
    assert "i0" not in with_own.images


def test_images_of_benchmarks_are_no_other_images() -> None:
    rated = Ratings(["x"], [[HUMAN["i5"][0]]], ["i6"], np.ones((1, 1)), ["all"])
    overlap = Overlap.with_judgements([rated])
    for kind in ("machine_other", "machine_similar"):
        built = build_training_set(
            HUMAN, {"m": WRITTEN}, mixture={kind: 1}, overlap=overlap, per_image=5
        )
        written = {seen_in(text) for text in built.candidates if text.startswith("machine")}
        assert not {"i5", "i6"} & (written | set(map(str, built.images)))


def test_the_seed_decides() -> None:
    mixture = {"machine": 1, "machine_other": 1, "machine_similar": 1, "random_caption": 1}
    first, again, other = (
        build_training_set(HUMAN, {"m": WRITTEN}, mixture=mixture, seed=seed) for seed in (1, 1, 2)
    )
    assert first.candidates == again.candidates and first.references == again.references
    assert first.candidates != other.candidates
    assert {"m", "m of another image", "m of a similar image", "random_caption"} <= set(
        first.counts
    )


def test_machines_captions_are_needed() -> None:
    with pytest.raises(InputError, match="no machine captions"):
        build_training_set(HUMAN, {}, mixture={"machine_other": 1})
    with pytest.raises(InputError, match=r"machine_similar: needs .* two images or more, not of 1"):
        build_training_set(HUMAN, {"m": {"i1": "a dog"}}, mixture={"machine_similar": 1})
