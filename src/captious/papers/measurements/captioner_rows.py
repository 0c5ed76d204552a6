"""Captioners of ours as rows for pre-gen metrics: Flickr8k's test images, in strata."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.captioners.captioner import load_captioner
from captious.metrics.leic.recipe import MACHINE
from captious.papers.measurements.bench import Workbench
from captious.papers.measurements.grounds import TEST, Flickr8k
from captious.papers.measurements.store import key_of, key_of_file, key_of_texts
from captious.pregen.captioner_probabilities import word_probabilities
from captious.pregen.post_gen import POST_GEN, StratumScorer
from captious.pregen.search_table import SearchTable
from captious.pregen.strata import OF_STRATA, stratified_rows
from captious.pregen.strata_files import keys_of
from captious.version import __version__

DATASET = "flickr8k"
RELEASED = "released"  # the variant of `filter0` that the authors' table has


@lru_cache(maxsize=1)
def captioner_rows(bench: Workbench) -> SearchTable | None:
    """Every captioner's rows, computed once and kept; None where no captioners are named."""
    if bench.captioners is None:
        return None
    ground = Flickr8k(bench)
    columns: dict[str, list[object]] = {}
    for name, path in ground.captioners.items():
        rows = _rows(ground, name, path)
        number = len(rows[OF_STRATA[0]])
        for key, value in keys_of(name, DATASET).items():
            columns.setdefault(key, []).extend([value] * number)
        for column, values in rows.items():
            columns.setdefault(column, []).extend(values.tolist())
    return SearchTable.of(columns)


def _rows(ground: Flickr8k, name: str, path: Path) -> dict[str, FloatArray]:
    """A captioner's rows without its name, column by column."""
    bench, people, images = ground.bench, ground.people(TEST), ground.images(TEST)
    texts = key_of_texts(caption for several in people.values() for caption in several)
    parts = (key_of_file(path), texts, images.fingerprint, POST_GEN, __version__)
    key = f"captioner-strata-{key_of(*parts)}"
    if not bench.store.get(key):
        captions = ground.written(TEST, MACHINE)[name]
        bench.say(f"{name}: word probabilities and scores in strata")
        generated = StratumScorer(list(people.values())).of(captions)
        words = word_probabilities(load_captioner(path), people, images)
        rows = stratified_rows({}, words, generated.cider, generated, variant=RELEASED)
        bench.store.add(key, {each: np.array([row[each] for row in rows]) for each in rows[0]})
    return bench.store.get(key)
