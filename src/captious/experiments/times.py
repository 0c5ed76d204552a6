"""How long each feature takes: LCEval's table 12."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from captious.arrays.ragged import FloatArray, offsets_of
from captious.cache import AnalysisCache
from captious.errors import InputError
from captious.experiments.columns import texts_of
from captious.experiments.experiment import Experiment
from captious.experiments.figures import LCEVAL_PAPER, figure
from captious.experiments.result import Cell, Finding, Table
from captious.experiments.sources import COCO, PEOPLE, SYSTEMS
from captious.experiments.workbench import Workbench
from captious.io.captions import read_candidates, read_references
from captious.learned.feature_sets import LCEVAL, NNEVAL
from captious.learned.features import FeatureSet
from captious.learned.published import LcEval, NnEval
from captious.meta.presets import preset
from captious.samples import References, Samples

PASCAL, SYSTEM = "pascal-50s", "vinyals2017"
SMALL, LARGE, QUICK = 4000, 5000, 100  # captions
# The paper's names of what we measure by metric.
_PUBLISHED = {"bleu": "bleu_4", "nneval": "nneval_features", "lceval": "lceval_features"}


@dataclass(frozen=True)
class Captions:
    """Captions, each beside its references."""

    own: list[str]
    beside: list[list[str]]

    def first(self, number: int) -> Captions:
        """The first so many."""
        return Captions(self.own[:number], self.beside[:number])


def per_feature(bench: Workbench) -> Finding:
    """Seconds for every metric behind a feature, cold, and with parses in the cache."""
    given = (
        _pascal(bench, QUICK if bench.quick else SMALL),
        _coco(bench, QUICK if bench.quick else LARGE),
    )
    sizes = {f"{len(each.own):,} x {len(each.beside[0])}": each for each in given}
    sets = {**_by_metric(), "nneval": NNEVAL, "lceval": LCEVAL}
    taken: dict[str, list[float]] = {name: [] for name in sets}
    with tempfile.TemporaryDirectory() as folder:
        for place, (size, captions) in enumerate(sizes.items()):
            cache = AnalysisCache(Path(folder) / str(place))
            for feature_set in (NNEVAL, LCEVAL):  # what is loaded once is loaded
                _extracted(feature_set, captions.first(20), None)
            _extracted(LCEVAL, captions, cache)  # fills the cache
            for name, feature_set in sets.items():
                bench.say(f"{name}, {size}")
                for kept in (None, cache):
                    work = partial(_extracted, feature_set, captions, kept)
                    taken[name].append(_seconds(work))
    rows: list[list[Cell]] = []
    for name, seconds in taken.items():
        label = f"{name}: all features" if name in ("nneval", "lceval") else name
        rows.append([label, *seconds, _said(_PUBLISHED.get(name, name))])
    for metric in (NnEval(), LcEval()):
        model = metric.model()
        cells: list[Cell] = [f"{metric.name}: network"]
        for captions in sizes.values():
            zeros = np.zeros((len(captions.own), len(model.feature_set)))
            second = _seconds(partial(model.scores, zeros))
            cells += [second, second]
        rows.append([*cells, _said(f"{metric.name}_network")])
    header = ["feature"]
    for size in sizes:
        header += [f"{size}, cold", f"{size}, warm"]
    return Finding(
        "times",
        "Execution times",
        (
            Table.of(
                f"Seconds; {LCEVAL_PAPER}, table 12",
                [*header, "published, 4,000 x 1"],
                rows,
            ),
        ),
        notes=(
            "Each metric by itself, from raw captions to scores, in one process, once everything "
            "that is loaded once is loaded; warm: parses of all captions in the cache on disk. "
            "4,000 x 1: captions of PASCAL-50S with one reference, as in the paper (another "
            "machine, Java); 5,000 x 5: a system's captions of COCO images.",
        ),
    )


def _by_metric() -> dict[str, FeatureSet]:
    """The features of both papers by the metric that they come of."""
    found: dict[str, FeatureSet] = {}
    for feature in dict.fromkeys((*NNEVAL.features, *LCEVAL.features)):
        name = feature.metric().name
        before = found[name].features if name in found else ()
        found[name] = FeatureSet(name, (*before, feature))
    return found


def _extracted(
    feature_set: FeatureSet, captions: Captions, cache: AnalysisCache | None
) -> FloatArray:
    """Features from raw captions, with a cache of our own or none."""
    lengths = [len(beside) for beside in captions.beside]
    flat = [caption for beside in captions.beside for caption in beside]
    analysed = References(flat, offsets_of(np.array(lengths)), "ptb", cache)
    samples = Samples(captions.own, np.arange(len(captions.own)), analysed)
    return feature_set.read(samples, feature_set.prepare(analysed))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _said(metric: str) -> float | None:
    return figure(PASCAL, "seconds", metric, LCEVAL_PAPER)


def _pascal(bench: Workbench, number: int) -> Captions:
    """Captions of PASCAL-50S, each beside one reference."""
    said, _ = bench.judged(PASCAL, replace(preset("lceval", PASCAL), references=1))
    captions, references = texts_of(said)
    # One caption of each pair: the paper has 4,000 captions of the 4,000 pairs.
    return Captions(captions[::2], references[::2]).first(number)


def _coco(bench: Workbench, number: int) -> Captions:
    """A system's captions of COCO images, each beside five references."""
    people = read_references(bench.data / PEOPLE[COCO])
    path = bench.sources.systems.get(SYSTEM)
    machine = read_candidates(path).captions if path is not None else {}
    images = list(islice((each for each in machine if len(people.get(each, ())) >= 5), number))
    if not images:
        raise InputError(
            f"{bench.data / SYSTEMS}: no captions of {SYSTEM} for images with five references"
        )
    beside = [people[image][:5] for image in images]
    return Captions([machine[image] for image in images], beside)


TIMES = Experiment(
    "times",
    "LCEval table 12",
    "how long each feature takes, cold and with the cache of parses",
    per_feature,
)
