"""Rows of the pre-gen paper's search: the authors', with post-gen scores computed anew, and ours.

The authors' table has pre-gen and post-gen scores of their captioners in strata. What these wrote
was released, and is scored here again; our captioners' rows are of Flickr8k's test images. Each
search over rows is done once, and published R² stand beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeVar

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.captioners.captioner import load_captioner
from captious.errors import InputError
from captious.io.caption_tables import ReferencesById
from captious.io.formats import read_table
from captious.io.training_captions import read_image_captions
from captious.io.where_image2 import karpathy_words, read_systems
from captious.meta.published import published
from captious.metrics.leic.recipe import MACHINE
from captious.papers.measurements.caption_datasets import TEST, Flickr8k
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.store import hash_file, hash_parts, hash_texts
from captious.papers.result import INTERVAL, Measurement
from captious.pregen.captioner_probabilities import word_probabilities
from captious.pregen.search import PredictionQuality, Search, search
from captious.pregen.search_table import MODEL_KEYS, SearchTable, read_search_table
from captious.pregen.strata import (
    POST_GEN,
    STRATIFIER,
    STRATUM_KEYS,
    StratumScorer,
    model_keys,
    split_into_strata,
    stratified_rows,
)
from captious.training.learned_metrics.overlap import image_key
from captious.version import __version__

Item = TypeVar("Item")
Model = tuple[str, str, str]  # data set, architecture and run
AUTHORS_TABLE = "pregen/data.txt.gz"
SYSTEM_FILES = "where_image2/{dataset}.json.gz"
# Their columns of post-gen metrics, in our names.
POST_GEN_NAMES = dict(zip(("METEOR", "CIDEr", "SPICE", "WMD"), POST_GEN, strict=True))
FLICKR30K = "flickr30k"
REFERENCE_FILES = {
    "flickr8k": "flickr8k/Flickr8k.token.txt",
    FLICKR30K: "flickr30k/captions.jsonl.gz",
    "mscoco": "coco/captions_val2014.json.gz",
}
SCALED_WMD = "wmd_longer"  # with vectors of the length that fits theirs best
VECTOR_LENGTHS = np.round(np.arange(1, 5, 0.01), 2)


@dataclass(frozen=True)
class StratifiedScores:
    """A system's captions: each stratum's post-gen scores, and two of every image's."""

    post: dict[str, FloatArray]
    cider: FloatArray
    wmd: FloatArray

    @cached_property
    def strata(self) -> list[IntArray]:
        """The images of each stratum, in the order of the rows."""
        return [stratum.images for stratum in split_into_strata(self.cider)]


@dataclass(frozen=True, eq=False)
class AuthorsRows:
    """The rows that the paper's figures are drawn from; a quick run has one run on one data set."""

    experiment: Experiment

    @cached_property
    def authors(self) -> SearchTable:
        """The authors' table under our names of post-gen metrics."""
        table = read_search_table(self.experiment.data / AUTHORS_TABLE, list(POST_GEN_NAMES))
        table = replace(table, post={POST_GEN_NAMES[name]: table.post[name] for name in table.post})
        if self.experiment.quick:
            table = table.where("dataset", table.datasets[0]).where("run", table.keys["run"][0])
        return table

    @cached_property
    def models(self) -> list[Model]:
        """Every captioner of theirs."""
        keys = (self.authors.keys[name] for name in MODEL_KEYS)
        return list(dict.fromkeys(zip(*keys, strict=True)))

    @cached_property
    def scores_by_model(self) -> dict[Model, StratifiedScores]:
        """What the captions of each of their captioners score here, computed once and kept."""
        scores: dict[Model, StratifiedScores] = {}
        for dataset in dict.fromkeys(name for name, *_ in self.models):
            path = self.experiment.data / SYSTEM_FILES.format(dataset=dataset)
            systems = read_systems(path)
            by_image = self._references(dataset)
            images = list(next(iter(systems.values())))
            references = [
                list(map(karpathy_words, _lookup(by_image, image_key(image), path)))
                for image in images
            ]
            judge = _StratumScores(self.experiment, dataset, references)
            for model in self.models:
                if model[0] == dataset:
                    name = "_".join(model[1:])
                    captions = _lookup(systems, name, self.experiment.data / AUTHORS_TABLE)
                    scores[model] = judge.score(name, list(captions.values()))
        return scores

    @cached_property
    def recomputed(self) -> SearchTable:
        """The authors' pre-gen scores beside our post-gen scores of what they wrote."""
        post = {
            name: np.concatenate([self.scores_by_model[model].post[name] for model in self.models])
            for name in POST_GEN
        }
        return replace(
            self.authors, post={**post, SCALED_WMD: self._mean_wmd(self.length, self.models)}
        )

    @cached_property
    def length(self) -> float:
        """The length of our word vectors at which WMD is nearest to theirs on the first data set.

        Theirs are as long as word2vec made them, ours of length 1: a distance at length L is L
        times as far, and exp(-Ld) is the L-th power of a score.
        """
        first = [model for model in self.models if model[0] == self.models[0][0]]
        theirs = self.authors.where("dataset", first[0][0]).post["wmd"]
        errors = [
            np.abs(self._mean_wmd(length, first) - theirs).mean() for length in VECTOR_LENGTHS
        ]
        return float(VECTOR_LENGTHS[int(np.argmin(errors))])

    def _mean_wmd(self, length: float, models: Sequence[Model]) -> FloatArray:
        """The WMD of each stratum of these captioners with word vectors of this length."""
        strata = []
        for scored in map(self.scores_by_model.__getitem__, models):
            scores = scored.wmd**length
            strata += [scores[images].mean() for images in scored.strata]
        return np.array(strata)

    def _references(self, dataset: str) -> ReferencesById:
        """People's captions by their images' keys."""
        path = self.experiment.data / _lookup(
            REFERENCE_FILES, dataset, self.experiment.data / AUTHORS_TABLE
        )
        if dataset == FLICKR30K:
            table = read_table(path)
            columns = (table.columns[table.require(name)] for name in ("image", "captions"))
            captions = dict(zip(*columns, strict=True))
        else:
            captions = read_image_captions(path)
        return {image_key(image): several for image, several in captions.items()}


