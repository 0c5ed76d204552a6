"""Flickr8k-CF: whether a caption describes an image, as a share of a crowd's yeses."""

from __future__ import annotations

from captious.errors import InputError
from captious.meta.benchmarks.benchmark import RATINGS, Benchmark, Files
from captious.meta.benchmarks.flickr8k import CAPTIONS, FOLDERS, SOURCE, judged_pairs
from captious.meta.judgements import Ratings

FILE = "CrowdFlowerAnnotations.txt"


def read(files: Files) -> Ratings:
    """All 47,830 pairs with the share of yeses, at least three people a pair."""
    candidates, references, images, said = judged_pairs(files, FILE)
    _, yes, no = said.T
    if not ((yes >= 0) & (no >= 0) & (yes + no > 0)).all():
        raise InputError(f"{FILE}: a caption that nobody judged; download the file again")
    # The share that stands in the file is rounded: equal shares must be equal numbers.
    ratings = (yes / (yes + no))[:, None]
    return Ratings(candidates, references, list(images), ratings, ["all"] * len(candidates))


BENCHMARK = Benchmark(
    "flickr8k-cf",
    "Flickr8k: the share of a crowd that says yes",
    RATINGS,
    (FILE, CAPTIONS),
    FOLDERS,
    SOURCE,
    read,
)
