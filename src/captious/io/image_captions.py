"""Captions of images from files: what a captioner learns from and is measured on."""

from __future__ import annotations

from pathlib import Path

from captious.errors import InputError
from captious.io.caption_tables import ReferencesById
from captious.io.captions import read_references
from captious.io.inputs import read_tab_separated, read_text


def read_image_captions(path: str | Path, images: str | Path | None = None) -> ReferencesById:
    """Each image's captions: of all images, or of those that a list of names has, in its order.

    A file named `.txt` has a caption a line after the image's name and a tab, as Flickr8k's does
    (a number after `#` is no part of the name); others are references as `captious score` reads.
    """
    if str(path).lower().removesuffix(".gz").endswith(".txt"):
        captions: ReferencesById = {}
        for _, (name, caption) in read_tab_separated(Path(path), 2):
            captions.setdefault(name.partition("#")[0], []).append(caption)
    else:
        captions = read_references(path)
    if not captions:
        raise InputError(f"{path}: no captions")
    if images is None:
        return captions
    names = read_names(images)
    absent = [name for name in names if name not in captions]
    if absent:
        others = f" (and of {len(absent) - 1} more images)" if len(absent) > 1 else ""
        raise InputError(f"{path}: no captions of {absent[0]!r}{others}, which {images} names")
    return {name: captions[name] for name in names}


def read_two_splits(
    captions: str, images: str | None, validation: str
) -> tuple[ReferencesById, ReferencesById]:
    """Captions to train on and to validate on, which have no image in common.

    `validation` is a list of images of the same file, named `.txt`, or a file of captions.
    """
    learned = read_image_captions(captions, images)
    if validation.lower().endswith(".txt"):
        judged = read_image_captions(captions, validation)
    else:
        judged = read_image_captions(validation)
    both = next((name for name in judged if name in learned), None)
    if both is not None:
        raise InputError(
            f"image {both!r} is both for training and for validation; name the images to train on "
            "with --images"
        )
    return learned, judged


def read_names(path: str | Path) -> list[str]:
    """Names of images, one a line."""
    names = [line.strip() for line in read_text(path).split("\n") if line.strip()]
    if not names:
        raise InputError(f"{path}: no names; give one image a line")
    if len(set(names)) != len(names):
        raise InputError(f"{path}: a name occurs twice")
    return names
