"""Candidates and references from files, matched by id into a corpus."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from captious.corpus import Corpus, ReferenceColumns
from captious.errors import InputError
from captious.io.formats import read_table
from captious.io.table import Table, describe, unpacked
from captious.shown import shown

# COCO's annotations have an `id` of their own beside the image's.
ID_NAMES = ("image_id", "id")
CANDIDATE_NAMES = ("candidate", "caption")
REFERENCE_LIST = "references"
IMAGE_NAME = "image"
ONE_REFERENCE_NAMES = ("reference", "caption")

References = dict[str, list[str]]


@dataclass(frozen=True)
class CandidateFile:
    """A file's candidates by id, and its references where it has them."""

    ids: list[Hashable]
    captions: dict[str, str]
    references: References | None
    images: list[str] | None = None


def read_corpus(candidates: str | Path, references: str | Path | None = None) -> Corpus:
    """A corpus from a file of candidates and a file of references, or one file with both."""
    file, by_id = _read_both(candidates, references)
    absent = [image for key, image in zip(file.captions, file.ids, strict=True) if key not in by_id]
    if absent:
        others = f" (and {len(absent) - 1} more ids)" if len(absent) > 1 else ""
        raise InputError(
            f"{candidates}: id {shown(absent[0])} has no references in "
            f"{references or candidates}{others}; add references or drop the candidate"
        )
    # Files were matched by the ids' text; scores carry the ids as the candidates have them.
    sets = [by_id[key] for key in file.captions]
    columns = ReferenceColumns.joined(file.ids, sets, file.images)
    return Corpus(list(file.captions.values()), columns, len(by_id) - len(sets))


def read_pair(
    candidates: str | Path, references: str | Path | None = None
) -> tuple[dict[str, str], References]:
    """The same by ids as text, whether they meet or not."""
    file, by_id = _read_both(candidates, references)
    return file.captions, by_id


def _read_both(
    candidates: str | Path, references: str | Path | None
) -> tuple[CandidateFile, References]:
    file = read_candidates(candidates)
    by_id = read_references(references) if references is not None else file.references
    if by_id is None:
        raise InputError(
            f"{candidates}: no column 'references'; add one, or name a file with --references"
        )
    return file, by_id


def read_candidates(path: str | Path) -> CandidateFile:
    """COCO results, or rows of `id`, `candidate` and perhaps `references`."""
    table = read_table(path)
    _require_rows(table)
    name = table.require(*CANDIDATE_NAMES)
    ids = read_ids(table)
    captions: dict[str, str] = {}
    for row, (image, caption) in enumerate(zip(ids, table.columns[name], strict=True)):
        if str(image) in captions:
            raise InputError(
                f"{table.place(row)}: id {shown(image)} occurs twice; "
                "give one candidate for each id"
            )
        captions[str(image)] = _caption(table, row, image, name, caption)
    references = None
    if REFERENCE_LIST in table.columns:
        references = {
            str(image): _reference_list(table, row, image) for row, image in enumerate(ids)
        }
    images = None
    named = table.columns.get(IMAGE_NAME, ())
    if named and all(isinstance(image, str | int) for image in named):
        images = list(map(str, named))  # anything else, such as pixels, is not what we look for
    return CandidateFile(ids, captions, references, images)


def read_written(path: str | Path) -> dict[str, list[str]]:
    """What a machine wrote, to learn from: as candidates, but of each id one caption or several."""
    table = read_table(path)
    _require_rows(table)
    name = table.require(*CANDIDATE_NAMES)
    written: dict[str, list[str]] = {}
    for row, (image, caption) in enumerate(zip(read_ids(table), table.columns[name], strict=True)):
        written.setdefault(str(image), []).append(_caption(table, row, image, name, caption))
    return written


def read_references(path: str | Path) -> References:
    """COCO captions, rows of `id` and `references`, or rows of `id` and one `reference`."""
    table = read_table(path)
    _require_rows(table)
    name = table.require(REFERENCE_LIST, *ONE_REFERENCE_NAMES)
    ids = read_ids(table)
    references: References = {}
    for row, image in enumerate(ids):
        if name != REFERENCE_LIST:
            caption = _caption(table, row, image, name, table.columns[name][row])
            references.setdefault(str(image), []).append(caption)
        elif str(image) in references:
            raise InputError(
                f"{table.place(row)}: id {shown(image)} occurs twice; "
                "put all references of an id into one list"
            )
        else:
            references[str(image)] = _reference_list(table, row, image)
    return references


def _require_rows(table: Table) -> None:
    if not len(table):
        raise InputError(f"{table.path}: no samples; the file has no rows")


def read_ids(table: Table) -> list[Hashable]:
    """Ids as they stand in the file: text, or whole numbers."""
    values = list(table.columns[table.require(*ID_NAMES)])
    for row, value in enumerate(values):
        if isinstance(value, float) and value.is_integer():
            values[row] = int(value)
        elif not isinstance(value, str | int) or isinstance(value, bool):
            raise InputError(
                f"{table.place(row)}: an id must be text or a whole number, found {describe(value)}"
            )
        elif isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
            raise InputError(f"{table.place(row)}: id {shown(value)} is not valid text")
    return values


def _caption(table: Table, row: int, image: Hashable, name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(
            f"{table.place(row)}: id {shown(image)}: {name!r} must be a string, "
            f"found {describe(value)}"
        )
    return value


def _reference_list(table: Table, row: int, image: Hashable) -> list[str]:
    value = unpacked(table.columns[REFERENCE_LIST][row])
    if not isinstance(value, list):
        raise InputError(
            f"{table.place(row)}: id {shown(image)}: 'references' must be a list of strings "
            f'(in CSV written ["...", "..."]), found {describe(value)}'
        )
    if not value:
        raise InputError(f"{table.place(row)}: id {shown(image)}: no references; give at least one")
    return [_caption(table, row, image, REFERENCE_LIST, caption) for caption in value]
