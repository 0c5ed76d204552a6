"""How long a pre-gen metric takes, and how long it takes to write captions and score them."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from captious._internal.backends.pytorch import import_torch, single_thread
from captious.captioners.captioner import load_captioner
from captious.captioners.generation import generate
from captious.papers.measurements.caption_datasets import TEST, Flickr8k
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.store import key_of, key_of_file
from captious.papers.result import Measured, Measurement, Table, Value
from captious.pregen.captioner_probabilities import word_probabilities
from captious.pregen.names import BEST
from captious.pregen.scoring import pregen_score
from captious.scorer import score
from captious.version import __version__

BEFORE = f"{BEST}, one pass over the references"
WRITING = {  # how captions are written: the beam, and how many images at once (0: all)
    "captions, greedy, image by image; CIDEr-D": (1, 1),
    "captions, greedy, in batches; CIDEr-D": (1, 0),
    "captions, beam of 3, in batches; CIDEr-D": (3, 0),
}
WARM_UP = 10  # images, so that what is loaded once is loaded


def measure(experiment: Experiment, published: tuple[float, float]) -> Measured:
    """The processor's seconds of each way, and how many times the first it is.

    They are kept: a second run shows the same. `published` has the paper's seconds of the metric
    and of captions written greedily.
    """
    dataset = Flickr8k(experiment)
    name, path = next(iter(dataset.captioners.items()))
    images = len(dataset.people(TEST))
    parts = (key_of_file(path), images, platform.node(), __version__)
    key = f"pregen-times-{key_of(*parts)}"
    if not experiment.store.get(key):
        experiment.report(f"{name}: timing")
        taken = _measure_seconds(dataset, path)
        experiment.store.add(key, {way: np.array(seconds) for way, seconds in taken.items()})
    kept = {way: float(seconds) for way, seconds in experiment.store.get(key).items()}
    before = kept[BEFORE]
    ratio = published[1] / published[0]
    rows: list[list[Value]] = [[BEFORE, before, None]]
    rows += [
        [way, kept[way], Measurement(kept[way] / before, published=ratio if beam == 1 else None)]
        for way, (beam, _) in WRITING.items()
    ]
    table = Table("CPU seconds", ["way", "seconds", "ratio to the first"], rows, digits=2)
    references = sum(map(len, dataset.people(TEST).values()))
    return Measured(
        (table,),
        settings=(f"{name}: {images:,} test images of Flickr8k, {references:,} references",),
    )


def _measure_seconds(dataset: Flickr8k, path: Path) -> dict[str, float]:
    captioner, people, vectors = load_captioner(path), dataset.people(TEST), dataset.images(TEST)
    names, references = list(people), list(people.values())

    def before(some: list[str]) -> None:
        words = word_probabilities(captioner, {name: people[name] for name in some}, vectors)
        pregen_score(words, BEST)

    def after(beam: int, at_once: int) -> None:
        captions: list[str] = []
        for start in range(0, len(names), at_once or len(names)):
            images = vectors.take(names[start : start + (at_once or len(names))])
            captions += [each.caption for each in generate(captioner, images, beam=beam)]
        score(captions, references, ["cider_d"])

    with single_thread(import_torch()):
        before(names[:WARM_UP])
        generate(captioner, vectors.take(names[:WARM_UP]), beam=1)
        taken = {BEFORE: _seconds(partial(before, names))}
        for way, how in WRITING.items():
            taken[way] = _seconds(partial(after, *how))
    return taken


def _seconds(task: Callable[[], object]) -> float:
    """Of the processor: other programs do not count."""
    start = time.process_time()
    task()
    return time.process_time() - start
