"""Captions that captioners and metrics are trained on, and those that captioners generate."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path

from captious.errors import InputError
from captious.io.caption_tables import (
    ReadOptions,
    ReferencesById,
    extract_candidates,
    extract_ids,
)
from captious.io.captions import SPLIT, read_references
from captious.io.column_roles import CANDIDATE, REFERENCES, find_columns
from captious.io.input_tables import InputTable, format_names
from captious.io.inputs import read_tab_separated, read_text
from captious.io.reference_cells import ReferenceCells

TRAINING_SPLITS = ("train", "restval")  # Karpathy's, of which captioners see both


def read_training_captions(path: str | Path, reading: ReadOptions | None = None) -> list[str]:
    """All references of a file or, where it has none, its candidates.

    Of a file that names splits, those that captioners are trained on.
    """
    reading = reading or ReadOptions()
    table = _select_training_rows(reading.read_table(path), reading)
    columns = find_columns(table.path, table.columns, (REFERENCES,), roles=table.roles)
    if columns.references:
        cells, ids = ReferenceCells(table, columns.references), extract_ids(table, columns.id)
        captions = list(chain.from_iterable(cells.of(row, ids[row]) for row in range(len(table))))
    else:
        columns = reading.find_columns(table, CANDIDATE, with_ids=False)
        captions = list(extract_candidates(table, columns, replace(reading, repeated=True)).texts)
    if not captions:
        raise InputError(f"{path}: no captions in it")
    reading.report_guesses(table, columns)
    return captions


def _select_training_rows(table: InputTable, reading: ReadOptions) -> InputTable:
    """The rows of the training splits; all rows of a table without splits."""
    if SPLIT not in table.columns:
        return table
    rows = [row for row, split in enumerate(table.columns[SPLIT]) if split in TRAINING_SPLITS]
    splits = " and ".join(TRAINING_SPLITS)
    if not rows:
        there = format_names(dict.fromkeys(map(str, table.columns[SPLIT])))
        raise InputError(f"{table.path}: no rows of the splits {splits}; there are: {there}")
    reading.report(f"{table.path}: only rows of the splits {splits}")
    return table.take(rows)


def read_generated_captions(path: str | Path) -> dict[str, list[str]]:
    """The captions that a captioner generated: one or several of each id."""
    reading = ReadOptions(repeated=True)
    table = reading.read_table(path)
    columns = reading.find_columns(table, CANDIDATE)
    file = extract_candidates(table, columns, reading)
    captions: dict[str, list[str]] = {}
    for image, caption in zip(file.ids, file.texts, strict=True):
        captions.setdefault(str(image), []).append(caption)
    reading.report_guesses(table, columns)
    return captions


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
    names = read_image_names(images)
    absent = [name for name in names if name not in captions]
    if absent:
        others = f" (and of {len(absent) - 1} more images)" if len(absent) > 1 else ""
        raise InputError(f"{path}: no captions of {absent[0]!r}{others}, which {images} names")
    return {name: captions[name] for name in names}


def read_training_and_validation(
    captions: str, images: str | None, validation: str
) -> tuple[ReferencesById, ReferencesById]:
    """Captions to train on and to validate on, which have no image in common.

    `validation` is a list of images of the same file, named `.txt`, or a file of captions.
    """
    for_training = read_image_captions(captions, images)
    if validation.lower().endswith(".txt"):
        for_validation = read_image_captions(captions, validation)
    else:
        for_validation = read_image_captions(validation)
    shared = next((name for name in for_validation if name in for_training), None)
    if shared is not None:
        raise InputError(
            f"image {shared!r} is both for training and for validation; name the images to train "
            "on with --images"
        )
    return for_training, for_validation


def read_image_names(path: str | Path) -> list[str]:
    """Names of images, one a line."""
    names = [line.strip() for line in read_text(path).split("\n") if line.strip()]
    if not names:
        raise InputError(f"{path}: no names; give one image a line")
    if len(set(names)) != len(names):
        raise InputError(f"{path}: a name occurs twice")
    return names
