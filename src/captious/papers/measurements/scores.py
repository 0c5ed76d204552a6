"""Scores of any metric for judged and for worsened captions, each computed once and kept."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.meta.judgements import Ratings
from captious.meta.protocol import Protocol
from captious.meta.robustness.evaluation import robustness
from captious.meta.scoring import score_judged, score_systems
from captious.metrics.base import Metric
from captious.papers.declaration import FLICKR8K
from captious.papers.measurements.caption_datasets import CAPTION_DATASETS
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.features import key_of_samples, texts_of
from captious.papers.measurements.store import key_of, key_of_texts
from captious.version import __version__

SEED = 0
RESAMPLES, QUICK_RESAMPLES = 1000, 100  # of images, for intervals


def judged_scores(
    experiment: Experiment,
    metric: Metric,
    benchmark: str,
    protocol: str | Protocol,
    **options: Any,
) -> dict[str, FloatArray]:
    """Each column's scores of the judged captions; of pairs, two each in a row."""
    judgements, chosen = experiment.load_judgements(benchmark, protocol, **options)
    seen = list(map(str, judgements.images)) if metric.needs_images else []
    texts = key_of_samples(*texts_of(judgements))
    parts = (texts, chosen.documents, metric.signature(), seen, __version__)
    key = f"scores-{key_of(*parts)}"
    if not experiment.store.get(key):
        experiment.report(f"{metric.name} on {benchmark}")
        scored = score_judged(judgements, [metric], documents=chosen.documents)
        experiment.store.add(key, scored.columns)
    return experiment.store.get(key)


def system_scores(
    experiment: Experiment, metric: Metric, column: str, benchmark: str, protocol: Protocol
) -> FloatArray:
    """A metric's corpus score of each system of a benchmark."""
    ratings, _ = experiment.load_judgements(benchmark, protocol)
    assert isinstance(ratings, Ratings)
    texts = key_of_samples(*texts_of(ratings))
    key = f"systems-{key_of(texts, ratings.groups, metric.signature(), __version__)}"
    if not experiment.store.get(key):
        experiment.report(f"{metric.name} of the systems of {benchmark}")
        experiment.store.add(key, score_systems(ratings, [metric]).columns)
    columns = experiment.store.get(key)
    return columns[column] if column else next(iter(columns.values()))


def robustness_rows(
    experiment: Experiment, metric: Metric, kind: str, on: str = FLICKR8K
) -> list[dict[str, Any]]:
    """How a metric fares with captions made worse: one row a column, as `robustness` gives them.

    One metric at a time, so that a run that was stopped goes on.
    """
    data = CAPTION_DATASETS[on](experiment).robustness_images()
    seen = data.image_names if metric.needs_images else []
    parts = (key_of_texts(data.texts), kind, metric.signature(), seen, SEED, RESAMPLES, __version__)
    key = f"robust-{key_of(*parts)}"
    if not experiment.store.get(key):
        experiment.report(f"{kind}: {metric.name}")
        resamples = QUICK_RESAMPLES if experiment.quick else RESAMPLES
        rows = robustness(data, [metric], kind, seed=SEED, resamples=resamples).to_dict()["rows"]
        experiment.store.add(key, {"rows": np.array(json.dumps(rows))})
    kept: list[dict[str, Any]] = json.loads(str(experiment.store.get(key)["rows"]))
    return kept
