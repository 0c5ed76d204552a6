"""Groupings of rows in which systems may be better or worse, by references and captions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.metrics.spice import COLOR, NUMBER, OBJECT, RELATION, SIZE
from captious.report.systems.grouping import UNGROUPED, Grouping, group_by_name, group_by_number
from captious.report.systems.rarity import SHIPPED_FREQUENCIES, rarity, rarity_label
from captious.report.systems.scenes import ReferenceScenes
from captious.samples import References
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


def groupings_by_user_columns(groups: Mapping[str, Sequence[str]]) -> list[Grouping]:
    """Return one grouping for each of the user's own columns."""
    return _known(group_by_name(name, values) for name, values in groups.items())


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
            rarity(references, frequencies)[images],
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
    return _known(ways)


def groupings_by_captions(counts: Sequence[IntArray | None]) -> list[Grouping]:
    """Group by the length of each system's own captions; without captions, rows are in no group."""
    known = [each for each in counts if each is not None]
    note = "a system's own captions decide, so that systems have different samples here"
    made = group_by_number("words in caption", np.array(known), note) if known else None
    if made is None:
        return []
    numbers = iter(made.numbers)
    nothing = np.full(len(known[0]), UNGROUPED)
    by_system = [nothing if each is None else next(numbers) for each in counts]
    return [Grouping(made.title, made.labels, np.array(by_system), made.note)]


def _known(ways: Iterable[Grouping | None]) -> list[Grouping]:
    return [way for way in ways if way is not None]
