"""Tanti et al.'s table of pre-gen metrics, and the post-gen scores in it computed anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeVar

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.errors import InputError
from captious.io.caption_tables import ReferencesById
from captious.io.formats import read_table
from captious.io.training_captions import read_image_captions
from captious.io.where_image2 import karpathy_words, read_systems
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.store import key_of, key_of_texts
from captious.pregen.search_table import MODEL_KEYS, SearchTable, read_search_table
from captious.pregen.strata import POST_GEN, STRATIFIER, StratumScorer, split_into_strata
from captious.training.learned_metrics.overlap import image_key
from captious.version import __version__

T = TypeVar("T")
Model = tuple[str, str, str]  # data set, architecture and run
TABLE = "pregen/data.txt.gz"
SYSTEMS = "where_image2/{dataset}.json.gz"
# Their columns of post-gen metrics, in our names.
THEIR_NAMES = dict(zip(("METEOR", "CIDEr", "SPICE", "WMD"), POST_GEN, strict=True))
FLICKR30K = "flickr30k"
REFERENCES = {
    "flickr8k": "flickr8k/Flickr8k.token.txt",
    FLICKR30K: "flickr30k/captions.jsonl.gz",
    "mscoco": "coco/captions_val2014.json.gz",
}
LONGER = "wmd_longer"  # with vectors of the length that fits theirs best
LENGTHS = np.round(np.arange(1, 5, 0.01), 2)


@dataclass(frozen=True)
class Scored:
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
        table = read_search_table(self.experiment.data / TABLE, list(THEIR_NAMES))
        table = replace(table, post={THEIR_NAMES[name]: table.post[name] for name in table.post})
        if self.experiment.quick:
            table = table.where("dataset", table.datasets[0]).where("run", table.keys["run"][0])
        return table

    @cached_property
    def models(self) -> list[Model]:
        """Every captioner of theirs."""
        keys = (self.authors.keys[name] for name in MODEL_KEYS)
        return list(dict.fromkeys(zip(*keys, strict=True)))

    @cached_property
    def scored(self) -> dict[Model, Scored]:
        """What the captions of each of their captioners score here, computed once and kept."""
        scored: dict[Model, Scored] = {}
        for dataset in dict.fromkeys(name for name, *_ in self.models):
            path = self.experiment.data / SYSTEMS.format(dataset=dataset)
            systems = read_systems(path)
            by_image = self._references(dataset)
            images = list(next(iter(systems.values())))
            references = [
                list(map(karpathy_words, _known(by_image, image_key(image), path)))
                for image in images
            ]
            judge = _Judge(self.experiment, dataset, references)
            for model in self.models:
                if model[0] == dataset:
                    name = "_".join(model[1:])
                    captions = _known(systems, name, self.experiment.data / TABLE)
                    scored[model] = judge.scored(name, list(captions.values()))
        return scored

    @cached_property
    def recomputed(self) -> SearchTable:
        """The authors' pre-gen scores beside our post-gen scores of what they wrote."""
        post = {
            name: np.concatenate([self.scored[model].post[name] for model in self.models])
            for name in POST_GEN
        }
        return replace(self.authors, post={**post, LONGER: self._wmd(self.length, self.models)})

    @cached_property
    def length(self) -> float:
        """The length of our word vectors at which WMD is nearest to theirs on the first data set.

        Theirs are as long as word2vec made them, ours of length 1: a distance at length L is L
        times as far, and exp(-Ld) is the L-th power of a score.
        """
        first = [model for model in self.models if model[0] == self.models[0][0]]
        theirs = self.authors.where("dataset", first[0][0]).post["wmd"]
        errors = [np.abs(self._wmd(length, first) - theirs).mean() for length in LENGTHS]
        return float(LENGTHS[int(np.argmin(errors))])

    def _wmd(self, length: float, models: Sequence[Model]) -> FloatArray:
        """The WMD of each stratum of these captioners with word vectors of this length."""
        strata = []
        for scored in map(self.scored.__getitem__, models):
            scores = scored.wmd**length
            strata += [scores[images].mean() for images in scored.strata]
        return np.array(strata)

    def _references(self, dataset: str) -> ReferencesById:
        """People's captions by their images' keys."""
        path = self.experiment.data / _known(REFERENCES, dataset, self.experiment.data / TABLE)
        if dataset == FLICKR30K:
            table = read_table(path)
            columns = (table.columns[table.require(name)] for name in ("image", "captions"))
            captions = dict(zip(*columns, strict=True))
        else:
            captions = read_image_captions(path)
        return {image_key(image): several for image, several in captions.items()}


def _known(values: Mapping[str, T], name: str, where: Path) -> T:
    """What is known by a name that stands in a file."""
    if name not in values:
        raise InputError(f"{where}: {name!r} is in it, and in no other file of the data")
    return values[name]


@lru_cache(maxsize=1)
def authors_rows(experiment: Experiment) -> AuthorsRows:
    """The rows, read once for all figures."""
    return AuthorsRows(experiment)


class _Judge:
    """Scores systems' captions of one data set in strata; references wait until they are needed."""

    def __init__(
        self, experiment: Experiment, dataset: str, references: Sequence[list[str]]
    ) -> None:
        self.experiment, self.dataset, self.references = experiment, dataset, references
        self._key = key_of_texts(caption for several in references for caption in several)

    @cached_property
    def scorer(self) -> StratumScorer:
        """With the references prepared."""
        self.experiment.report(f"preparing references of {self.dataset}")
        return StratumScorer(self.references, tokenizer="whitespace")

    def scored(self, name: str, captions: list[str]) -> Scored:
        """A system's scores, read where they were kept."""
        store = self.experiment.store
        key = f"strata-{key_of(self._key, key_of_texts(captions), POST_GEN, __version__)}"
        if STRATIFIER not in store.get(key):
            self.experiment.report(f"scoring {name} of {self.dataset} in strata")
            generated = self.scorer.score_captions(captions)
            strata = [generated(stratum.images) for stratum in split_into_strata(generated.cider)]
            post = {f"post_{each}": np.array([row[each] for row in strata]) for each in POST_GEN}
            samples = {each: generated.samples[each] for each in (STRATIFIER, "wmd")}
            store.add(key, {**post, **samples})
        kept = store.get(key)
        post = {each: kept[f"post_{each}"] for each in POST_GEN}
        return Scored(post, kept[STRATIFIER], kept["wmd"])
