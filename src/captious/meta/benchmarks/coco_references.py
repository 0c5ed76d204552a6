"""COCO's captions of 2014 as references, by the number of the image."""

from __future__ import annotations

import string

from captious.errors import InputError, short_repr
from captious.io.captions import read_references
from captious.meta.benchmarks.benchmark import Files

CAPTIONS = "captions_val2014.json"
FOLDERS = ("coco", "coco/annotations", "annotations")
SOURCE = "COCO's 2014 train/val annotations (https://cocodataset.org/#download)"


def read_captions(files: Files) -> dict[str, list[str]]:
    """The captions of val2014, of which val2017 is a part."""
    return read_references(files.find(CAPTIONS))


def image_number(file_name: str, where: str) -> str:
    """The image's id from a file's name: 165831 for `COCO_val2014_000000165831.jpg`."""
    stem, _, ending = file_name.rpartition(".")
    digits = stem[len(stem.rstrip(string.digits)) :]
    if not digits or not set(ending) <= set(string.ascii_letters) or not ending:
        raise InputError(f"{where}: no number of a COCO image in {short_repr(file_name)}")
    return digits.lstrip("0") or "0"
