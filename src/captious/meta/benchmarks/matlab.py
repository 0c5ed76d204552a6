"""Sentences of images and pairs with votes, as MATLAB files hold them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from captious.errors import InputError
from captious.meta.benchmarks.mat_files import read_mat
from captious.meta.judgements import Preferences

CATEGORIES = {1: "HC", 2: "HI", 3: "HM", 4: "MM"}


def read_reference_sets(path: Path, variable: str) -> dict[str, list[str]]:
    """Each image's sentences, by the image's file name."""
    (images,) = read_mat(path, variable)
    with _as_distributed(path):
        return {
            _file_name(image["name"]): [_text(sentence) for sentence in image["sentences"]]
            for image in images
        }


def read_voted_pairs(path: Path, references: dict[str, list[str]]) -> Preferences:
    """Pairs with a vote of each judge: 1 for the first sentence, -1 for the second.

    A pair with as many votes on either side has no preferred sentence and is left out.
    """
    inputs, categories, results = read_mat(path, "new_input", "category", "result")
    with _as_distributed(path):
        images = [_file_name(entry["name"]) for entry in inputs]
        pairs = [(_text(entry["sent1"]), _text(entry["sent2"])) for entry in inputs]
        votes = np.array([int(np.sum(entry["result"])) for entry in results])
        groups = [CATEGORIES[category] for category in categories]
        if not len(pairs) == len(votes) == len(groups):
            raise ValueError(f"{len(pairs)} pairs, {len(votes)} votes, {len(groups)} categories")
    absent = next((image for image in images if image not in references), None)
    if absent is not None:
        raise InputError(f"{path}: image {absent!r} has no references; take both files as they are")
    sets = [references[image] for image in images]
    everything = Preferences(pairs, sets, list(images), (votes < 0).astype(np.int64), groups)
    return everything.take(np.flatnonzero(votes))


@contextmanager
def _as_distributed(path: Path) -> Iterator[None]:
    """Say in one line that a file's variables are not made as they should be."""
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
