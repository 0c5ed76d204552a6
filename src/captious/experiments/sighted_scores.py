"""Scores of metrics that see images: of judged and of worsened captions of Flickr8k, kept.

Judged captions and robustness hand references over by their order, without names, and so vectors
go by the same order here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.experiments.columns import key_of_samples, texts_of
from captious.experiments.judged_scores import QUICK_TEST_IMAGES, SEED
from captious.experiments.kept import key_of, key_of_texts
from captious.experiments.workbench import Workbench
from captious.images.vectors import ImageVectors
from captious.meta.robustness.captioned_images import read_flickr8k
from captious.meta.robustness.evaluation import robustness
from captious.meta.scoring import score_judged
from captious.metrics.base import Metric
from captious.version import __version__

VIEWS = ("efficientnet_lite2.npz", "efficientnet_lite2_whole.npz")  # the second may be missing

Sighted = Callable[..., Metric]  # one view of the images, or two: the metric that sees them


def views_of(folder: Path, names: Sequence[str]) -> list[ImageVectors]:
    """The vectors of images in this order, by view; an image may be named more than once."""
    files = [folder / VIEWS[0], *(path for name in VIEWS[1:] if (path := folder / name).is_file())]
    return [ImageVectors.given(path).take(names) for path in files]


def sighted_scores(
    bench: Workbench, sighted: Sighted, benchmark: str, protocol: str
) -> dict[str, FloatArray]:
    """Each column's scores of the judged captions of a Flickr8k benchmark."""
    said, chosen = bench.judged(benchmark, protocol)
    # One set of references an image: the order of sets is that in which images first occur.
    names = list(dict.fromkeys(map(str, said.images)))
    metric, seen = _made(bench, sighted, names)
    texts = key_of_samples(*texts_of(said))
    key = f"scores-{key_of(texts, chosen.documents, metric.signature(), seen, __version__)}"
    columns = bench.kept.get(key)
    if not columns:
        bench.say(f"{metric.name} on {benchmark}")
        columns = dict(score_judged(said, [metric], documents=chosen.documents).columns)
        bench.kept.add(key, columns)
    return columns


def sighted_rows(bench: Workbench, sighted: Sighted, kind: str) -> list[dict[str, Any]]:
    """How a metric fares with captions made worse: one row a column, as `robustness` gives them."""
    folder = bench.data / "flickr8k"
    data = read_flickr8k(folder, QUICK_TEST_IMAGES if bench.quick else None)
    # Every caption has references of its own, the other captions of its image.
    names = [data.names[image] for image in data.images.tolist()]
    metric, seen = _made(bench, sighted, names)
    texts = key_of_texts(data.texts)
    key = f"robust-{key_of(texts, kind, metric.signature(), seen, SEED, __version__)}"
    if not bench.kept.get(key):
        bench.say(f"{kind}: {metric.name}")
        rows = robustness(data, [metric], kind, seed=SEED, resamples=1).to_dict()["rows"]
        bench.kept.add(key, {"rows": np.array(json.dumps(rows))})
    found: list[dict[str, Any]] = json.loads(str(bench.kept.get(key)["rows"]))
    return found


def _made(bench: Workbench, sighted: Sighted, names: Sequence[str]) -> tuple[Metric, list[str]]:
    """The metric, and a hash of what it sees."""
    views = views_of(bench.data / "flickr8k", names)
    return sighted(*views), [view.fingerprint for view in views]
