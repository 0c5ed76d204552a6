"""Captioners of ours as rows for pre-gen metrics: Flickr8k's test images, in strata."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.captioners.captioner import load_captioner
from captious.metrics.leic.recipe import MACHINE
from captious.papers.measurements.caption_datasets import TEST, Flickr8k
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.store import key_of, key_of_file, key_of_texts
from captious.pregen.captioner_probabilities import word_probabilities
from captious.pregen.search_table import SearchTable
from captious.pregen.strata import (
    POST_GEN,
    STRATUM_KEYS,
    StratumScorer,
    model_keys,
    stratified_rows,
)
from captious.version import __version__

DATASET = "flickr8k"
RELEASED = "released"  # the variant of `filter0` that the authors' table has


@lru_cache(maxsize=1)
def captioner_rows(experiment: Experiment) -> SearchTable | None:
    """Every captioner's rows, computed once and kept; None where no captioners are named."""
    if experiment.captioners is None:
        return None
    dataset = Flickr8k(experiment)
    columns: dict[str, list[object]] = {}
    for name, path in dataset.captioners.items():
        rows = _rows(dataset, name, path)
        number = len(rows[STRATUM_KEYS[0]])
        for key, value in model_keys(name, DATASET).items():
            columns.setdefault(key, []).extend([value] * number)
        for column, values in rows.items():
            columns.setdefault(column, []).extend(values.tolist())
    return SearchTable.of(columns)


def _rows(dataset: Flickr8k, name: str, path: Path) -> dict[str, FloatArray]:
    """A captioner's rows without its name, column by column."""
    experiment, people, images = dataset.experiment, dataset.people(TEST), dataset.images(TEST)
    texts = key_of_texts(caption for several in people.values() for caption in several)
    parts = (key_of_file(path), texts, images.fingerprint, POST_GEN, __version__)
    key = f"captioner-strata-{key_of(*parts)}"
    if not experiment.store.get(key):
        captions = dataset.machine_captions(TEST, MACHINE)[name]
        experiment.report(f"{name}: word probabilities and scores in strata")
        generated = StratumScorer(list(people.values())).score_captions(captions)
        words = word_probabilities(load_captioner(path), people, images)
        rows = stratified_rows({}, words, generated.cider, generated, variant=RELEASED)
        experiment.store.add(key, {each: np.array([row[each] for row in rows]) for each in rows[0]})
    return experiment.store.get(key)
