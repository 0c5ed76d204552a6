"""PASCAL-50S: which of two captions is closer to what fifty people wrote of a photograph."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError, short_repr
from captious.io.inputs import read_text
from captious.io.json import decode_json
from captious.meta.benchmarks.benchmark import PREFERENCES, Benchmark, Files
from captious.meta.benchmarks.columns import text_or_stop
from captious.meta.benchmarks.mat_files import read_mat
from captious.meta.judgements import Preferences
from captious.meta.protocol import ACCURACY

CATEGORIES = {1: "HC", 2: "HI", 3: "HM", 4: "MM"}
LABELS, PAIRS, REFERENCES = "pascal_50s.json", "pair_pascal.mat", "pascal50S.mat"
MAX_VOTES = 1000  # on a pair
MAX_REFERENCES = 50  # fifty images have 120, which would set them apart


def read(files: Files, *, votes: int = 48, all_references: bool = False) -> Preferences:
    """Read the 4,000 pairs in four groups of 1,000: HC, HI, HM and MM.

    With the labels of 48 votes come five references a pair, or, with `all_references`, the fifty
    of its image; with the 11 votes of the original release always the fifty. The two sets of
    labels disagree on a third of HC.
    """
    if votes not in (48, 11):
        raise InputError(f"pascal-50s has labels of 48 or of 11 votes, not of {short_repr(votes)}")
    if votes == 11:
        return _read_votes(files.find(PAIRS), _read_references(files))
    labelled = _read_labels(files.find(LABELS))
    if not all_references:
        return labelled
    by_image = _read_references(files)
    absent = next((image for image in labelled.images if image not in by_image), None)
    if absent is not None:
        raise InputError(
            f"{REFERENCES}: no captions of image {short_repr(absent)}; download it again"
        )
    return replace(labelled, references=[by_image[str(image)] for image in labelled.images])


def _read_references(files: Files) -> dict[str, list[str]]:
    """Read the first fifty captions of each image, by the image's file name."""
    path = files.find(REFERENCES)
    (images,) = read_mat(path, "train_sent_final")
    with _name_unexpected_contents(path):
        sets = {
            _file_name(image["name"]): [_text(sentence) for sentence in image["sentences"]]
            for image in images
        }
    return {image: sentences[:MAX_REFERENCES] for image, sentences in sets.items()}


def _read_labels(path: Path) -> Preferences:
    """Read the groups of a file of labels, each a list of pairs."""
    groups = decode_json(read_text(path), str(path))
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


def _read_votes(path: Path, references: dict[str, list[str]]) -> Preferences:
    """Read pairs with a vote of each judge: 1 for the first sentence, -1 for the second.

    A pair with as many votes on either side has no preferred sentence and is left out.
    """
    inputs, categories, results = read_mat(path, "new_input", "category", "result")
    with _name_unexpected_contents(path):
        images = [_file_name(entry["name"]) for entry in inputs]
        pairs = [(_text(entry["sent1"]), _text(entry["sent2"])) for entry in inputs]
        votes = np.array([int(np.sum(entry["result"])) for entry in results])
        each = _vote_matrix([np.ravel(entry["result"]).astype(np.float64) for entry in results])
        groups = [CATEGORIES[category] for category in categories]
        if not len(pairs) == len(votes) == len(groups):
            raise ValueError(f"{len(pairs)} pairs, {len(votes)} votes, {len(groups)} categories")
    absent = next((image for image in images if image not in references), None)
    if absent is not None:
        raise InputError(f"{path}: image {absent!r} has no references; take both files as they are")
    sets = [references[image] for image in images]
    preferred = (votes < 0).astype(np.int64)
    everything = Preferences(pairs, sets, list(images), preferred, groups, votes=each)
    return everything.take(np.flatnonzero(votes))


def _vote_matrix(rows: list[FloatArray]) -> FloatArray:
    """One row a pair, one column a judge: 0 for the first sentence, 1 for the second."""
    most = max(map(len, rows), default=0)
    if most > MAX_VOTES:
        raise ValueError(f"{most:,} votes on one pair")
    votes = np.full((len(rows), most), np.nan)
    for row, signs in zip(votes, rows, strict=True):
        row[: len(signs)] = (1 - np.sign(signs)) / 2
    return votes


@contextmanager
def _name_unexpected_contents(path: Path) -> Iterator[None]:
    """Turn errors over unexpected contents into one line that names the file."""
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(
            f"{path}: its variables are not made as in the file that is distributed "
            f"({type(error).__name__}: {reason}); download it again"
        ) from None


def _text(cell: Any) -> str:
    """The text of a cell, or of an array of one text, or of none where it is empty."""
    if isinstance(cell, str):
        return cell.strip()
    return _text(cell[0]) if len(cell) else ""


def _file_name(cell: Any) -> str:
    return _text(cell).rpartition("/")[2]


PASCAL_50S = Benchmark(
    "pascal-50s",
    "PASCAL-50S: the better of two captions, 48 votes (or 11) a pair",
    PREFERENCES,
    (LABELS, PAIRS, REFERENCES),
    ("pascal50s", "PASCAL-50S"),
    "the project page of Vedantam, Zitnick and Parikh 2015 (https://vrama91.github.io/cider/)",
    read,
    ("votes", "all_references"),
    common_choices={"statistic": ACCURACY},
)
