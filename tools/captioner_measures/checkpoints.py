"""One checkpoint measured: pre-gen metrics, what it writes, and how that scores."""

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
DISPUTED = "*_filter0"  # what variants compute differently


class Stopwatch:
    """The processor's seconds of each thing that was done; other programs do not count."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def of(self, what: str) -> Iterator[None]:
        """While this is done."""
        began = time.process_time()
        yield
        self.seconds[what] = time.process_time() - began


def measure_epoch(data: Flickr8k, checkpoint: Path) -> dict[str, Any]:
    """Every score of one epoch on test images, and on dev images those that choose an epoch."""
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
    """Pre-gen metrics, and post-gen metrics of captions that were written in each way."""
    images, references, watch = data.images(split), data.references(split), Stopwatch()
    with watch.of("probabilities"):
        words = word_probabilities(captioner, data.captions[split], images)
    with watch.of("pregen"):
        pre = pregen_scores(words, "all")
    found: dict[str, Any] = {
        "paper": pre,
        "released": pregen_scores(words, DISPUTED, variant="released"),
        "seconds": watch.seconds,
    }
    for name, beam in beams.items():
        with watch.of(name):
            said = [one.caption for one in generate(captioner, images, beam=beam)]
        with watch.of("scoring"):
            scores = score(said, references, metrics).corpus
        found[name] = {metric: float(scores[metric]) for metric in metrics}
    return found


def measure_strata(data: Flickr8k, checkpoint: Path) -> dict[str, Any]:
    """The rows of the whole test set and its strata, for each variant's metrics."""
    captioner = load_captioner(checkpoint)
    words = word_probabilities(captioner, data.captions["test"], data.vectors)
    captions = [written.caption for written in generate(captioner, data.images("test"), beam=BEAM)]
    generated = StratumScorer(data.references("test")).score_captions(captions)
    post: list[dict[str, float]] = []  # of each stratum, for the second variant

    def post_gen(images: IntArray) -> dict[str, float]:
        post.append(generated(images))
        return post[-1]

    paper = stratified_rows({}, words, generated.cider, post_gen)
    again = iter(post)
    released = stratified_rows(
        {}, words, generated.cider, lambda images: next(again), metrics=DISPUTED, variant="released"
    )
    return {"paper": paper, "released": released}
