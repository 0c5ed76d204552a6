"""Scores of metrics for judged and worsened captions, kept like everything else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from captious.catalogue import select
from captious.experiments.kept import key_of, key_of_texts
from captious.experiments.workbench import Workbench, texts_of
from captious.meta.protocol import Protocol
from captious.meta.robustness.captioned_images import read_flickr8k
from captious.meta.robustness.evaluation import robustness
from captious.meta.scoring import score_judged
from captious.metrics.base import Metric
from captious.ragged import FloatArray
from captious.version import __version__

QUICK_TEST_IMAGES = 40  # of Flickr8k, made worse
SEED = 0

Metrics = Sequence[str | Metric]


def scores(
    bench: Workbench, metrics: Metrics, benchmark: str, protocol: str | Protocol, **options: Any
) -> dict[str, FloatArray]:
    """Each column's scores of the judged captions; of pairs, two each in a row."""
    said, chosen = bench.judged(benchmark, protocol, **options)
    own, beside = texts_of(said)
    texts = key_of_texts(text for one, few in zip(own, beside, strict=True) for text in (one, *few))
    found: dict[str, FloatArray] = {}
    for metric in metrics:
        selection = select([metric])
        signatures = [one.signature() for one in selection.metrics]
        key = f"scores-{key_of(texts, chosen.documents, signatures, selection.columns, __version__)}"
        columns = bench.kept.get(key)
        if not columns:
            bench.say(f"{', '.join(selection.columns)} on {benchmark}")
            columns = dict(score_judged(said, [metric], documents=chosen.documents).columns)
            bench.kept.add(key, columns)
        found |= {name: columns[name] for name in selection.columns}
    return found


def robust_rows(bench: Workbench, metrics: Metrics, kind: str) -> list[dict[str, Any]]:
    """How metrics fare with captions made worse: one row a column, as `robustness` gives them."""
    data = read_flickr8k(bench.data / "flickr8k", QUICK_TEST_IMAGES if bench.quick else None)
    texts = key_of_texts(data.texts)
    rows: list[dict[str, Any]] = []
    for metric in metrics:
        selection = select([metric])
        signatures = [one.signature() for one in selection.metrics]
        key = f"robust-{key_of(texts, kind, signatures, selection.columns, SEED, __version__)}"
        kept = bench.kept.get(key)
        if "rows" in kept:
            rows += json.loads(str(kept["rows"]))
            continue
        bench.say(f"{', '.join(selection.columns)}: {kind}")
        found = robustness(data, [metric], kind, seed=SEED, resamples=1).to_dict()["rows"]
        new = [row for row in found if row["metric"] in selection.columns]
        bench.kept.add(key, {"rows": np.array(json.dumps(new))})
        rows += new
    return rows
