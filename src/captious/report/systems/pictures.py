"""The samples' pictures: made small and put into the page, or left where they are and linked.

A picture that is missing or cannot be read is no reason to show nothing: its samples have none, and
a note says so.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.progress import report_progress
from captious._internal.threads import thread_pool
from captious.errors import InputError
from captious.images.folder import ImageFolder
from captious.images.reading import BadImageError
from captious.images.thumbnails import thumbnail

BUDGET = 20.0  # megabytes of pictures in a page, unless another number is given
AT_ONCE = 64  # pictures made before their sizes are looked at
WORK = "pictures"  # as whoever listens to progress hears of it


@dataclass
class Pictures:
    """The address of each sample's picture, empty where there is none, and what to say of it."""

    addresses: list[str]
    notes: list[str] = field(default_factory=list)


def linked_pictures(folder: ImageFolder, names: Sequence[str], page: str | Path) -> Pictures:
    """Links from the page to the image files, which have to stay where they are."""
    files, notes = _found(folder, names)
    beside = Path(page).resolve().parent
    links = {name: _link(file, beside) for name, file in files.items()}
    notes.append(f"pictures are links to the files in {folder.path}; keep both where they are")
    return Pictures([links.get(name, "") for name in names], notes)


def inlined_pictures(
    folder: ImageFolder,
    names: Sequence[str],
    order: Sequence[int] | IntArray,
    megabytes: float,
    chosen: str = "those with the best and the worst captions and where systems disagree most",
) -> Pictures:
    """Small pictures, those of the first rows of an order as long as they fit in.

    `chosen` says in words which these are.
    """
    files, notes = _found(folder, names)
    wanted = [name for name in dict.fromkeys(names[row] for row in order) if name in files]
    made: dict[str, str] = {}
    faults: list[str] = []
    left = int(megabytes * 1e6)
    for name, address in _made({name: files[name] for name in wanted}, thumbnail, faults):
        if len(address) > left:
            break
        left -= len(address)
        made[name] = address
    if faults:
        notes.append(f"{len(faults)} pictures cannot be read; the first: {faults[0]}")
    if len(made) + len(faults) < len(wanted):
        notes.append(
            f"pictures of {len(made):,} images of {len(files):,} are in the page, {chosen}: "
            f"{megabytes:g} MB were allowed for them"
        )
    return Pictures([made.get(name, "") for name in names], notes)


def worth_seeing(scores: Sequence[FloatArray]) -> IntArray:
    """All rows: where systems disagree most, the worst and the best in turn, then what is left."""
    values = np.nan_to_num(np.array(scores))
    mean, spread = values.mean(axis=0), np.ptp(values, axis=0)
    ranked = [np.argsort(key, kind="stable") for key in (-spread, mean, -mean)]
    rows = np.stack(ranked, axis=1).ravel()
    first = np.unique(rows, return_index=True)[1]
    in_turn: IntArray = rows[np.sort(first)]
    return in_turn


def _found(folder: ImageFolder, names: Sequence[str]) -> tuple[dict[str, Path], list[str]]:
    """The files by the names that have one; that none has is a wrong folder."""
    files: dict[str, Path] = {}
    faults: list[str] = []
    for name in dict.fromkeys(names):
        try:
            files[name] = folder.find(name)
        except InputError as error:
            faults.append(str(error))
    if not files:
        raise InputError(faults[0])
    notes = [f"{len(faults)} images have no picture; the first: {faults[0]}"] if faults else []
    return files, notes


def _made(
    files: Mapping[str, Path], make: Callable[[Path], str], faults: list[str]
) -> Iterator[tuple[str, str]]:
    """Pictures one after another, made some at a time by several threads; what is bad is told."""

    def made_or_fault(path: Path) -> tuple[str, str]:
        try:
            return make(path), ""
        except BadImageError as error:
            return "", str(error)

    names = list(files)
    report_progress(WORK, 0, len(names))
    with thread_pool() as threads:
        for start in range(0, len(names), AT_ONCE):
            some = names[start : start + AT_ONCE]
            results = threads.map(made_or_fault, (files[name] for name in some))
            for name, (address, fault) in zip(some, results, strict=True):
                if fault:
                    faults.append(fault)
                else:
                    yield name, address
            report_progress(WORK, start + len(some), len(names))


def _link(file: Path, beside: Path) -> str:
    """A file's address as seen from a folder: a path whose every letter is plain."""
    try:
        relative = os.path.relpath(file.resolve(), beside)
    except ValueError:
        raise InputError(f"{file}: on another drive than the page, which cannot link it") from None
    return quote(os.fsencode(Path(relative).as_posix()))
