"""What metrics make of whole systems: the mean score of each one's captions of the same images."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np

from captious.errors import InputError
from captious.io.captions import read_candidates, read_references
from captious.io.inputs import read_text
from captious.metrics.base import Metric
from captious.papers.declaration import AnyMetric
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.scoring import DeclarationScorer
from captious.papers.measurements.sources import PEOPLE
from captious.papers.measurements.store import hash_file, hash_parts
from captious.papers.result import INTERVAL, Measurement, PartResult, Table, Value
from captious.scorer import Scorer
from captious.stats.correlation import correlations
from captious.version import __version__

IMAGES = "coco/karpathy_test_ids.json"
QUICK_IMAGES = 50
RESAMPLES, QUICK_RESAMPLES = 1000, 100
RANK_ROW = "rank correlation with {}"


def measure_system_means(
    experiment: Experiment, metrics: Mapping[str, AnyMetric], beside: str
) -> PartResult:
    """Mean scores of every system, and how alike each metric and `beside` order the systems."""
    images = _read_image_ids(experiment)
    scoring = DeclarationScorer(experiment)
    columns = {
        label: _corpus_scores(experiment, *scoring.build_metric(metric), images)
        for label, metric in metrics.items()
    }
    systems = list(experiment.sources.systems)
    rows: list[list[Value]] = [
        [system, *(means[system] for means in columns.values())] for system in systems
    ]
    values = {
        label: np.array([means[system].value for system in systems])
        for label, means in columns.items()
    }
    rank_correlations = [
        float(correlations(values[beside], each)["spearman"]) for each in values.values()
    ]
    rows.append([RANK_ROW.format(beside), *rank_correlations])
    title = f"Mean scores of {len(systems)} systems' captions"
    header = ["system", *columns]
    line = f"{len(images):,} images of Karpathy's test split, all their captions as references"
    return PartResult((Table(title, header, rows),), settings=(line,))


def _read_image_ids(experiment: Experiment) -> list[str]:
    path = experiment.data / IMAGES
    try:
        images = [str(image) for image in json.loads(read_text(path))]
    except (ValueError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: not a list of image ids; download it again") from None
    return images[:QUICK_IMAGES] if experiment.quick else images


def _corpus_scores(
    experiment: Experiment, metric: Metric, column: str, images: list[str]
) -> dict[str, Measurement]:
    """The corpus score of each system, with its interval."""
    people = experiment.data / PEOPLE["coco"]
    files = [people, *experiment.sources.systems.values()]
    parts = ([hash_file(path) for path in files], images, metric.signature(), __version__)
    key = f"means-{hash_parts(*parts)}"
    stored = experiment.store.get(key)
    if not stored:
        experiment.report(f"{metric.name} of {len(experiment.sources.systems)} systems")
        captions = read_references(people)
        scorer = Scorer({image: captions[image] for image in images}, [metric])
        for system, path in experiment.sources.systems.items():
            captions_of_system = read_candidates(path).captions
            result = scorer.score({image: captions_of_system[image] for image in images})
            resamples = QUICK_RESAMPLES if experiment.quick else RESAMPLES
            for name in result.columns:
                interval = result.interval(name, resamples=resamples)
                stored[f"{name} {system}"] = np.array([result.corpus[name], *interval])
        experiment.store.add(key, stored)
    column = column or metric.columns[0]
    means = {}
    for system in experiment.sources.systems:
        value, low, high = stored[f"{column} {system}"].tolist()
        means[system] = Measurement(value, low, high, INTERVAL)
    return means
