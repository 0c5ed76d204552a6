"""Flickr8k: captions rated from 1 to 4 by three experts each, or with yes or no by a crowd."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from captious.errors import InputError, short_repr
from captious.io.inputs import modification_time, read_tab_separated
from captious.meta.benchmarks.benchmark import RATINGS, Benchmark, Files
from captious.meta.benchmarks.columns import finite_or_stop
from captious.meta.judgements import Ratings

CAPTIONS = "Flickr8k.token.txt"
EXPERTS, CROWD = "ExpertAnnotations.txt", "CrowdFlowerAnnotations.txt"
MAX_PEOPLE = 1000  # who judged one caption
FOLDERS = ("flickr8k", "Flickr8k_text")
SOURCE = (
    "the Flickr8k text archive of Hodosh, Young and Hockenmaier 2013 "
    "(https://hockenmaier.cs.illinois.edu/8k-pictures.html)"
)


def read_captions(files: Files) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Each caption by its id, such as `name.jpg#2`, and each image's captions."""
    path = files.find(CAPTIONS)
    return _read_captions(path, modification_time(path))


@lru_cache(maxsize=1)
def _read_captions(path: Path, modified: int) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Read the captions once for both benchmarks, unless the file changes."""
    captions: dict[str, str] = {}
    by_image: dict[str, list[str]] = {}
    for _, (name, caption) in read_tab_separated(path, 2):
        captions[name] = caption
        by_image.setdefault(name.partition("#")[0], []).append(caption)
    return captions, by_image


def read_experts(files: Files, name: str = EXPERTS) -> Ratings:
    """All 5,822 pairs, the 158 of an image with one of its own captions among them."""
    path = files.find(name)
    captions, by_image = read_captions(files)
    candidates, references, images, ratings = [], [], [], []
    for line, (image, caption, *judgement) in read_tab_separated(path, 5):
        if caption not in captions or image not in by_image:
            missing = image if image not in by_image else caption
            raise InputError(
                f"{path}: line {line}: {CAPTIONS} has no {short_repr(missing)}; "
                "take both files from one archive"
            )
        candidates.append(captions[caption])
        references.append(by_image[image])
        images.append(image)
        ratings.append([_parse_number(path, line, field) for field in judgement])
    if not candidates:
        raise InputError(f"{path}: no judgements; download the file again")
    groups = ["all"] * len(candidates)
    return Ratings(candidates, references, list(images), np.array(ratings), groups)


def read_crowd(files: Files) -> Ratings:
    """All 47,830 pairs with the share of yeses, at least three people a pair."""
    answers = read_experts(files, CROWD)
    _, yes, no = answers.ratings.T
    if not ((yes >= 0) & (no >= 0) & (yes + no > 0)).all():
        raise InputError(f"{CROWD}: a caption that nobody judged; download the file again")
    if (answers.ratings != np.floor(answers.ratings))[:, 1:].any() or (yes + no).max() > MAX_PEOPLE:
        raise InputError(f"{CROWD}: numbers of people are whole; download the file again")
    # The share that stands in the file is rounded: equal shares must be equal numbers.
    shares, people = (yes / (yes + no))[:, None], np.arange((yes + no).max())
    votes = np.where(people < (yes + no)[:, None], people < yes[:, None], np.nan)
    return replace(answers, ratings=shares, votes=votes)


def _parse_number(path: Path, line: int, field: str) -> float:
    try:
        return finite_or_stop(field)
    except ValueError:
        raise InputError(
            f"{path}: line {line}: {short_repr(field)} is not a number; download the file again"
        ) from None


FLICKR8K_EXPERT = Benchmark(
    "flickr8k-expert",
    "Flickr8k: three experts' ratings from 1 to 4",
    RATINGS,
    (EXPERTS, CAPTIONS),
    FOLDERS,
    SOURCE,
    read_experts,
    standard_choices={"own": "drop_pair"},
)
FLICKR8K_CF = Benchmark(
    "flickr8k-cf",
    "Flickr8k: the share of a crowd that says yes",
    RATINGS,
    (CROWD, CAPTIONS),
    FOLDERS,
    SOURCE,
    read_crowd,
    common_choices={"raters": "mean", "statistic": "kendall_b"},
)
