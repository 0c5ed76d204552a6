"""MATLAB files, where SciPy is installed, and the pairs with votes that two of them hold."""

from __future__ import annotations

import importlib
import io
from pathlib import Path
from typing import Any

import numpy as np

from captious.errors import InputError, MissingDependencyError
from captious.io.files import read_bytes
from captious.meta.judgements import Preferences

CATEGORIES = {1: "HC", 2: "HI", 3: "HM", 4: "MM"}


def read_mat(path: Path, *names: str) -> list[Any]:
    """The named variables of a MATLAB file."""
    try:
        scipy_io: Any = importlib.import_module("scipy.io")
    except ImportError:
        raise MissingDependencyError(
            f"{path.name} is a MATLAB file and needs SciPy: pip install 'captious[meta]'"
        ) from None
    data = read_bytes(path)
    try:
        variables = scipy_io.loadmat(io.BytesIO(data), variable_names=names)
    except Exception as error:  # whatever a damaged file sets off inside SciPy
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{path}: not a sound MATLAB file ({reason}); download it again") from None
    for name in names:
        if name not in variables:
            raise InputError(f"{path}: no variable {name!r}; is this the file as distributed?")
    return [variables[name] for name in names]


def read_reference_sets(path: Path, variable: str) -> dict[str, list[str]]:
    """Each image's sentences, by the image's file name."""
    (images,) = read_mat(path, variable)
    return {
        _file_name(image["name"]): [_text(sentence) for sentence in image["sentences"].ravel()]
        for image in images.ravel()
    }


def read_voted_pairs(path: Path, references: dict[str, list[str]]) -> Preferences:
    """Pairs with a vote of each judge: 1 for the first sentence, -1 for the second.

    A pair with as many votes on either side has no preferred sentence and is left out.
    """
    inputs, categories, results = read_mat(path, "new_input", "category", "result")
    images = [_file_name(entry["name"]) for entry in inputs.ravel()]
    absent = next((image for image in images if image not in references), None)
    if absent is not None:
        raise InputError(f"{path}: image {absent!r} has no references; take both files as they are")
    votes = np.array([entry["result"].astype(np.int64).sum() for entry in results.ravel()])
    everything = Preferences(
        [(_text(entry["sent1"]), _text(entry["sent2"])) for entry in inputs.ravel()],
        [references[image] for image in images],
        list(images),
        (votes < 0).astype(np.int64),
        [CATEGORIES[int(category)] for category in categories.ravel()],
    )
    return everything.take(np.flatnonzero(votes))


def _text(cell: Any) -> str:
    """The text of a cell, which is an array of one text, or of none where it is empty."""
    return str(cell.ravel()[0]).strip() if cell.size else ""


def _file_name(cell: Any) -> str:
    return _text(cell).rpartition("/")[2]
