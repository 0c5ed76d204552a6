# cython: annotation_typing=False, cpow=True
"""Word support: the best cosine of each word to the words of the other side."""

from __future__ import annotations

from typing import Any

from captious._internal.loops.step_counter import StepCounter


def word_support(
    units: Any,
    row_of: Any,
    mine: Any,
    my_offsets: Any,
    theirs: Any,
    their_offsets: Any,
    known_pairs: Any,
    known_cosines: Any,
    my_best: Any,
    their_best: Any,
) -> None:
    """Write the best cosine of each word of a sample's candidate and of its references' words.

    `mine` has the different words of each sample's candidate, `theirs` those of its references
    together, both ascending; `row_of` has each word's row in `units`, vectors at length one. A word
    is as near to itself as can be, whether it has a vector or not; opposite words are as far as
    unrelated ones.

    The same words meet in many samples. `known_pairs` and `known_cosines` remember what was worked
    out last at each of so many places, a power of two; at first all pairs are -1.
    """
    steps = StepCounter()
    size = units.shape[1]
    words = len(row_of)
    last_place = len(known_pairs) - 1
    for sample in range(len(my_offsets) - 1):
        start_a = my_offsets[sample]
        end_a = my_offsets[sample + 1]
        start_b = their_offsets[sample]
        end_b = their_offsets[sample + 1]
        for i in range(start_a, end_a):
            my_best[i] = 0.0
        i = start_a
        for j in range(start_b, end_b):
            while i < end_a and mine[i] < theirs[j]:
                i += 1
            if i < end_a and mine[i] == theirs[j]:
                my_best[i] = 1.0
                their_best[j] = 1.0
            else:
                their_best[j] = 0.0
        for i in range(start_a, end_a):
            row_a = row_of[mine[i]]
            steps.count((end_b - start_b) * size)
            for j in range(start_b, end_b):
                if my_best[i] + their_best[j] == 2.0:
                    continue  # both are matched
                if mine[i] < theirs[j]:
                    pair = mine[i] * words + theirs[j]
                else:
                    pair = theirs[j] * words + mine[i]
                place = (pair ^ (pair >> 15)) & last_place
                if known_pairs[place] == pair:
                    cosine = known_cosines[place]
                else:
                    row_b = row_of[theirs[j]]
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
                    known_pairs[place] = pair
                    known_cosines[place] = cosine
                if cosine > my_best[i]:
                    my_best[i] = cosine
                if cosine > their_best[j]:
                    their_best[j] = cosine
