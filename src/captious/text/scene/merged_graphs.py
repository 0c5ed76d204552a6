"""Scene graphs of many images as arrays, which SPICE counts.

They are the graphs that `SceneGraph.of` builds one by one, for those who look at one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from captious._internal.arrays.ragged import Ragged, offsets_of
from captious._internal.loops.scene_graphs import (
    Graphs,
    MeaningIndex,
    count_concepts,
    count_matches,
    merge_tuples,
)
from captious.text.english import ENGLISH
from captious.text.scene.scene_tuples import SceneTuple

Int32s = NDArray[np.int32]

CONCEPT_COLUMNS, WORD_COLUMNS, ENTRY_COLUMNS = 10, 2, 3
NAMES_OF_TUPLE = 3


@dataclass(frozen=True, eq=False)
class MergedGraphs:
    """Graphs of one or several captions each; the loop says what the columns of arrays are.

    Graphs of candidates stand on those of references: a name has the same meanings in both.
    """

    numbers: Mapping[str, int]  # of names
    categories: Int32s  # of names
    meanings: Ragged  # of names
    meaning_count: int  # with those of the graphs that these stand on
    concepts: Int32s
    words: Int32s
    offsets: Int32s
    max_entries: int  # of an index of one graph
    columns: int  # of counts

    @classmethod
    def of(
        cls,
        tuples: Sequence[Sequence[SceneTuple]],
        groups: Ragged,
        category_of: Mapping[str, int],
        base: MergedGraphs | None = None,
    ) -> MergedGraphs:
        """Merge the tuples of groups of captions, which are rows of `tuples`."""
        rows, names = _number_names(list(chain.from_iterable(tuples)))
        captions = Ragged(np.arange(len(rows)), offsets_of(np.array(list(map(len, tuples)), int)))
        in_groups = captions.take(groups.values)
        offsets = in_groups.offsets[groups.offsets].astype(np.int32)
        rows = rows[in_groups.values]
        meanings, meaning_count = _find_meanings(names, base)
        # Every name may be a concept of its own, and every meaning of an object an entry.
        size = 1 + int((rows >= 0).sum())
        sizes = np.append(meanings.lengths, 0)[rows[:, :2]].sum(axis=1)
        entries = np.diff(np.append(0, np.cumsum(sizes))[offsets])
        merged = cls(
            {name: number for number, name in enumerate(names)},
            np.array([category_of.get(name, 0) for name in names], np.int32),
            meanings,
            meaning_count,
            np.zeros((size, CONCEPT_COLUMNS), np.int32),
            np.zeros((size, WORD_COLUMNS), np.int32),
            np.zeros(len(offsets), np.int32),
            int(entries.max(initial=0)),
            1 + max(category_of.values()),
        )
        shared, touched = np.zeros((2, size), np.int32)
        index = merged._index(meaning_count)
        merge_tuples(rows.data, offsets.data, merged._graphs(), index, shared.data, touched.data)
        return merged

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def counts(self) -> Int32s:
        """The number of each graph's concepts by kind and by category."""
        counts = np.zeros((len(self), self.columns), np.int32)
        count_concepts(self._graphs(), counts.data)
        return counts

    def count_matches(
        self, rows: Sequence[int], references: MergedGraphs, other_rows: Sequence[int]
    ) -> Int32s:
        """Count the concepts of graphs that stand on references and match one of theirs."""
        pairs = np.array([rows, other_rows], np.int32)
        counts = np.zeros((len(rows), self.columns), np.int32)
        marks = np.zeros((len(references.concepts), 2), np.int32)
        index = references._index(self.meaning_count)
        mine, others = self._graphs(), references._graphs()
        count_matches(mine, pairs[0].data, others, pairs[1].data, index, marks.data, counts.data)
        return counts

    def _graphs(self) -> Graphs:
        """Return the arrays as the loops take them."""
        meanings, starts = self.meanings.values, self.meanings.offsets
        arrays = (self.concepts, self.words, self.offsets, meanings, starts, self.categories)
        return Graphs(*(array.data for array in arrays))

    def _index(self, meaning_count: int) -> MeaningIndex:
        """Return an index for one of these graphs after the other."""
        entries = np.zeros((self.max_entries + 1, ENTRY_COLUMNS), np.int32)
        return MeaningIndex(np.zeros(meaning_count, np.int32).data, entries.data)


def _number_names(tuples: Sequence[SceneTuple]) -> tuple[Int32s, list[str]]:
    """Return a row for each tuple, with -1 for the names that it does not have, and the names."""
    flat = list(chain.from_iterable(tuples))
    numbers = {name: number for number, name in enumerate(dict.fromkeys(flat))}
    sizes = np.fromiter(map(len, tuples), np.int64, len(tuples))
    rows = np.full((len(tuples), NAMES_OF_TUPLE), -1, np.int32)
    rows[np.arange(NAMES_OF_TUPLE) < sizes[:, None]] = np.fromiter(
        map(numbers.__getitem__, flat), np.int32, len(flat)
    )
    # `be on` and `on` are one relation.
    relations = [
        numbers.setdefault(name.removeprefix("be "), len(numbers)) for name in list(numbers)
    ]
    is_relation = sizes == NAMES_OF_TUPLE
    rows[is_relation, -1] = np.array(relations, np.int32)[rows[is_relation, -1]]
    return rows, list(numbers)


def _find_meanings(names: Sequence[str], base: MergedGraphs | None) -> tuple[Ragged, int]:
    """Return the meanings of names, and how many meanings there are."""
    synonyms = ENGLISH.synonyms
    synsets = [synonyms.indices(name.replace(" ", "_")) for name in names]
    first = len(synonyms.numbers)
    known = base.numbers if base else {}
    new = base.meaning_count if base else first
    lengths = np.fromiter(map(len, synsets), np.int64, len(synsets))
    offsets = offsets_of(lengths + 1)
    values = np.empty(offsets[-1], np.int32)
    is_synset = np.ones(len(values), np.bool_)
    is_synset[offsets[1:] - 1] = False
    values[is_synset] = np.concatenate([np.empty(0, np.int32), *synsets])
    values[~is_synset] = [
        first + known[name] if name in known else new + number for number, name in enumerate(names)
    ]
    return Ragged(values, offsets.astype(np.int32)), new + len(names)
