# cython: annotation_typing=False, cpow=True
"""How well the words of candidates and of their references are matched by each other's."""

from __future__ import annotations

from typing import Any

from captious.loops.patience import Patience


def word_support(
    units: Any,
    mine: Any,
    my_offsets: Any,
    rows: Any,
    theirs: Any,
    their_offsets: Any,
    images: Any,
    my_best: Any,
    their_best: Any,
) -> None:
    """Write the best cosine of each word of a sample's candidate and of its references' words.

    `mine` has the different words of each candidate, `theirs` those of each image's references
    together, both ascending, as rows of `units`, words' vectors at length one. `rows` and `images`
    name each sample's. A word is as near to itself as can be, whether it has a vector or not;
    opposite words are as far as unrelated ones. The results stand one sample after another.
    """
    patience = Patience()
    size = units.shape[1]
    at_mine = 0
    at_theirs = 0
    for sample in range(len(rows)):
        start_a = my_offsets[rows[sample]]
        end_a = my_offsets[rows[sample] + 1]
        start_b = their_offsets[images[sample]]
        end_b = their_offsets[images[sample] + 1]
        for i in range(start_a, end_a):
            my_best[at_mine + i - start_a] = 0.0
        i = start_a
        for j in range(start_b, end_b):
            while i < end_a and mine[i] < theirs[j]:
                i += 1
            if i < end_a and mine[i] == theirs[j]:
                my_best[at_mine + i - start_a] = 1.0
                their_best[at_theirs + j - start_b] = 1.0
            else:
                their_best[at_theirs + j - start_b] = 0.0
        for i in range(start_a, end_a):
            row_a = mine[i]
            patience.spend((end_b - start_b) * size)
            for j in range(start_b, end_b):
                if my_best[at_mine + i - start_a] + their_best[at_theirs + j - start_b] == 2.0:
                    continue  # both are matched
                row_b = theirs[j]
                # Four sums that need not wait for each other.
                first = 0.0
                second = 0.0
                third = 0.0
                fourth = 0.0
                for k in range(0, size, 4):
                    first += units[row_a, k] * units[row_b, k]
                    second += units[row_a, k + 1] * units[row_b, k + 1]
                    third += units[row_a, k + 2] * units[row_b, k + 2]
                    fourth += units[row_a, k + 3] * units[row_b, k + 3]
                cosine = (first + second) + (third + fourth)
                if cosine > my_best[at_mine + i - start_a]:
                    my_best[at_mine + i - start_a] = cosine
                if cosine > their_best[at_theirs + j - start_b]:
                    their_best[at_theirs + j - start_b] = cosine
        at_mine += end_a - start_a
        at_theirs += end_b - start_b
