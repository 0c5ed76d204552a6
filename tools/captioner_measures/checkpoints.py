"""Measure one checkpoint: pre-gen metrics, generated captions and their scores."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from captioner_measures.flickr8k import Flickr8k
from captious import score
from captious._internal.arrays.ragged import IntArray
from captious.captioners.captioner import Captioner, load_captioner
from captious.captioners.generation import generate
from captious.pregen.captioner_probabilities import word_probabilities
from captious.pregen.scoring import pregen_scores
from captious.pregen.strata import POST_GEN, StratumScorer, stratified_rows

BEAM = 3  # as tools/train_captioners.py
DISPUTED = "*_filter0"  # metrics that the variants compute differently


class Stopwatch:
    """CPU seconds of this process by step; other programs do not count."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def time(self, step: str) -> Iterator[None]:
        """Measure the CPU seconds of the block as those of a step."""
        start = time.process_time()
        yield
        self.seconds[step] = time.process_time() - start


def measure_epoch(data: Flickr8k, checkpoint: Path) -> dict[str, Any]:
    """Measure one epoch: all scores on test images; on dev images those that choose an epoch."""
    captioner = load_captioner(checkpoint)
    return {
        "test": _measure(data, captioner, "test", POST_GEN, {"beam": BEAM}),
        "dev": _measure(data, captioner, "dev", ("cider_d",), {"beam": BEAM, "greedy": 1}),
    }


def _measure(
    data: Flickr8k,
    captioner: Captioner,
    split: str,
    metrics: Sequence[str],
    beams: Mapping[str, int],
) -> dict[str, Any]:
    """Return pre-gen metrics, and post-gen metrics of captions of each beam width."""
    images, references, stopwatch = data.images(split), data.references(split), Stopwatch()
    with stopwatch.time("probabilities"):
        words = word_probabilities(captioner, data.captions[split], images)
    with stopwatch.time("pregen"):
        pre = pregen_scores(words, "all")
    figures: dict[str, Any] = {
        "paper": pre,
        "released": pregen_scores(words, DISPUTED, variant="released"),
        "seconds": stopwatch.seconds,
    }
    for name, beam in beams.items():
        with stopwatch.time(name):
            captions = [hypothesis.caption for hypothesis in generate(captioner, images, beam=beam)]
        with stopwatch.time("scoring"):
            scores = score(captions, references, metrics).corpus
        figures[name] = {metric: float(scores[metric]) for metric in metrics}
    return figures


def measure_strata(data: Flickr8k, checkpoint: Path) -> dict[str, Any]:
    """Measure the whole test set and its strata, for each variant's metrics."""
    captioner = load_captioner(checkpoint)
    words = word_probabilities(captioner, data.captions["test"], data.vectors)
    captions = [
        hypothesis.caption for hypothesis in generate(captioner, data.images("test"), beam=BEAM)
    ]
    generated = StratumScorer(data.references("test")).score_captions(captions)
    post: list[dict[str, float]] = []  # of each stratum, for the second variant

    def post_gen(images: IntArray) -> dict[str, float]:
        post.append(generated(images))
        return post[-1]

    paper = stratified_rows({}, words, generated.cider, post_gen)
    post_again = iter(post)
    released = stratified_rows(
        {},
        words,
        generated.cider,
        lambda images: next(post_again),
        metrics=DISPUTED,
        variant="released",
    )
    return {"paper": paper, "released": released}
