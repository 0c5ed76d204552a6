"""Scores of metrics for judged and worsened captions, kept like everything else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.experiments.columns import key_of_samples, texts_of
from captious.experiments.kept import key_of, key_of_texts
from captious.experiments.workbench import Workbench
from captious.meta.protocol import Protocol
from captious.meta.robustness.captioned_images import read_flickr8k
from captious.meta.robustness.evaluation import robustness
from captious.meta.scoring import score_judged
from captious.metrics.base import Metric
from captious.registry import select
from captious.version import __version__

QUICK_TEST_IMAGES = 40  # of Flickr8k, made worse
SEED = 0

Metrics = Sequence[str | Metric]


def scores(
    bench: Workbench, metrics: Metrics, benchmark: str, protocol: str | Protocol, **options: Any
) -> dict[str, FloatArray]:
    """Each column's scores of the judged captions; of pairs, two each in a row."""
    said, chosen = bench.judged(benchmark, protocol, **options)
    texts = key_of_samples(*texts_of(said))
    found: dict[str, FloatArray] = {}
    for metric in metrics:
        selection = select([metric])
        signatures = [one.signature() for one in selection.metrics]
        key = (
            f"scores-{key_of(texts, chosen.documents, signatures, selection.columns, __version__)}"
        )
        columns = bench.kept.get(key)
        if not columns:
            bench.say(f"{', '.join(selection.columns)} on {benchmark}")
            columns = dict(score_judged(said, [metric], documents=chosen.documents).columns)
            bench.kept.add(key, columns)
        found |= {name: columns[name] for name in _wanted(metric, selection.columns)}
    return found


def robust_rows(bench: Workbench, metrics: Metrics, kind: str) -> list[dict[str, Any]]:
    """How metrics fare with captions made worse: one row a column, as `robustness` gives them."""
    data = read_flickr8k(bench.data / "flickr8k", QUICK_TEST_IMAGES if bench.quick else None)
    texts = key_of_texts(data.texts)
    keys: dict[str, list[str]] = {}
    asked: dict[str, str | Metric] = {}
    for metric in metrics:
        selection = select([metric])
        signatures = [one.signature() for one in selection.metrics]
        key = f"robust-{key_of(texts, kind, signatures, selection.columns, SEED, __version__)}"
        keys[key], asked[key] = list(_wanted(metric, selection.columns)), metric
    missing = [key for key in keys if not bench.kept.get(key)]
    if missing:
        bench.say(f"{kind}: {', '.join(name for key in missing for name in keys[key])}")
        wanted = [asked[key] for key in missing]
        found = robustness(data, wanted, kind, seed=SEED, resamples=1).to_dict()["rows"]
        for key in missing:
            new = [row for row in found if row["metric"] in keys[key]]
            bench.kept.add(key, {"rows": np.array(json.dumps(new))})
    return [row for key in keys for row in json.loads(str(bench.kept.get(key)["rows"]))]


def _wanted(metric: str | Metric, columns: Sequence[str]) -> Sequence[str]:
    """The columns that a name means: where one has the metric's own name (`spice`), that alone."""
    return (metric,) if isinstance(metric, str) and metric in columns else columns
