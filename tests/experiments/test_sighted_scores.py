"""Metrics that see: every caption is scored with its own image."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from captious.experiments.workbench.bench import Workbench
from captious.experiments.workbench.scores import judged_scores, robust_rows
from captious.experiments.workbench.store import Store
from captious.images.sources import vectors_in_order
from captious.images.vectors import ImageVectors
from captious.meta.judgements import Ratings
from captious.metrics.base import Metric, averaged
from captious.samples import References, Samples
from tests.made_up.animals import ANIMALS
from tests.made_up.flickr8k import animal_of, written


@dataclass(frozen=True)
class NamesTheAnimal(Metric):
    """1 where the caption names the animal of the image."""

    images: ImageVectors
    whole: ImageVectors | None = None

    name = "names_the_animal"
    columns = ("names_the_animal",)
    description = "whether the animal is named"
    needs_images = True

    def prepare(self, references: References) -> list[str]:
        seen = vectors_in_order(self.name, self.images, references.image_names, len(references))
        return [ANIMALS[row] for row in seen[:, : len(ANIMALS)].argmax(axis=1)]

    def statistics(self, samples: Samples, prepared: list[str]) -> np.ndarray:
        captions = [samples.candidates.captions[row] for row in samples.rows]
        seen = [prepared[image] for image in samples.images]
        named = [animal in text for animal, text in zip(seen, captions, strict=True)]
        return averaged(np.array(named, np.float64))


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench(written(tmp_path / "data"), quick=True, store=Store(tmp_path / "kept"))


def test_judged_captions_are_scored_with_their_own_images(bench: Workbench) -> None:
    said, _ = bench.judged("flickr8k-expert", "leic")
    assert isinstance(said, Ratings)
    found = judged_scores(bench, NamesTheAnimal, "flickr8k-expert", "leic")["names_the_animal"]
    animals = [animal_of(int(str(image).removesuffix(".jpg"))) for image in said.images]
    expected = [
        float(animal in text) for animal, text in zip(animals, said.candidates, strict=True)
    ]
    assert found.tolist() == expected and 0 < sum(expected) < len(expected)


def test_worsened_captions_are_scored_with_their_own_images(bench: Workbench) -> None:
    (row,) = robust_rows(bench, NamesTheAnimal, "pathological")
    assert row["curves"]["word_permutation"] == [1.0] * 11  # the animal stays, wherever
    assert row["curves"]["random_caption"][-1] < 0.6  # one image in four has the same


def test_scores_are_kept_by_what_was_seen(bench: Workbench) -> None:
    heard: list[str] = []
    again = Workbench(bench.data, quick=True, store=bench.store, tell=heard.append)
    first = judged_scores(bench, NamesTheAnimal, "flickr8k-cf", "leic")
    second = judged_scores(again, NamesTheAnimal, "flickr8k-cf", "leic")
    assert not heard
    assert (first["names_the_animal"] == second["names_the_animal"]).all()
    path = bench.data / "flickr8k" / "efficientnet_lite2.npz"
    with np.load(path) as arrays:
        changed = {"files": arrays["files"][::-1], "features": arrays["features"]}
    np.savez(path, **changed)
    third = judged_scores(again, NamesTheAnimal, "flickr8k-cf", "leic")
    assert heard == ["names_the_animal on flickr8k-cf"]
    assert (first["names_the_animal"] != third["names_the_animal"]).any()


def test_a_second_view_is_seen_where_it_is_there(bench: Workbench) -> None:
    seen = []

    def sighted(*views: ImageVectors) -> NamesTheAnimal:
        seen.append(len(views))
        return NamesTheAnimal(*views)

    judged_scores(bench, sighted, "flickr8k-expert", "leic")
    folder = bench.data / "flickr8k"
    (folder / "efficientnet_lite2_whole.npz").write_bytes(
        (folder / "efficientnet_lite2.npz").read_bytes()
    )
    judged_scores(bench, sighted, "flickr8k-expert", "leic")
    assert seen == [1, 2]
