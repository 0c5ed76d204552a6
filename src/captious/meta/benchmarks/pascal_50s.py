"""PASCAL-50S: which of two captions is closer to what fifty people wrote of an image."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from captious.errors import InputError
from captious.files.text_files import read_text
from captious.io.json import parse
from captious.meta.benchmarks.benchmark import PREFERENCES, Benchmark, Files
from captious.meta.benchmarks.columns import text_or_stop
from captious.meta.benchmarks.matlab import read_reference_sets, read_voted_pairs
from captious.meta.judgements import Preferences
from captious.shown import shown

LABELS = "pascal_50s.json"
PAIRS = "pair_pascal.mat"
REFERENCES = "pascal50S.mat"
MOST_REFERENCES = 50  # fifty images have 120, which would set them apart


def read(files: Files, *, votes: int = 48, all_references: bool = False) -> Preferences:
    """The 4,000 pairs in four groups of 1,000: HC, HI, HM and MM.

    With the labels of 48 votes come five references a pair, or, with `all_references`, the fifty
    of its image; with the 11 votes of the original release always the fifty. The two sets of
    labels disagree on a third of HC.
    """
    if votes not in (48, 11):
        raise InputError(f"pascal-50s has labels of 48 or of 11 votes, not of {shown(votes)}")
    if votes == 11:
        return read_voted_pairs(files.find(PAIRS), _fifty(files))
    labelled = _labelled(files.find(LABELS))
    if not all_references:
        return labelled
    fifty = _fifty(files)
    absent = next((image for image in labelled.images if image not in fifty), None)
    if absent is not None:
        raise InputError(f"{REFERENCES}: no captions of image {shown(absent)}; download it again")
    return Preferences(
        labelled.pairs,
        [fifty[str(image)] for image in labelled.images],
        labelled.images,
        labelled.preferred,
        labelled.groups,
    )


def _fifty(files: Files) -> dict[str, list[str]]:
    sets = read_reference_sets(files.find(REFERENCES), "train_sent_final")
    return {image: sentences[:MOST_REFERENCES] for image, sentences in sets.items()}


def _labelled(path: Path) -> Preferences:
    """The groups of a file of labels, each a list of pairs."""
    groups = parse(read_text(path), str(path))
    pairs: list[tuple[str, str]] = []
    references: list[list[str]] = []
    images: list[Any] = []
    preferred: list[int] = []
    labels: list[str] = []
    try:
        for group, entries in groups.items():
            for row in entries:
                first, second = row["captions"]
                pairs.append((text_or_stop(first), text_or_stop(second)))
                references.append(list(map(text_or_stop, row["references"])))
                images.append(text_or_stop(row["image"]).rpartition("/")[2])
                preferred.append((0, 1).index(row["label"]))
                labels.append(group)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError(
            f"{path}: pair {len(pairs)} is not one of image, captions, label and references "
            f"({type(error).__name__}: {error}); download the file again"
        ) from None
    return Preferences(pairs, references, images, np.array(preferred, np.int64), labels)


BENCHMARK = Benchmark(
    "pascal-50s",
    "PASCAL-50S: the better of two captions, 48 votes (or 11) a pair",
    PREFERENCES,
    (LABELS, PAIRS, REFERENCES),
    ("pascal50s", "PASCAL-50S"),
    "the project page of Vedantam, Zitnick and Parikh 2015 (https://vrama91.github.io/cider/)",
    read,
    ("votes", "all_references"),
)
