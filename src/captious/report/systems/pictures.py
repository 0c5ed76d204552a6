"""Pictures of samples: thumbnails embedded in the page, or links to the files.

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
from captious.images.reading import BadImageError, make_thumbnail

IMAGE_BUDGET_MB = 20.0  # of pictures in a page, by default
BATCH_SIZE = 64  # pictures made before their sizes are looked at
PROGRESS_LABEL = "pictures"  # in progress messages


@dataclass
class Pictures:
    """The address of each sample's picture, empty where there is none, and notes."""

    addresses: list[str]
    notes: list[str] = field(default_factory=list)


def linked_pictures(folder: ImageFolder, names: Sequence[str], page: str | Path) -> Pictures:
    """Return links from the page to the image files, which must not be moved."""
    files, notes = _find_files(folder, names)
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
    """Return thumbnails, in the given order of rows, as many as fit into the budget.

    `chosen` describes which these are.
    """
    files, notes = _find_files(folder, names)
    wanted = [name for name in dict.fromkeys(names[row] for row in order) if name in files]
    made: dict[str, str] = {}
    faults: list[str] = []
    left = int(megabytes * 1e6)
    for name, address in _make_thumbnails(
        {name: files[name] for name in wanted}, make_thumbnail, faults
    ):
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


def order_by_disagreement(scores: Sequence[FloatArray]) -> IntArray:
    """Return all rows: those where systems disagree most, the worst and the best in turn."""
    values = np.nan_to_num(np.array(scores))
    mean, spread = values.mean(axis=0), np.ptp(values, axis=0)
    ranked = [np.argsort(key, kind="stable") for key in (-spread, mean, -mean)]
    rows = np.stack(ranked, axis=1).ravel()
    first = np.unique(rows, return_index=True)[1]
    in_turn: IntArray = rows[np.sort(first)]
    return in_turn


def _find_files(folder: ImageFolder, names: Sequence[str]) -> tuple[dict[str, Path], list[str]]:
    """Find the files by name; a folder that has none of them is an error."""
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


def _make_thumbnails(
    files: Mapping[str, Path], make: Callable[[Path], str], faults: list[str]
) -> Iterator[tuple[str, str]]:
    """Yield thumbnails in order, computed in threads; errors are added to `faults`."""

    def make_or_report_fault(path: Path) -> tuple[str, str]:
        try:
            return make(path), ""
        except BadImageError as error:
            return "", str(error)

    names = list(files)
    report_progress(PROGRESS_LABEL, 0, len(names))
    with thread_pool() as threads:
        for start in range(0, len(names), BATCH_SIZE):
            batch = names[start : start + BATCH_SIZE]
            results = threads.map(make_or_report_fault, (files[name] for name in batch))
            for name, (address, fault) in zip(batch, results, strict=True):
                if fault:
                    faults.append(fault)
                else:
                    yield name, address
            report_progress(PROGRESS_LABEL, start + len(batch), len(names))


def _link(file: Path, beside: Path) -> str:
    """A file's address as seen from a folder: a path whose every letter is plain."""
    try:
        relative = os.path.relpath(file.resolve(), beside)
    except ValueError:
        raise InputError(f"{file}: on another drive than the page, which cannot link it") from None
    return quote(os.fsencode(Path(relative).as_posix()))
