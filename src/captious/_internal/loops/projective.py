"""The best projective trees with one root, by Eisner's algorithm."""

from __future__ import annotations

from typing import Any

try:  # known to Cython, which compiles it away; plain Python keeps its lock
    from cython import nogil
except ImportError:
    from captious._internal.loops.interrupts import nogil

# Kinds of stretches of words: complete, with the head at the left or at the right end; and still to
# be joined by an arc between both ends, from the left or from the right one.
LEFT = 0
RIGHT = 1
ARC_LEFT = 2
ARC_RIGHT = 3
# Where a span is split into two; both kinds of arcs lie over the same two.
ARC = 2


def projective_trees(scores: Any, heads: Any, sums: Any, cuts: Any, todo: Any) -> None:
    """Write the heads of each sentence's best tree, from `scores[sentence, word, head]`.

    Heads count from 1; 0 is the root. Of equal trees the one cut further to the left wins. `sums`
    has room for four, `cuts` for three squares of a sentence's length, zeros at first, and `todo`
    for three numbers twice as often as a sentence has words.
    """
    with nogil:
        for sentence in range(len(scores)):
            _backtrack(heads, sentence, _fill_chart(scores, sentence, sums, cuts), cuts, todo)


def _fill_chart(scores: Any, sentence: Any, sums: Any, cuts: Any) -> Any:
    """Find the best sum over every span, and where it is split; return the root's child."""
    length = scores.shape[1]
    for width in range(1, length):
        for start in range(length - width):
            end = start + width
            cut = start
            best = sums[LEFT, start, start] + sums[RIGHT, start + 1, end]
            for k in range(start + 1, end):
                sum_ = sums[LEFT, start, k] + sums[RIGHT, k + 1, end]
                if sum_ > best:
                    best = sum_
                    cut = k
            cuts[ARC, start, end] = cut
            sums[ARC_LEFT, start, end] = best + scores[sentence, end, start + 1]
            sums[ARC_RIGHT, start, end] = best + scores[sentence, start, end + 1]
            cut = start + 1
            best = sums[ARC_LEFT, start, cut] + sums[LEFT, cut, end]
            for k in range(start + 2, end + 1):
                sum_ = sums[ARC_LEFT, start, k] + sums[LEFT, k, end]
                if sum_ > best:
                    best = sum_
                    cut = k
            sums[LEFT, start, end] = best
            cuts[LEFT, start, end] = cut
            cut = start
            best = sums[RIGHT, start, start] + sums[ARC_RIGHT, start, end]
            for k in range(start + 1, end):
                sum_ = sums[RIGHT, start, k] + sums[ARC_RIGHT, k, end]
                if sum_ > best:
                    best = sum_
                    cut = k
            sums[RIGHT, start, end] = best
            cuts[RIGHT, start, end] = cut
    cut = 0
    best = scores[sentence, 0, 0] + sums[RIGHT, 0, 0] + sums[LEFT, 0, length - 1]
    for k in range(1, length):
        sum_ = scores[sentence, k, 0] + sums[RIGHT, 0, k] + sums[LEFT, k, length - 1]
        if sum_ > best:
            best = sum_
            cut = k
    return cut


def _backtrack(heads: Any, sentence: Any, root: Any, cuts: Any, todo: Any) -> None:
    """Write the heads along the splits; `todo` has spans still to be split: start, end, kind."""
    last = heads.shape[1] - 1
    heads[sentence, root] = 0
    todo[0, 0] = 0
    todo[0, 1] = root
    todo[0, 2] = RIGHT
    todo[1, 0] = root
    todo[1, 1] = last
    todo[1, 2] = LEFT
    count = 2
    while count:
        count -= 1
        start = todo[count, 0]
        end = todo[count, 1]
        kind = todo[count, 2]
        if start == end:
            continue
        if kind == LEFT:
            cut = cuts[LEFT, start, end]
            todo[count, 1] = cut
            todo[count, 2] = ARC_LEFT
            todo[count + 1, 0] = cut
            todo[count + 1, 1] = end
            todo[count + 1, 2] = LEFT
        elif kind == RIGHT:
            cut = cuts[RIGHT, start, end]
            todo[count, 1] = cut
            todo[count + 1, 0] = cut
            todo[count + 1, 1] = end
            todo[count + 1, 2] = ARC_RIGHT
        else:
            if kind == ARC_LEFT:
                heads[sentence, end] = start + 1
            else:
                heads[sentence, start] = end + 1
            cut = cuts[ARC, start, end]
            todo[count, 1] = cut
            todo[count, 2] = LEFT
            todo[count + 1, 0] = cut + 1
            todo[count + 1, 1] = end
            todo[count + 1, 2] = RIGHT
        count += 2
