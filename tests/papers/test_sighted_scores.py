"""Metrics that see: every caption is scored with its own image, and scores are kept by it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from captious.images.vectors import ImageVectors
from captious.metrics.learned.captious_image import CaptiousImage
from captious.metrics.leic.leic import Leic
from captious.papers.declaration import ImageMetric, Task
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.scoring import (
    DeclarationScorer,
    judged_scores,
    metric_with_images,
    robustness_rows,
)
from captious.papers.measurements.store import Store
from tests.made_up.flickr8k import written
from tests.made_up.sighted import SeenImage, numbers_of, vectors_by_name

CROP, WHOLE = "efficientnet_lite2.npz", "efficientnet_lite2_whole.npz"


@pytest.fixture
def experiment(tmp_path: Path) -> Experiment:
    return Experiment(written(tmp_path / "data"), quick=True, store=Store(tmp_path / "kept"))


@pytest.fixture
def crop(experiment: Experiment) -> Path:
    """The file of image vectors, which tell images apart by their first number."""
    path = experiment.data / "flickr8k" / CROP
    vectors_by_name(ImageVectors.read(path).names).write(path)
    return path


def test_judged_captions_are_scored_with_their_own_images(
    experiment: Experiment, crop: Path
) -> None:
    judgements, _ = experiment.load_judgements("flickr8k-expert", "leic")
    scores = judged_scores(experiment, SeenImage(crop), "flickr8k-expert", "leic")["seen_image"]
    numbers = numbers_of(ImageVectors.read(crop).names)
    assert scores.tolist() == pytest.approx([numbers[str(image)] for image in judgements.images])


def test_worsened_captions_are_scored_with_their_own_images(
    experiment: Experiment, crop: Path
) -> None:
    (row,) = robustness_rows(experiment, SeenImage(crop), "pathological")
    assert all(curve == pytest.approx([1.0] * 11) for curve in row["curves"].values())


def test_stored_scores_depend_on_the_images(experiment: Experiment, crop: Path) -> None:
    heard: list[str] = []
    again = Experiment(experiment.data, quick=True, store=experiment.store, progress=heard.append)
    first = judged_scores(experiment, SeenImage(crop), "flickr8k-cf", "leic")
    second = judged_scores(again, SeenImage(crop), "flickr8k-cf", "leic")
    assert not heard
    assert (first["seen_image"] == second["seen_image"]).all()
    vectors = ImageVectors.read(crop)
    ImageVectors.of(vectors.names[::-1], vectors.vectors).write(crop)
    third = judged_scores(again, SeenImage(crop), "flickr8k-cf", "leic")
    assert heard == ["seen_image on flickr8k-cf"]
    assert (first["seen_image"] != third["seen_image"]).any()


def test_stored_scores_of_equal_captions_depend_on_their_images(
    experiment: Experiment, crop: Path
) -> None:
    first = judged_scores(experiment, SeenImage(crop), "flickr8k-expert", "leic")
    before, _ = experiment.load_judgements("flickr8k-expert", "leic")
    experts = experiment.data / "flickr8k" / "ExpertAnnotations.txt"
    # People said the same of both images: see `captions_of`.
    experts.write_text(experts.read_text().replace("42.jpg\t", "54.jpg\t"))
    again = Experiment(experiment.data, quick=True, store=experiment.store)
    second = judged_scores(again, SeenImage(crop), "flickr8k-expert", "leic")
    after, _ = again.load_judgements("flickr8k-expert", "leic")
    assert list(after.captions) == list(before.captions)
    assert after.references == before.references
    assert (first["seen_image"] != second["seen_image"]).tolist() == [
        image == "54.jpg" for image in after.images
    ]


def test_metrics_get_the_image_views_they_accept(tmp_path: Path) -> None:
    vectors = ImageVectors.of(["1.jpg"], np.ones((1, 1280)))
    vectors.write(tmp_path / CROP)
    metric = metric_with_images("captious_image_alone", tmp_path)
    assert isinstance(metric, CaptiousImage)
    assert (metric.images, metric.whole) == (tmp_path / CROP, None)
    vectors.write(tmp_path / WHOLE)
    metric = metric_with_images("captious_image_alone", tmp_path)
    assert isinstance(metric, CaptiousImage) and metric.whole == tmp_path / WHOLE
    critic = metric_with_images("leic", tmp_path)
    assert isinstance(critic, Leic) and critic.images == tmp_path / CROP and critic.needs_images


def test_a_declared_metric_sees_the_images_of_flickr8k(experiment: Experiment) -> None:
    folder = experiment.data / "flickr8k"
    names = ImageVectors.read(folder / CROP).names
    random = np.random.default_rng(0)
    ImageVectors.of(names, random.random((len(names), 1280))).write(folder / CROP)
    task = Task("flickr8k-expert", "leic", "kendall_c")
    scores = DeclarationScorer(experiment).judged_scores(ImageMetric("captious_image_alone"), task)
    metric = CaptiousImage(folder / CROP)
    columns = judged_scores(experiment, metric, "flickr8k-expert", "leic")
    assert (scores == columns["captious_image_alone"]).all()
    assert (scores != columns["captious_image"]).any()
