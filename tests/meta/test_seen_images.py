"""Judged captions before metrics that see images: each with its own, found by its name."""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.images.vectors import ImageVectors
from captious.meta import evaluate
from captious.meta.benchmarks.custom import read_judgements
from captious.meta.judgements import Judgements, Unnamed, image_names
from captious.meta.scoring import score_judged, score_systems, write_judged
from tests.made_up.judged_captions import REFERENCES, preferred, rated
from tests.made_up.sighted import SeenImage, numbers_of, vectors_by_name

NAMES = list(REFERENCES)


def seen(judgements: Judgements, images: ImageVectors | None = None, **options: Any) -> np.ndarray:
    """Which image each caption was scored with."""
    metric = SeenImage(vectors_by_name(NAMES) if images is None else images)
    return score_judged(judgements, metric, **options).columns["seen_image"]


def expected(judgements: Judgements) -> list[float]:
    numbers = numbers_of(NAMES)
    return [numbers[str(image)] for image in judgements.images]


def under_other_names(images: list[Hashable]) -> Any:
    return replace(rated(), images=images)


@pytest.mark.parametrize("documents", ["image", "pair"])
@pytest.mark.parametrize("pool", [None, "mean"])
def test_every_caption_is_scored_with_its_own_image(documents: str, pool: str | None) -> None:
    ratings = rated()
    # Captions of one image come apart, and have other references than each other.
    ratings = ratings.take(np.array([5, 0, 11, 2, 4, 9, 1, 7, 3, 10, 8, 6]))
    references = [own[row % 2 :] for row, own in enumerate(ratings.references)]
    ratings = replace(ratings, references=references)
    scores = seen(ratings, documents=documents, pool=pool)
    assert scores.tolist() == pytest.approx(expected(ratings))
    assert len(set(expected(ratings))) == len(NAMES)


def test_both_captions_of_a_pair_are_scored_with_its_image() -> None:
    pairs = preferred().take(np.array([3, 0, 5, 1, 4, 2]))
    assert seen(pairs).tolist() == [[number] * 2 for number in expected(pairs)]


def test_systems_are_scored_with_the_images_of_their_captions() -> None:
    systems = rated(["good", "poor"] * 6).take(np.array([0, 2, 3, 7, 4, 11]))
    scores = score_systems(systems, SeenImage(vectors_by_name(NAMES))).columns["seen_image"]
    numbers = np.array(expected(systems))
    good = np.array(systems.groups) == "good"
    assert scores.tolist() == pytest.approx([numbers[good].mean(), numbers[~good].mean()])


def test_numbers_are_names_too() -> None:
    numbered = under_other_names([42 + row // 2 for row in range(12)])
    files = [f"COCO_val2014_{42 + row:012}.jpg" for row in range(6)]
    scores = seen(numbered, vectors_by_name(files))
    assert scores.tolist() == [numbers_of(files)[file] for file in files for _ in (0, 1)]


@pytest.mark.slow
def test_images_are_an_option_of_evaluate() -> None:
    vectors = ImageVectors.of(NAMES, np.random.default_rng(0).random((6, 1280)))
    shown = evaluate(rated(), ["leic", "rouge_l"], images=vectors, resamples=0)
    order = [3, 1, 5, 0, 2, 4]
    turned = ImageVectors.of([NAMES[row] for row in order], vectors.vectors[order])
    assert (evaluate(rated(), "leic", images=turned).scores["leic"] == shown.scores["leic"]).all()
    others = ImageVectors.of(NAMES, vectors.vectors[order])
    assert (evaluate(rated(), "leic", images=others).scores["leic"] != shown.scores["leic"]).any()
    assert "images=given@" in shown.signature


@pytest.mark.parametrize("image", [Unnamed(3), None])
def test_judgements_without_names_of_images_are_refused(image: Hashable) -> None:
    nameless = under_other_names([*rated().images[:-1], image])
    with pytest.raises(InputError, match=r"^seen_image: sees images, and these .* 'image' of your"):
        seen(nameless)
    assert len(score_judged(nameless, "rouge_l").columns["rouge_l"]) == 12


def test_an_image_that_is_not_there_is_named() -> None:
    vectors = vectors_by_name([name for name in NAMES if name != "cats"])
    with pytest.raises(InputError, match="image vectors: no image 'cats'; files are found by"):
        seen(rated(), vectors)


def test_two_images_of_one_name_are_refused() -> None:
    alike = under_other_names([1, 1, "1", "1", *rated().images[4:]])
    with pytest.raises(InputError, match="look alike as text"):
        seen(alike)
    with pytest.raises(InputError, match="the image 'bus' occurs twice; keep one vector of it"):
        vectors_by_name([*NAMES, "bus"])


def write_columns_file(path: Path, **columns: list[Any]) -> Path:
    """A file of judgements, with further columns."""
    ratings = rated()
    named = {"candidate": ratings.candidates, "references": ratings.references, **columns}
    rows: Any = zip(ratings.ratings.tolist(), *named.values(), strict=True)
    lines = [
        json.dumps({"rating": said, **dict(zip(named, row, strict=True))}) for said, *row in rows
    ]
    path.write_text("\n".join(lines))
    return path


def test_a_file_names_images_in_a_column_or_not_at_all(tmp_path: Path) -> None:
    bare = read_judgements(write_columns_file(tmp_path / "bare.jsonl"))
    assert image_names(bare.images) is None
    assert list(map(str, bare.images)) == [str(1 + row // 2 * 2) for row in range(12)]
    named = read_judgements(write_columns_file(tmp_path / "named.jsonl", image=rated().images))
    assert image_names(named.images) == rated().images


def test_samples_for_others_name_their_images(tmp_path: Path) -> None:
    def columns(judgements: Judgements) -> list[dict[str, Any]]:
        write_judged(tmp_path / "rows.jsonl", judgements)
        return [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]

    pairs = columns(preferred())
    assert [row["image"] for row in pairs] == [name for name in NAMES for _ in (0, 1)]
    nameless = columns(under_other_names([Unnamed(row) for row in range(12)]))
    assert list(nameless[0]) == ["id", "candidate", "references"]
