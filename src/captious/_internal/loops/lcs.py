"""Length of the longest common subsequence of word ids, for many pairs of captions."""

from __future__ import annotations

from typing import Any

from captious._internal.loops.step_counter import StepCounter

try:  # known to Cython, which compiles it away; plain Python keeps its lock
    from cython import nogil
except ImportError:
    from captious._internal.loops.interrupts import nogil

BITS = 63  # one below a machine word, so that a carry never overflows
# So many ones, written out: Cython folds literals, but computes with names in a C int.
FULL = 0x7FFFFFFFFFFFFFFF


def lcs_lengths(
    words_a: Any,
    offsets_a: Any,
    words_b: Any,
    offsets_b: Any,
    pairs_a: Any,
    pairs_b: Any,
    masks: Any,
    carries: Any,
    lengths: Any,
) -> None:
    """Write the length for each pair (row of a, row of b) into `lengths`.

    Bit-parallel dynamic programming: BITS cells of a column are one integer, in which a zero bit
    is a step of the subsequence. Row a is taken in blocks of BITS words; `carries` hands the carry
    of each column on to the next block. `masks` has one zero for each word id, `carries` room for
    the longest row of b.
    """
    one = 1  # typed: a shifted literal would be a C int
    steps = StepCounter()
    with nogil:
        for pair in range(len(lengths)):
            first_a = offsets_a[pairs_a[pair]]
            end_a = offsets_a[pairs_a[pair] + 1]
            first_b = offsets_b[pairs_b[pair]]
            size_b = offsets_b[pairs_b[pair] + 1] - first_b
            length = 0
            for j in range(size_b):
                carries[j] = 0
            start = first_a
            while start < end_a:
                steps.count(size_b)
                end = min(start + BITS, end_a)
                for i in range(start, end):
                    masks[words_a[i]] |= one << (i - start)
                column = FULL
                for j in range(size_b):
                    matched = column & masks[words_b[first_b + j]]
                    added = column + matched + carries[j]
                    carries[j] = added >> BITS
                    column = (added & FULL) | (column - matched)
                for i in range(start, end):
                    masks[words_a[i]] = 0
                    length += one - ((column >> (i - start)) & 1)
                start = end
            lengths[pair] = length
