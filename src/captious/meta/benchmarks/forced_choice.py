"""Forced choice: a correct caption against a subtly wrong one of the same COCO image."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from captious.errors import InputError
from captious.files.text_files import read_text
from captious.io.json import parse
from captious.meta.benchmarks.coco_references import image_number
from captious.meta.benchmarks.columns import text_or_stop
from captious.meta.judgements import Preferences
from captious.shown import shown


def read_choices(
    path: Path, names: tuple[str, str, str], references: dict[str, list[str]], group: str
) -> Preferences:
    """Pairs from a file of entries by number: the correct caption stands first.

    `names` are what the file calls the image's file, the correct caption and the wrong one. The
    references are all of the image's captions; the protocol drops the correct one from them.
    """
    entries = parse(read_text(path), str(path))
    if not isinstance(entries, dict) or not entries:
        raise InputError(f"{path}: expected an object of entries by number; download it again")
    pairs: list[tuple[str, str]] = []
    images: list[Any] = []
    for key, entry in entries.items():
        try:
            file_name, right, wrong = (text_or_stop(entry[name]) for name in names)
        except (KeyError, TypeError):
            raise InputError(
                f"{path}: entry {shown(key)}: expected {', '.join(map(repr, names))}"
            ) from None
        image = image_number(file_name, f"{path}: entry {shown(key)}")
        if image not in references:
            raise InputError(
                f"{path}: entry {shown(key)}: image {shown(image, 40)} has no captions in val2014"
            )
        pairs.append((right, wrong))
        images.append(image)
    return Preferences(
        pairs,
        [references[image] for image in images],
        images,
        np.zeros(len(pairs), dtype=np.int64),
        [group] * len(pairs),
    )


def together(parts: list[Preferences]) -> Preferences:
    """Several sets of pairs as one."""
    return Preferences(
        [pair for part in parts for pair in part.pairs],
        [captions for part in parts for captions in part.references],
        [image for part in parts for image in part.images],
        np.concatenate([part.preferred for part in parts]),
        [group for part in parts for group in part.groups],
    )
