"""How long a pre-gen metric takes, and how long captions take that are generated in several ways.

The authors' timings (`get_timings.py` of their code) are of captions that are generated with a
Python loop over the vocabulary; `generate_as_authors` does the same with our captioners.
"""

from __future__ import annotations

import heapq
import platform
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from captious._internal.backends.pytorch import import_torch, single_thread
from captious.captioners.captioner import Captioner, load_captioner
from captious.captioners.generation import MAX_WORDS, generate
from captious.images.vectors import ImageVectors, SingleArray
from captious.papers.measurements.caption_datasets import TEST, Flickr8k
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.store import hash_file, hash_parts
from captious.papers.result import Measurement, PartResult, Table, Value
from captious.pregen.captioner_probabilities import word_probabilities
from captious.pregen.names import BEST
from captious.pregen.scoring import pregen_score
from captious.pregen.strata import model_keys
from captious.scorer import score
from captious.text.vocabulary import EDGE, UNKNOWN
from captious.version import __version__

METRIC_PASS = f"{BEST}, one pass over the references"
AUTHORS_BATCH = 400  # images at once in the authors' code
WARM_UP_IMAGES = 10  # images, so that what is loaded once is loaded

Generator = Callable[[Captioner, ImageVectors], list[str]]


def generate_in_batches(captioner: Captioner, images: ImageVectors, *, beam: int) -> list[str]:
    """Generate captions of all images at once."""
    return [each.caption for each in generate(captioner, images, beam=beam)]


def generate_image_by_image(captioner: Captioner, images: ImageVectors) -> list[str]:
    """Generate greedy captions, one image after the other."""
    return [
        each.caption
        for name in images.names
        for each in generate(captioner, images.take([name]), beam=1)
    ]


def generate_as_authors(
    captioner: Captioner, images: ImageVectors, *, in_python: bool = True
) -> list[str]:
    """Generate greedy captions by the steps of the authors' code.

    For every next word, the network reads each caption anew from its first word, and gives the
    probabilities of the words after all of its words. With `in_python`, each word of the vocabulary
    then becomes a candidate of its own in a heap; without, the most probable is looked up.
    """
    torch = import_torch()
    images = captioner.scale_images(images)
    find_next = _find_next_with_heap if in_python else _find_next
    captions: list[str] = []
    for start in range(0, len(images.vectors), AUTHORS_BATCH):
        vectors = torch.from_numpy(images.vectors[start : start + AUTHORS_BATCH])
        prefixes = [[EDGE] for _ in vectors]
        running = list(range(len(prefixes)))
        for _ in range(MAX_WORDS):
            read = torch.tensor([prefixes[image] for image in running])
            with torch.inference_mode():
                state = captioner.decoder.initial_state(vectors[running])
                probabilities = captioner.decoder.read(read, state)[0].double().softmax(2).numpy()
            for image, distributions in zip(running, probabilities, strict=True):
                prefixes[image] = find_next(prefixes[image], distributions[-1])
            running = [image for image in running if prefixes[image][-1] != EDGE]
            if not running:
                break
        captions += [captioner.vocabulary.decode(np.array(prefix[1:])) for prefix in prefixes]
    return captions


class _Beam:
    """A heap of the most probable captions, here of one."""

    def __init__(self) -> None:
        self.heap: list[tuple[float, bool, list[int]]] = []

    def add(self, logarithm: float, is_complete: bool, caption: list[int]) -> None:
        """Add a caption; the least probable of those that are too many is dropped."""
        heapq.heappush(self.heap, (logarithm, is_complete, caption))
        if len(self.heap) > 1:
            heapq.heappop(self.heap)


def _find_next_with_heap(prefix: list[int], distribution: SingleArray) -> list[int]:
    """Append the most probable word: with each word of the vocabulary a caption is added."""
    beam = _Beam()
    for word, probability in enumerate(distribution):
        if word != UNKNOWN:
            beam.add(np.log2(probability), word == EDGE, [*prefix, word])
    return beam.heap[0][2]


def _find_next(prefix: list[int], distribution: SingleArray) -> list[int]:
    """Append the most probable word."""
    distribution[UNKNOWN] = 0
    return [*prefix, int(distribution.argmax())]