def _lookup(values: Mapping[str, Item], name: str, where: Path) -> Item:
    """What is known by a name that stands in a file."""
    if name not in values:
        raise InputError(f"{where}: {name!r} is in it, and in no other file of the data")
    return values[name]


@lru_cache(maxsize=1)
def authors_rows(experiment: Experiment) -> AuthorsRows:
    """The rows, read once for all figures."""
    return AuthorsRows(experiment)


class _StratumScores:
    """Scores systems' captions of one data set in strata; references wait until they are needed."""

    def __init__(
        self, experiment: Experiment, dataset: str, references: Sequence[list[str]]
    ) -> None:
        self.experiment, self.dataset, self.references = experiment, dataset, references
        self._key = hash_texts(caption for several in references for caption in several)

    @cached_property
    def scorer(self) -> StratumScorer:
        """With the references prepared."""
        self.experiment.report(f"preparing references of {self.dataset}")
        return StratumScorer(self.references, tokenizer="whitespace")

    def score(self, name: str, captions: list[str]) -> StratifiedScores:
        """A system's scores, read where they were kept."""
        store = self.experiment.store
        key = f"strata-{hash_parts(self._key, hash_texts(captions), POST_GEN, __version__)}"
        if STRATIFIER not in store.get(key):
            self.experiment.report(f"scoring {name} of {self.dataset} in strata")
            generated = self.scorer.score_captions(captions)
            strata = [generated(stratum.images) for stratum in split_into_strata(generated.cider)]
            post = {f"post_{each}": np.array([row[each] for row in strata]) for each in POST_GEN}
            samples = {each: generated.samples[each] for each in (STRATIFIER, "wmd")}
            store.add(key, {**post, **samples})
        stored = store.get(key)
        post = {each: stored[f"post_{each}"] for each in POST_GEN}
        return StratifiedScores(post, stored[STRATIFIER], stored["wmd"])


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
        rows = _rows_of_captioner(dataset, name, path)
        number = len(rows[STRATUM_KEYS[0]])
        for key, value in model_keys(name, DATASET).items():
            columns.setdefault(key, []).extend([value] * number)
        for column, values in rows.items():
            columns.setdefault(column, []).extend(values.tolist())
    return SearchTable.of(columns)


def _rows_of_captioner(dataset: Flickr8k, name: str, path: Path) -> dict[str, FloatArray]:
    """A captioner's rows without its name, column by column."""
    experiment, people, images = dataset.experiment, dataset.people(TEST), dataset.images(TEST)
    texts = hash_texts(caption for several in people.values() for caption in several)
    parts = (hash_file(path), texts, images.fingerprint, POST_GEN, __version__)
    key = f"captioner-strata-{hash_parts(*parts)}"
    if not experiment.store.get(key):
        captions = dataset.machine_captions(TEST, MACHINE)[name]
        experiment.report(f"{name}: word probabilities and scores in strata")
        generated = StratumScorer(list(people.values())).score_captions(captions)
        words = word_probabilities(load_captioner(path), people, images)
        rows = stratified_rows({}, words, generated.cider, generated, variant=RELEASED)
        experiment.store.add(key, {each: np.array([row[each] for row in rows]) for each in rows[0]})
    return experiment.store.get(key)


