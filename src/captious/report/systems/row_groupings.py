"""Groupings of rows, by number or by name, in which systems may be better or worse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.metrics.spice import COLOR, NUMBER, OBJECT, RELATION, SIZE
from captious.report.systems.scenes import ReferenceScenes
from captious.samples import References, unique_rows
from captious.text.languages import ENGLISH
from captious.text.tokens import Tokens

# Categories counted in scene graphs of references, as SPICE has them.
SCENE_COUNTS = {
    OBJECT: "objects",
    RELATION: "relations",
    COLOR: "colours",
    NUMBER: "numbers",
    SIZE: "sizes",
}
SHIPPED_FREQUENCIES = "coco-val2014"
MIN_REFERENCES = 2  # that share a word
MAX_POWER = 5  # rarer words count as one image in ten to this power
MIN_ROWS = 10  # in a group; smaller ones are merged with neighbours or left out
MAX_GROUPS = 5  # of one number
UNGROUPED = -1  # the group of rows that are in none

Label = Callable[[int, int, bool, bool], str]


@dataclass(frozen=True, eq=False)
class Grouping:
    """Groups of rows by label; each system has its own groups where its captions decide."""

    title: str
    labels: Sequence[str]
    numbers: IntArray  # one a row, or one row of them a system
    note: str = ""


def range_label(low: int, high: int, is_first: bool, is_last: bool) -> str:
    """Return the label of a range of numbers; the first and the last are open."""
    if low == high == 0:
        return "none"
    if is_last and not is_first:
        return f"{low} and more"
    if is_first and low != high:
        return f"up to {high}"
    return str(low) if low == high else f"{low} to {high}"


def group_by_number(
    title: str, values: IntArray, note: str = "", label: Label = range_label
) -> Grouping | None:
    """Return a few ranges with about equally many rows, or None where all numbers are equal.

    Zero is a group of its own.
    """
    different, counts = np.unique(values, return_counts=True)
    ends: list[int] = []  # the place after the last number of each kind
    if different[0] == 0 and len(different) > 1 and counts[0] >= MIN_ROWS:
        ends.append(1)
    start = ends[-1] if ends else 0
    fair = counts[start:].sum() / (MAX_GROUPS - len(ends))
    row_count = 0
    for place in range(start, len(different)):
        row_count += counts[place]
        if row_count >= max(fair, MIN_ROWS):
            ends.append(place + 1)
            row_count = 0
    if row_count:  # what is left over is a kind, or part of the last one
        if row_count >= max(fair / 2, MIN_ROWS) or not ends:
            ends.append(len(different))
        else:
            ends[-1] = len(different)
    if len(ends) < 2:
        return None
    starts = [0, *ends[:-1]]
    labels = [
        label(int(different[first]), int(different[end - 1]), not first, end == len(different))
        for first, end in zip(starts, ends, strict=True)
    ]
    numbers = np.searchsorted(different[starts], values, side="right") - 1
    return Grouping(title, labels, numbers, note)


def group_by_name(title: str, names: Sequence[str], note: str = "") -> Grouping | None:
    """Return one group a name, the largest first; a note says how many small ones are left out."""
    different, numbers = unique_rows(names)
    counts = np.bincount(numbers)
    order = np.argsort(-counts, kind="stable")
    kept = order[counts[order] >= MIN_ROWS]
    if not len(kept):
        return None
    places = np.full(len(different), UNGROUPED)
    places[kept] = np.arange(len(kept))
    made = Grouping(title, [different[place] for place in kept], places[numbers], note)
    missing = len(different) - len(kept)
    if not missing:
        return made
    rows = int(counts.sum() - counts[kept].sum())
    remark = f"{missing} smaller groups, of {rows} samples together, are left out"
    return replace(made, note=f"{note}; {remark}" if note else remark)


def groupings_by_user_columns(groups: Mapping[str, Sequence[str]]) -> list[Grouping]:
    """Return one grouping for each of the user's own columns."""
    return _drop_missing(group_by_name(name, values) for name, values in groups.items())


