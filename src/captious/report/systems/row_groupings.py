"""The kinds of rows in which systems may be better or worse: what captions are asked to say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.metrics.spice.overlap import COLOR, NUMBER, OBJECT, RELATION, SIZE
from captious.report.systems.grouping import NONE, Kinds, kinds_by_name, kinds_by_number
from captious.report.systems.rarity import SHIPPED, rarity, rarity_said
from captious.report.systems.scenes import ReferenceScenes
from captious.samples import References
from captious.text.languages import ENGLISH
from captious.text.tokens import Tokens

# What is counted in scene graphs of references, as SPICE has it.
IN_SCENES = {
    OBJECT: "objects",
    RELATION: "relations",
    COLOR: "colours",
    NUMBER: "numbers",
    SIZE: "sizes",
}


def kinds_of_groups(groups: Mapping[str, Sequence[str]]) -> list[Kinds]:
    """One way for each column of the user's own."""
    return _known(kinds_by_name(name, values) for name, values in groups.items())


def kinds_of_references(
    references: References, images: IntArray, scenes: ReferenceScenes | None, language: str
) -> list[Kinds]:
    """By length and rarest word and, where there are scene graphs, by what is in them."""
    lengths = references.analysis.layer(Tokens).pieces.lengths_at(references.rows.values)
    sums = np.bincount(references.rows.owners, lengths, minlength=len(references))
    words = np.rint(sums / np.maximum(references.rows.lengths, 1)).astype(np.int64)
    if language == ENGLISH:
        frequencies, whose = DocumentFrequencies.load(SHIPPED), f"the images of {SHIPPED}"
    else:
        frequencies, whose = DocumentFrequencies.collect(references), "these images"
    ways = [
        kinds_by_number("words in references", words[images], "the mean of a sample's references"),
        kinds_by_number(
            "rarest word in references",
            rarity(references, frequencies)[images],
            "the rarest word that two references share (or any, where they share none), by the "
            f"share of {whose} whose references have it",
            rarity_said,
        ),
    ]
    if scenes is not None:
        for category, name in IN_SCENES.items():
            note = f"different {name} in the scene graph of all references together"
            counts = scenes.counts[images, category]
            ways.append(kinds_by_number(f"{name} in references", counts, note))
    return _known(ways)


def kinds_of_captions(counts: Sequence[IntArray | None]) -> list[Kinds]:
    """By the length of each system's own captions; a system without captions is in no kind."""
    known = [each for each in counts if each is not None]
    note = "a system's own captions decide, so that systems have different samples here"
    made = kinds_by_number("words in caption", np.array(known), note) if known else None
    if made is None:
        return []
    numbers = iter(made.numbers)
    nothing = np.full(len(known[0]), NONE)
    by_system = [nothing if each is None else next(numbers) for each in counts]
    return [Kinds(made.title, made.labels, np.array(by_system), made.note)]


def _known(ways: Iterable[Kinds | None]) -> list[Kinds]:
    return [way for way in ways if way is not None]
