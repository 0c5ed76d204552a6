"""Flickr8k-Expert: captions rated from 1 to 4 by three experts each."""

from __future__ import annotations

from captious.meta.benchmarks.benchmark import RATINGS, Benchmark, Files
from captious.meta.benchmarks.flickr8k import CAPTIONS, FOLDERS, SOURCE, judged_pairs
from captious.meta.judgements import Ratings

FILE = "ExpertAnnotations.txt"


def read(files: Files) -> Ratings:
    """All 5,822 pairs, the 158 of an image with one of its own captions among them."""
    candidates, references, images, ratings = judged_pairs(files, FILE)
    return Ratings(candidates, references, list(images), ratings, ["all"] * len(candidates))


BENCHMARK = Benchmark(
    "flickr8k-expert",
    "Flickr8k: three experts' ratings from 1 to 4",
    RATINGS,
    (FILE, CAPTIONS),
    FOLDERS,
    SOURCE,
    read,
)
