"""How long features take from raw captions to scores."""

from __future__ import annotations

import math
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from captious.io.cache import default_cache
from captious.meta.judgements import judged_texts
from captious.metrics.learned.features import FeatureSet, extract_features
from captious.metrics.learned.published import LCEVAL, NNEVAL, LcEval, NnEval
from captious.papers.declaration import Task
from captious.papers.exhibit import Place
from captious.papers.measurements.exhibits import published_value
from captious.papers.measurements.experiment import Experiment, build_protocol
from captious.papers.measurements.store import hash_parts, hash_texts
from captious.papers.result import PartResult, Table, Value
from captious.version import __version__

PASCAL = "pascal-50s"
MAX_CAPTIONS, QUICK_CAPTIONS = 4000, 100  # captions
WARM_UP_CAPTIONS = 20  # captions, so that what is loaded once is loaded
# The paper's names of what we measure by metric.
PUBLISHED_NAMES = {"bleu": "bleu_4", "cider": "cider_d"}


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
        return extract_features(feature_set, self.candidates, self.references, cache=cache)


def measure_feature_times(experiment: Experiment, place: Place) -> PartResult:
    """Seconds for every metric behind a feature, cold, and with parses in the cache.

    They are kept, as all that is measured: a second run shows the same.
    """
    captions = pascal_captions(experiment, QUICK_CAPTIONS if experiment.quick else MAX_CAPTIONS)
    size = f"{len(captions.candidates):,} captions of PASCAL-50S, one reference each"
    texts = hash_texts([*captions.candidates, *(text for (text,) in captions.references)])
    key = f"times-{hash_parts(texts, platform.node(), default_cache() is None, __version__)}"
    if not experiment.store.get(key):
        seconds_by_name = _measure_features(experiment, captions)
        experiment.store.add(
            key, {name: np.array(seconds) for name, seconds in seconds_by_name.items()}
        )

    rows: list[list[Value]] = []
    for name, (cold, warm) in experiment.store.get(key).items():
        metric, _, part = name.partition(": ")
        published_name = (
            f"{metric}_{part.removeprefix('all ')}" if part else PUBLISHED_NAMES.get(name, name)
        )
        seconds = published_value(PASCAL, "seconds", published_name, place.paper.source)
        rows.append([name, float(cold), float(warm), seconds])
    table = Table("Seconds", ["feature", "cold", "warm", "published"], rows, digits=2)
    return PartResult((table,), settings=(size,))


def _measure_features(experiment: Experiment, captions: Captions) -> dict[str, tuple[float, float]]:
    """Seconds of each metric, of all features of both papers, and of their networks."""
    sets = {**_by_metric(), "nneval: all features": NNEVAL, "lceval: all features": LCEVAL}
    for feature_set in (NNEVAL, LCEVAL):
        captions.first(WARM_UP_CAPTIONS).features(feature_set, cache=False)
    captions.features(LCEVAL, cache=True)  # fills the cache
    seconds_by_name = {}
    for name, feature_set in sets.items():
        experiment.report(f"{name}: how long it takes")
        warm = partial(captions.features, feature_set, cache=True)
        seconds_by_name[name] = (
            _wall_seconds(partial(captions.features, feature_set, cache=False)),
            math.nan if default_cache() is None else _wall_seconds(warm),
        )
    for metric in (NnEval(), LcEval()):
        model = metric.model()
        zeros = np.zeros((len(captions.candidates), len(model.feature_set)))
        seconds_by_name[f"{metric.name}: network"] = (
            _wall_seconds(partial(model.scores, zeros)),
        ) * 2
    return seconds_by_name


def _by_metric() -> dict[str, FeatureSet]:
    """The features of both papers by the metric that they come of."""
    sets: dict[str, FeatureSet] = {}
    for feature in dict.fromkeys((*NNEVAL.features, *LCEVAL.features)):
        name = feature.metric().name
        score_with_metric = sets[name].features if name in sets else ()
        sets[name] = FeatureSet(name, (*score_with_metric, feature))
    return sets


def _wall_seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def pascal_captions(experiment: Experiment, number: int) -> Captions:
    """Captions of PASCAL-50S, each beside one reference."""
    task = Task(PASCAL, "lceval", references=1)
    judgements, _ = experiment.load_judgements(PASCAL, build_protocol(task))
    captions, references = judged_texts(judgements)
    # One caption of each pair: the paper has 4,000 captions of the 4,000 pairs.
    return Captions(captions[::2], references[::2]).first(number)