AS_AUTHORS = "captions, greedy, with the authors' loop over the vocabulary; CIDEr-D"
GENERATION_WAYS: dict[str, Generator] = {
    "captions, greedy, in batches; CIDEr-D": partial(generate_in_batches, beam=1),
    "captions, beam of 3, in batches; CIDEr-D": partial(generate_in_batches, beam=3),
    "captions, greedy, image by image; CIDEr-D": generate_image_by_image,
    "captions, greedy, each read anew for every word; CIDEr-D": partial(
        generate_as_authors, in_python=False
    ),
    AS_AUTHORS: generate_as_authors,
}


def measure_times(experiment: Experiment, published: tuple[float, float]) -> PartResult:
    """CPU seconds of each way, and how many times the first it is: the mean and range of runs.

    Captioners are all runs of the first architecture. Times are stored: a second run shows the
    same. `published` has the paper's seconds of the metric and of greedy captions.
    """
    dataset = Flickr8k(experiment)
    keys = {name: model_keys(name, dataset.place) for name in dataset.captioners}
    architecture = next(iter(keys.values()))["architecture"]
    names = [name for name, key in keys.items() if key["architecture"] == architecture]
    runs = [_seconds_by_way(dataset, name) for name in names]
    ratio = published[1] / published[0]
    seconds_of_pass = Measurement.mean([run[METRIC_PASS] for run in runs])
    rows: list[list[Value]] = [[METRIC_PASS, seconds_of_pass, None]]
    rows += [
        [
            way,
            Measurement.mean([run[way] for run in runs]),
            Measurement.mean(
                [run[way] / run[METRIC_PASS] for run in runs],
                published=ratio if way == AS_AUTHORS else None,
            ),
        ]
        for way in GENERATION_WAYS
    ]
    table = Table("CPU seconds", ["way", "seconds", "ratio to the first"], rows, digits=2)
    people = dataset.people(TEST)
    vocabulary = len(load_captioner(dataset.captioners[names[0]]).vocabulary)
    size = (
        f"{', '.join(names)}: {len(people):,} test images of Flickr8k, "
        f"{sum(map(len, people.values())):,} references, a vocabulary of {vocabulary:,} words"
    )
    return PartResult((table,), settings=(size,))


def _seconds_by_way(dataset: Flickr8k, name: str) -> dict[str, float]:
    """A captioner's CPU seconds, measured once."""
    experiment, path = dataset.experiment, dataset.captioners[name]
    parts = (hash_file(path), len(dataset.people(TEST)), platform.node(), __version__)
    key = f"pregen-times-{hash_parts(*parts, *GENERATION_WAYS)}"
    if not experiment.store.get(key):
        experiment.report(f"{name}: timing")
        seconds_by_way = _measure_captioner(dataset, path)
        experiment.store.add(key, {way: np.array(each) for way, each in seconds_by_way.items()})
    return {way: float(seconds) for way, seconds in experiment.store.get(key).items()}


def _measure_captioner(dataset: Flickr8k, path: Path) -> dict[str, float]:
    captioner, people, vectors = load_captioner(path), dataset.people(TEST), dataset.images(TEST)
    names, references = list(people), list(people.values())

    def score_with_metric(some: list[str]) -> None:
        words = word_probabilities(captioner, {name: people[name] for name in some}, vectors)
        pregen_score(words, BEST)

    def generate_and_score(generator: Generator) -> None:
        score(generator(captioner, vectors), references, ["cider_d"])

    with single_thread(import_torch()):
        score_with_metric(names[:WARM_UP_IMAGES])
        for generator in GENERATION_WAYS.values():
            generator(captioner, vectors.take(names[:WARM_UP_IMAGES]))
        seconds_by_way = {METRIC_PASS: _cpu_seconds(partial(score_with_metric, names))}
        for way, generator in GENERATION_WAYS.items():
            seconds_by_way[way] = _cpu_seconds(partial(generate_and_score, generator))
    return seconds_by_way


def _cpu_seconds(task: Callable[[], object]) -> float:
    """Of the processor: other programs do not count."""
    start = time.process_time()
    task()
    return time.process_time() - start
