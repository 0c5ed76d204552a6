"""Scores of metrics, whether they see images or not, for judged and for worsened captions."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.experiments.workbench.bench import Workbench
from captious.experiments.workbench.features import key_of_samples, texts_of
from captious.experiments.workbench.store import key_of, key_of_texts
from captious.images.vectors import ImageVectors
from captious.meta.protocol import Protocol
from captious.meta.robustness.captioned_images import read_flickr8k
from captious.meta.robustness.evaluation import robustness
from captious.meta.scoring import score_judged
from captious.metrics.base import Metric
from captious.registry import select
from captious.version import __version__

FLICKR8K = "flickr8k"
VIEWS = ("efficientnet_lite2.npz", "efficientnet_lite2_whole.npz")  # the second may be missing
QUICK_TEST_IMAGES = 40  # of Flickr8k, made worse
SEED = 0

Sighted = Callable[..., Metric]  # one view of the images, or two: the metric that sees them


@dataclass(frozen=True)
class Asked:
    """A metric that is asked for, the columns that are wanted, and a hash of what it sees."""

    metric: Metric
    columns: tuple[str, ...]
    seen: tuple[str, ...] = ()

    def key(self, *conditions: object) -> str:
        """A hash of all that its scores depend on."""
        return key_of(*conditions, self.metric.signature(), self.seen, __version__)


def asked(name: str, **options: str) -> Asked:
    """A metric by name, or by that of one column: where a metric has one of its name, that."""
    selection = select([name], options)
    (metric,) = selection.metrics
    return Asked(metric, (name,) if name in selection.columns else selection.columns)


def seeing(bench: Workbench, sighted: Sighted, names: Sequence[str]) -> Asked:
    """A metric that sees these images of Flickr8k.

    Judged captions and robustness hand references over by their order, without names, and so
    vectors go by the same order.
    """
    views = views_of(bench.data / FLICKR8K, names)
    metric = sighted(*views)
    return Asked(metric, metric.columns, tuple(view.fingerprint for view in views))


def views_of(folder: Path, names: Sequence[str]) -> list[ImageVectors]:
    """The vectors of images in this order, by view; an image may be named more than once."""
    files = [folder / VIEWS[0], *(path for name in VIEWS[1:] if (path := folder / name).is_file())]
    return [ImageVectors.given(path).take(names) for path in files]


def judged_scores(
    bench: Workbench,
    scored: Asked | Sighted,
    benchmark: str,
    protocol: str | Protocol,
    **options: Any,
) -> dict[str, FloatArray]:
    """Each wanted column's scores of the judged captions; of pairs, two each in a row."""
    judgements, chosen = bench.judged(benchmark, protocol, **options)
    if not isinstance(scored, Asked):
        # One set of references an image: the order of sets is that in which images first occur.
        scored = seeing(bench, scored, list(dict.fromkeys(map(str, judgements.images))))
    texts = key_of_samples(*texts_of(judgements))
    key = f"scores-{scored.key(texts, chosen.documents)}"
    columns = bench.store.get(key)
    if not columns:
        bench.say(f"{scored.metric.name} on {benchmark}")
        made = score_judged(judgements, [scored.metric], documents=chosen.documents)
        columns = dict(made.columns)
        bench.store.add(key, columns)
    return {name: columns[name] for name in scored.columns}


def robust_row(bench: Workbench, scored: Asked | Sighted, kind: str) -> dict[str, Any]:
    """How a metric fares with captions made worse, as `robustness` says it of its column.

    One metric at a time, so that a run that was stopped goes on.
    """
    data = read_flickr8k(bench.data / FLICKR8K, QUICK_TEST_IMAGES if bench.quick else None)
    if not isinstance(scored, Asked):
        # Every caption has references of its own, the other captions of its image.
        scored = seeing(bench, scored, [data.names[image] for image in data.images.tolist()])
    key = f"robust-{scored.key(key_of_texts(data.texts), kind, SEED)}"
    if not bench.store.get(key):
        bench.say(f"{kind}: {scored.metric.name}")
        made = robustness(data, [scored.metric], kind, seed=SEED, resamples=1)
        bench.store.add(key, {"rows": np.array(json.dumps(made.to_dict()["rows"]))})
    rows: list[dict[str, Any]] = json.loads(str(bench.store.get(key)["rows"]))
    (column,) = scored.columns
    return next(row for row in rows if row["metric"] == column)