def groupings_by_references(
    references: References, images: IntArray, scenes: ReferenceScenes | None, language: str
) -> list[Grouping]:
    """Group by length and rarest word and, where there are scene graphs, by their contents."""
    lengths = references.analysis.layer(Tokens).pieces.lengths_at(references.rows.values)
    sums = np.bincount(references.rows.owners, lengths, minlength=len(references))
    words = np.rint(sums / np.maximum(references.rows.lengths, 1)).astype(np.int64)
    if language == ENGLISH:
        frequencies, whose = (
            DocumentFrequencies.load(SHIPPED_FREQUENCIES),
            f"the images of {SHIPPED_FREQUENCIES}",
        )
    else:
        frequencies, whose = DocumentFrequencies.collect(references), "these images"
    ways = [
        group_by_number("words in references", words[images], "the mean of a sample's references"),
        group_by_number(
            "rarest word in references",
            compute_rarity(references, frequencies)[images],
            "the rarest word that two references share (or any, where they share none), by the "
            f"share of {whose} whose references have it",
            rarity_label,
        ),
    ]
    if scenes is not None:
        for category, name in SCENE_COUNTS.items():
            note = f"different {name} in the scene graph of all references together"
            counts = scenes.counts[images, category]
            ways.append(group_by_number(f"{name} in references", counts, note))
    return _drop_missing(ways)


def groupings_by_captions(counts: Sequence[IntArray | None]) -> list[Grouping]:
    """Group by the length of each system's own captions; without captions, rows are in no group."""
    known_counts = [each for each in counts if each is not None]
    note = "a system's own captions decide, so that systems have different samples here"
    made = (
        group_by_number("words in caption", np.array(known_counts), note) if known_counts else None
    )
    if made is None:
        return []
    numbers = iter(made.numbers)
    nothing = np.full(len(known_counts[0]), UNGROUPED)
    by_system = [nothing if each is None else next(numbers) for each in counts]
    return [Grouping(made.title, made.labels, np.array(by_system), made.note)]


def _drop_missing(ways: Iterable[Grouping | None]) -> list[Grouping]:
    return [way for way in ways if way is not None]


def compute_rarity(references: References, frequencies: DocumentFrequencies) -> IntArray:
    """Return, as a power of ten, in how many images one has the rarest word of the references.

    That is 2 for a word that one image in 100 to 999 has. Where no two references share a word, any
    word counts; an image without words has 0.
    """
    tokens = references.analysis.layer(Tokens)
    words = tokens.pieces.take(references.rows.values)
    size = max(tokens.size, 1)
    # Each word once a reference, then each once an image, with how many references have it.
    once = np.unique(words.owners * size + words.values)
    image = references.rows.owners[once // size]
    keys, agreed = np.unique(image * size + once % size, return_counts=True)
    owners = keys // size
    power = _rarity_powers(frequencies, list(tokens.vocabulary))[keys % size]
    rarest = np.zeros(len(references), np.int64)
    np.maximum.at(rarest, owners, power)
    shared = agreed >= MIN_REFERENCES
    among_shared = np.full(len(references), -1)
    np.maximum.at(among_shared, owners[shared], power[shared])
    return np.where(among_shared >= 0, among_shared, rarest)


def _rarity_powers(frequencies: DocumentFrequencies, vocabulary: list[str]) -> IntArray:
    counts = np.maximum(frequencies.of_words(vocabulary), 0.5)  # one that none has is rarer still
    # A hair more, since the logarithm of a thousand may come out below three.
    powers = np.floor(np.log10(frequencies.documents / counts) + 1e-9)
    return np.clip(powers, 0, MAX_POWER).astype(np.int64)


def rarity_label(low: int, high: int, is_first: bool, is_last: bool) -> str:
    """Return the label of a range of powers of ten."""
    if is_last:
        return f"in 1 image of {10**low:,} or fewer"
    if is_first:
        return f"in more than 1 image of {10 ** (high + 1):,}"
    return f"in 1 image of {10**low:,} to {10 ** (high + 1):,}"
