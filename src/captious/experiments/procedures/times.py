"""How long each feature takes, from raw captions to scores."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice

import numpy as np

from captious.cache import default_cache
from captious.errors import InputError
from captious.experiments.declaration import Place, Task
from captious.experiments.result import Measured, Table, Value
from captious.experiments.workbench.bench import Workbench, protocol_of
from captious.experiments.workbench.features import texts_of
from captious.experiments.workbench.grids import figure
from captious.experiments.workbench.sources import COCO, PEOPLE, SYSTEMS
from captious.io.captions import read_candidates, read_references
from captious.learned.feature_sets import LCEVAL, NNEVAL
from captious.learned.features import FeatureSet, extract
from captious.learned.published import LcEval, NnEval

PASCAL, SYSTEM = "pascal-50s", "vinyals2017"
SMALL, LARGE, QUICK = 4000, 5000, 100  # captions
WARM_UP = 20  # captions, so that what is loaded once is loaded
# The paper's names of what we measure by metric.
PUBLISHED = {"bleu": "bleu_4", "nneval": "nneval_features", "lceval": "lceval_features"}


@dataclass(frozen=True)
class Captions:
    """Captions, each beside its references."""

    candidates: list[str]
    references: list[list[str]]

    def first(self, number: int) -> Captions:
        """The first so many."""
        return Captions(self.candidates[:number], self.references[:number])

    def features(self, feature_set: FeatureSet, cache: bool) -> object:
        """Features from raw captions, parses from the cache on disk or made anew."""
        return extract(feature_set, self.candidates, self.references, cache=cache)


def measure(bench: Workbench, place: Place) -> Measured:
    """Seconds for every metric behind a feature, cold, and with parses in the cache."""
    given = (
        pascal_captions(bench, QUICK if bench.quick else SMALL),
        coco_captions(bench, QUICK if bench.quick else LARGE),
    )
    sizes = {f"{len(each.candidates):,} x {len(each.references[0])}": each for each in given}
    sets = {**_by_metric(), "nneval": NNEVAL, "lceval": LCEVAL}
    taken: dict[str, list[Value]] = {name: [] for name in sets}
    for size, captions in sizes.items():
        for feature_set in (NNEVAL, LCEVAL):
            captions.first(WARM_UP).features(feature_set, cache=False)
        captions.features(LCEVAL, cache=True)  # fills the cache
        for name, feature_set in sets.items():
            bench.say(f"{name}, {size}")
            taken[name].append(_seconds(partial(captions.features, feature_set, cache=False)))
            warm = partial(captions.features, feature_set, cache=True)
            taken[name].append(None if default_cache() is None else _seconds(warm))

    def published(metric: str) -> float | None:
        return figure(PASCAL, "seconds", metric, place.paper.source)

    rows: list[list[Value]] = []
    for name, seconds in taken.items():
        label = f"{name}: all features" if name in ("nneval", "lceval") else name
        rows.append([label, *seconds, published(PUBLISHED.get(name, name))])
    for metric in (NnEval(), LcEval()):
        model = metric.model()
        cells: list[Value] = [f"{metric.name}: network"]
        for captions in sizes.values():
            zeros = np.zeros((len(captions.candidates), len(model.feature_set)))
            cells += [_seconds(partial(model.scores, zeros))] * 2
        rows.append([*cells, published(f"{metric.name}_network")])
    header = [f"{size}, {state}" for size in sizes for state in ("cold", "warm")]
    title = f"Seconds; {place.source}"
    return Measured((Table(title, ["feature", *header, "published, 4,000 x 1"], rows),))


def _by_metric() -> dict[str, FeatureSet]:
    """The features of both papers by the metric that they come of."""
    sets: dict[str, FeatureSet] = {}
    for feature in dict.fromkeys((*NNEVAL.features, *LCEVAL.features)):
        name = feature.metric().name
        before = sets[name].features if name in sets else ()
        sets[name] = FeatureSet(name, (*before, feature))
    return sets


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def pascal_captions(bench: Workbench, number: int) -> Captions:
    """Captions of PASCAL-50S, each beside one reference."""
    task = Task(PASCAL, "lceval", references=1)
    judgements, _ = bench.judged(PASCAL, protocol_of(task))
    captions, references = texts_of(judgements)
    # One caption of each pair: the paper has 4,000 captions of the 4,000 pairs.
    return Captions(captions[::2], references[::2]).first(number)


def coco_captions(bench: Workbench, number: int) -> Captions:
    """A system's captions of COCO images, each beside five references."""
    people = read_references(bench.data / PEOPLE[COCO])
    path = bench.sources.systems.get(SYSTEM)
    machine = read_candidates(path).captions if path is not None else {}
    images = list(islice((each for each in machine if len(people.get(each, ())) >= 5), number))
    if not images:
        raise InputError(
            f"{bench.data / SYSTEMS}: no captions of {SYSTEM} for images with five references"
        )
    return Captions([machine[image] for image in images], [people[image][:5] for image in images])
