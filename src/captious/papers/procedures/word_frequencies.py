"""How often people and captioners use their common and their rare words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import chain

import numpy as np

from captious.metrics.leic.recipe import MACHINE, SAMPLED
from captious.papers.declaration import FLICKR8K
from captious.papers.measurements.caption_datasets import CAPTION_DATASETS, TRAIN
from captious.papers.measurements.experiment import Experiment
from captious.papers.result import Panel, PartResult, Table, Value
from captious.text.tokenizer.tokenizer import tokenize_all

MAX_COMMON_WORDS = 100
POINTS = 60  # of a curve, at even distances by the logarithm of the rank
PEOPLE, ANOTHER = "people", "people, another caption"
KINDS = {MACHINE: "best captions", SAMPLED: "captions drawn by chance (Monte Carlo)"}

Counts = Counter[str]


def measure_word_frequencies(experiment: Experiment, dataset_name: str = FLICKR8K) -> PartResult:
    """Frequencies by rank, and how far they lie from people's."""
    dataset = CAPTION_DATASETS[dataset_name](experiment)
    machine_captions = {kind: dataset.machine_captions(TRAIN, kind) for kind in dataset.kinds}
    captions = list(dataset.people(TRAIN).values())
    people, another = (count_words(_pick_captions(captions, step)) for step in (0, 1))
    machines = {
        kind: {name: count_words(texts) for name, texts in by_name.items()}
        for kind, by_name in machine_captions.items()
    }
    rows = [
        _row(PEOPLE, "", people, people, len(captions)),
        _row(ANOTHER, "", another, people, len(captions)),
    ]
    rows += [
        _row(name, label, counts, people, len(captions))
        for kind, label in KINDS.items()
        for name, counts in machines.get(kind, {}).items()
    ]
    table = Table(
        f"Words in one caption of each of {len(captions):,} training images of {dataset_name}",
        [
            "source",
            "kind",
            "words per caption",
            "vocabulary",
            f"share of the {MAX_COMMON_WORDS} most frequent",
            "share of the vocabulary used once",
            "distance from human captions",
        ],
        rows,
        texts=2,
    )
    panels = tuple(
        Panel(
            f"{label[0].upper()}{label[1:]}",
            "rank of the word, log10",
            "share of all words, log10",
            {name: curve(counts) for name, counts in ((PEOPLE, people), *machines[kind].items())},
        )
        for kind, label in KINDS.items()
        if kind in machines
    )
    return PartResult((table,), panels)


def count_words(captions: Sequence[str]) -> Counts:
    """How often each word occurs."""
    return Counter(chain.from_iterable(tokenize_all(captions)))


def curve(counts: Counts) -> tuple[tuple[float, float], ...]:
    """Relative frequency by rank, both as logarithms, at some ranks."""
    frequencies = np.array(sorted(counts.values(), reverse=True), np.float64)
    ranks = np.unique(np.geomspace(1, len(frequencies), POINTS).round().astype(np.int64))
    shares = frequencies[ranks - 1] / frequencies.sum()
    return tuple(zip(np.log10(ranks).tolist(), np.log10(shares).tolist(), strict=True))


def distance(counts: Counts, others: Counts) -> float:
    """Half the sum of the differences of relative frequencies, from 0 to 1."""
    total, theirs = counts.total(), others.total()
    words = counts.keys() | others.keys()
    # Exactly, for a set has no order that could be relied on.
    return math.fsum(abs(counts[word] / total - others[word] / theirs) for word in words) / 2


def _row(name: str, kind: str, counts: Counts, people: Counts, images: int) -> list[Value]:
    frequencies = sum(count for _, count in counts.most_common(MAX_COMMON_WORDS))
    once = sum(count == 1 for count in counts.values())
    return [
        name,
        kind,
        counts.total() / images,
        len(counts),
        frequencies / counts.total(),
        once / len(counts),
        distance(counts, people),
    ]


def _pick_captions(captions: Sequence[Sequence[str]], step: int) -> list[str]:
    """One caption of each image, now its first, now its second..., or so many further on."""
    return [several[(place + step) % len(several)] for place, several in enumerate(captions)]
