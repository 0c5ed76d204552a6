# cython: annotation_typing=False
"""Numbering of n-grams, and of those that a candidate shares with its references."""

from __future__ import annotations

from typing import Any

try:  # known to Cython, which compiles it away; plain Python keeps its lock
    from cython import nogil
except ImportError:
    from captious._internal.loops.interrupts import nogil

MIXER = 0x9E3779B97F4A7C15  # the golden ratio in 64 bits spreads keys over the table
WORD = 0xFFFFFFFFFFFFFFFF
ORDERS = 4


def _find(key: Any, keys: Any, slots: Any, shift: Any) -> Any:
    """The slot in which a key stands, or the empty one in which it would stand.

    A slot holds the place of a key among `keys` plus one; the table is never full.
    """
    last = len(slots) - 1
    slot = ((key * MIXER) & WORD) >> shift
    while slots[slot] != 0 and keys[slots[slot] - 1] != key:
        slot = (slot + 1) & last
    return slot


def number_ngrams(
    words: Any,
    offsets: Any,
    base_keys: Any,
    base_slots: Any,
    base_shift: Any,
    first_node: Any,
    keys: Any,
    slots: Any,
    shift: Any,
    prefixes: Any,
    last_entries: Any,
    nodes: Any,
    counts: Any,
    bag_offsets: Any,
) -> int:
    """Number the n-grams of all captions and count them within each; return how many were new.

    An n-gram is a node of a tree: its key is the node of its first words and its last word, in one
    integer. Nodes that the base has keep their numbers, from 1 on; new ones follow. Row
    ORDERS * caption + n - 1 of the bags holds a caption's distinct n-grams of n words, in order of
    first occurrence.
    """
    new = 0
    entry = 0
    row = 0
    with nogil:
        for caption in range(len(offsets) - 1):
            start = offsets[caption]
            size = offsets[caption + 1] - start
            for place in range(size):
                prefixes[place] = 0
            for n in range(ORDERS):
                first_entry = entry
                for place in range(size - n):
                    key = (prefixes[place] << 32) | words[start + place + n]
                    node = 0
                    if first_node > 1:
                        node = base_slots[_find(key, base_keys, base_slots, base_shift)]
                    if node == 0:
                        slot = _find(key, keys, slots, shift)
                        if slots[slot] == 0:
                            keys[new] = key
                            new += 1
                            slots[slot] = new
                        node = first_node - 1 + slots[slot]
                    prefixes[place] = node
                    if last_entries[node] > first_entry:
                        counts[last_entries[node] - 1] += 1
                    else:
                        nodes[entry] = node
                        counts[entry] = 1
                        entry += 1
                        last_entries[node] = entry
                row += 1
                bag_offsets[row] = entry
    return new


def match_ngrams(
    candidate_nodes: Any,
    candidate_offsets: Any,
    candidate_rows: Any,
    reference_nodes: Any,
    reference_counts: Any,
    reference_offsets: Any,
    pairs: Any,
    pair_offsets: Any,
    entry_of_node: Any,
    highest: Any,
    hit_entries: Any,
    hit_pairs: Any,
    hit_counts: Any,
) -> int:
    """Find each candidate's n-grams in each of its references; return the number of hits.

    Entries are the candidates' distinct n-grams, sample after sample. A hit is an entry that a
    pair's reference has, with its count there; `highest` is the largest count over the references.
    """
    entry = 0
    hit = 0
    with nogil:
        for sample in range(len(candidate_rows)):
            before = entry
            row = candidate_rows[sample]
            for place in range(
                candidate_offsets[ORDERS * row], candidate_offsets[ORDERS * (row + 1)]
            ):
                entry += 1
                entry_of_node[candidate_nodes[place]] = entry
            for pair in range(pair_offsets[sample], pair_offsets[sample + 1]):
                row = pairs[pair]
                for place in range(
                    reference_offsets[ORDERS * row], reference_offsets[ORDERS * (row + 1)]
                ):
                    found = entry_of_node[reference_nodes[place]]
                    if found > before:
                        hit_entries[hit] = found - 1
                        hit_pairs[hit] = pair
                        hit_counts[hit] = reference_counts[place]
                        hit += 1
                        if reference_counts[place] > highest[found - 1]:
                            highest[found - 1] = reference_counts[place]
    return hit


def count_documents(
    nodes: Any, offsets: Any, rows: Any, row_offsets: Any, last: Any, counts: Any
) -> None:
    """Count for each node the images whose captions have it."""
    with nogil:
        for image in range(len(row_offsets) - 1):
            for which in range(row_offsets[image], row_offsets[image + 1]):
                row = rows[which]
                for place in range(offsets[ORDERS * row], offsets[ORDERS * (row + 1)]):
                    node = nodes[place]
                    if last[node] != image + 1:
                        last[node] = image + 1
                        counts[node] += 1
