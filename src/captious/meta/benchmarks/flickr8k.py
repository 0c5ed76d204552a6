"""Flickr8k's captions and where its files come from: what both of its benchmarks share."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.errors import InputError
from captious.files.text_files import read_fields
from captious.meta.benchmarks.benchmark import Files
from captious.meta.benchmarks.columns import finite_or_stop
from captious.shown import shown

CAPTIONS = "Flickr8k.token.txt"
FOLDERS = ("flickr8k", "Flickr8k_text")
SOURCE = (
    "the Flickr8k text archive of Hodosh, Young and Hockenmaier 2013 "
    "(https://hockenmaier.cs.illinois.edu/8k-pictures.html)"
)


def read_captions(files: Files) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Each caption by its id, such as `name.jpg#2`, and each image's captions."""
    captions: dict[str, str] = {}
    by_image: dict[str, list[str]] = {}
    for _, (name, caption) in read_fields(files.find(CAPTIONS), 2):
        captions[name] = caption
        by_image.setdefault(name.partition("#")[0], []).append(caption)
    return captions, by_image


def judged_pairs(
    files: Files, name: str
) -> tuple[list[str], list[list[str]], list[str], FloatArray]:
    """Candidates, references, images and what people said, from a file of judgements."""
    path = files.find(name)
    captions, by_image = read_captions(files)
    candidates, references, images, said = [], [], [], []
    for line, (image, caption, *judgement) in read_fields(path, 5):
        if caption not in captions or image not in by_image:
            missing = image if image not in by_image else caption
            raise InputError(
                f"{path}: line {line}: {CAPTIONS} has no {shown(missing)}; "
                "take both files from one archive"
            )
        candidates.append(captions[caption])
        references.append(by_image[image])
        images.append(image)
        said.append([_number(path, line, field) for field in judgement])
    if not candidates:
        raise InputError(f"{path}: no judgements; download the file again")
    return candidates, references, images, np.array(said)


def _number(path: Path, line: int, field: str) -> float:
    try:
        return finite_or_stop(field)
    except ValueError:
        raise InputError(
            f"{path}: line {line}: {shown(field)} is not a number; download the file again"
        ) from None