AUTHORS, RECOMPUTED, OURS = "authors", "recomputed", "ours"
ROW_TITLES = {
    AUTHORS: "The authors' rows",
    RECOMPUTED: "The authors' pre-gen scores and captions, post-gen scores of ours",
    OURS: "Captioners of ours",
}
POST_GEN_LABELS = {"meteor": "METEOR", "cider_d": "CIDEr", "spice": "SPICE", "wmd": "WMD"}
POINT_DIGITS = 5  # of what is drawn
PUBLISHED = ("pregen", "r_squared")  # benchmark and statistic of the released correlations


@lru_cache(maxsize=8)
def search_rows(experiment: Experiment, rows: str) -> Search | None:
    """How well each pre-gen metric predicts each post-gen metric; None without captioners."""
    tables: dict[str, Callable[[], SearchTable | None]] = {
        AUTHORS: lambda: authors_rows(experiment).authors,
        RECOMPUTED: lambda: authors_rows(experiment).recomputed,
        OURS: lambda: captioner_rows(experiment),
    }
    table = tables[rows]()
    return None if table is None else search(table)


def all_searches(experiment: Experiment) -> dict[str, Search]:
    """The searches that can be done, by which rows."""
    searches = {rows: search_rows(experiment, rows) for rows in ROW_TITLES}
    return {rows: each for rows, each in searches.items() if each is not None}


def post_gen_label(experiment: Experiment, post: str) -> str:
    """A post-gen metric as tables name it."""
    if post == SCALED_WMD:
        return f"WMD, vectors of length {authors_rows(experiment).length:g}"
    return POST_GEN_LABELS[post]


def measured_r2(rows: str, post: str, row: PredictionQuality) -> Measurement:
    """An R² with its interval over captioners, and the published one where it is of the same."""
    # Our WMD has other word vectors than theirs; brought to their length, it is compared.
    of = {SCALED_WMD: "wmd"}.get(post, post)
    comparable = rows == AUTHORS or (rows == RECOMPUTED and post != "wmd")
    values = [figure.value for figure in published(*PUBLISHED, row.metric, group=of)]
    known = values[0] if comparable and values else None
    return Measurement(row.r2, *row.interval, spread=INTERVAL, published=known)


def runs_by_architecture(table: SearchTable) -> dict[tuple[str, str], int]:
    """How many runs there are of each architecture on each data set."""
    models = dict.fromkeys(zip(*(table.keys[key] for key in MODEL_KEYS), strict=True))
    return dict(Counter((dataset, architecture) for dataset, architecture, _ in models))


def describe_runs(table: SearchTable) -> str:
    """How many runs there are of each architecture, in words: `3 runs of each`, `1 to 2 runs`."""
    counts = runs_by_architecture(table).values()
    fewest, most = min(counts), max(counts)
    number = f"{most}" if fewest == most else f"{fewest} to {most}"
    return f"{number} run{'s' if most > 1 else ''} of each architecture on each data set"


def rows_by_architecture(table: SearchTable) -> dict[tuple[str, str], IntArray]:
    """The rows of each data set and architecture."""
    names = list(zip(table.keys["dataset"], table.keys["architecture"], strict=True))
    return {
        group: np.flatnonzero([name == group for name in names]) for group in dict.fromkeys(names)
    }


def rounded_point(x: float, y: float) -> tuple[float, float]:
    """A point with as many digits as can be seen."""
    return float(f"{x:.{POINT_DIGITS}g}"), float(f"{y:.{POINT_DIGITS}g}")


def describe_settings(searches: dict[str, Search]) -> tuple[str, ...]:
    """The size of each search."""
    return tuple(
        f"{ROW_TITLES[rows].lower()}: {len(each.table)} rows, which are {each.models} captioners "
        f"({describe_runs(each.table)}) in strata; {each.ranked_count} of the pre-gen metrics are "
        f"finite and not constant; intervals draw whole captioners, {each.resamples} times"
        for rows, each in searches.items()
    )


def describe_captioners(searches: dict[str, Search]) -> tuple[str, ...]:
    """What there is of our captioners."""
    if OURS in searches:
        return ("Our captioners are of Flickr8k alone: there are image vectors for no other.",)
    return (
        "Captioners of ours are left out: train some on Flickr8k with `captious captioner train`, "
        "and name their folder with --captioners DIR. docs/pregen_search.md has twelve of them.",
    )
