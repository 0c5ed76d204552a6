"""Metrics that see: every caption is scored with its own image, and scores are kept by it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from captious.images.vectors import ImageVectors
from captious.metrics.learned.captious_image import CaptiousImage
from captious.metrics.leic.leic import Leic
from captious.papers.declaration import Seeing, Task
from captious.papers.measurements.bench import Workbench
from captious.papers.measurements.scores import judged_scores, robust_rows
from captious.papers.measurements.scoring import Scoring, metric_seeing
from captious.papers.measurements.store import Store
from tests.made_up.flickr8k import written
from tests.made_up.sighted import SeenImage, numbers_of, vectors_by_name

CROP, WHOLE = "efficientnet_lite2.npz", "efficientnet_lite2_whole.npz"


@pytest.fixture
def bench(tmp_path: Path) -> Workbench:
    return Workbench(written(tmp_path / "data"), quick=True, store=Store(tmp_path / "kept"))


@pytest.fixture
def crop(bench: Workbench) -> Path:
    """The file of image vectors, which tell images apart by their first number."""
    path = bench.data / "flickr8k" / CROP
    vectors_by_name(ImageVectors.read(path).names).write(path)
    return path


def test_judged_captions_are_scored_with_their_own_images(bench: Workbench, crop: Path) -> None:
    judgements, _ = bench.judged("flickr8k-expert", "leic")
    scores = judged_scores(bench, SeenImage(crop), "flickr8k-expert", "leic")["seen_image"]
    numbers = numbers_of(ImageVectors.read(crop).names)
    assert scores.tolist() == pytest.approx([numbers[str(image)] for image in judgements.images])


def test_worsened_captions_are_scored_with_their_own_images(bench: Workbench, crop: Path) -> None:
    (row,) = robust_rows(bench, SeenImage(crop), "pathological")
    assert all(curve == pytest.approx([1.0] * 11) for curve in row["curves"].values())


def test_scores_are_kept_by_what_was_seen(bench: Workbench, crop: Path) -> None:
    heard: list[str] = []
    again = Workbench(bench.data, quick=True, store=bench.store, tell=heard.append)
    first = judged_scores(bench, SeenImage(crop), "flickr8k-cf", "leic")
    second = judged_scores(again, SeenImage(crop), "flickr8k-cf", "leic")
    assert not heard
    assert (first["seen_image"] == second["seen_image"]).all()
    vectors = ImageVectors.read(crop)
    ImageVectors.of(vectors.names[::-1], vectors.vectors).write(crop)
    third = judged_scores(again, SeenImage(crop), "flickr8k-cf", "leic")
    assert heard == ["seen_image on flickr8k-cf"]
    assert (first["seen_image"] != third["seen_image"]).any()


def test_scores_of_the_same_words_are_kept_by_their_images(bench: Workbench, crop: Path) -> None:
    first = judged_scores(bench, SeenImage(crop), "flickr8k-expert", "leic")
    before, _ = bench.judged("flickr8k-expert", "leic")
    experts = bench.data / "flickr8k" / "ExpertAnnotations.txt"
    # People said the same of both images: see `captions_of`.
    experts.write_text(experts.read_text().replace("42.jpg\t", "54.jpg\t"))
    again = Workbench(bench.data, quick=True, store=bench.store)
    second = judged_scores(again, SeenImage(crop), "flickr8k-expert", "leic")
    after, _ = again.judged("flickr8k-expert", "leic")
    assert list(after.captions) == list(before.captions)
    assert after.references == before.references
    assert (first["seen_image"] != second["seen_image"]).tolist() == [
        image == "54.jpg" for image in after.images
    ]


def test_metrics_see_the_views_that_they_take(tmp_path: Path) -> None:
    vectors = ImageVectors.of(["1.jpg"], np.ones((1, 1280)))
    vectors.write(tmp_path / CROP)
    metric = metric_seeing("captious_image_alone", tmp_path)
    assert isinstance(metric, CaptiousImage)
    assert (metric.images, metric.whole) == (tmp_path / CROP, None)
    vectors.write(tmp_path / WHOLE)
    metric = metric_seeing("captious_image_alone", tmp_path)
    assert isinstance(metric, CaptiousImage) and metric.whole == tmp_path / WHOLE
    critic = metric_seeing("leic", tmp_path)
    assert isinstance(critic, Leic) and critic.images == tmp_path / CROP and critic.needs_images


def test_a_declared_metric_sees_the_images_of_flickr8k(bench: Workbench) -> None:
    folder = bench.data / "flickr8k"
    names = ImageVectors.read(folder / CROP).names
    random = np.random.default_rng(0)
    ImageVectors.of(names, random.random((len(names), 1280))).write(folder / CROP)
    task = Task("flickr8k-expert", "leic", "kendall_c")
    scores = Scoring(bench).judged(Seeing("captious_image_alone"), task)
    metric = CaptiousImage(folder / CROP)
    columns = judged_scores(bench, metric, "flickr8k-expert", "leic")
    assert (scores == columns["captious_image_alone"]).all()
    assert (scores != columns["captious_image"]).any()
