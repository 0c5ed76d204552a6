"""From scores of arcs to trees: one root, every word below it, no cycle.

Where each word's best head by itself makes a tree, that is the answer. Elsewhere it is the best
projective tree with one root (Eisner's algorithm), for all such sentences of a batch at once.
Scores are compared sentence by sentence, so a sentence's tree does not depend on its neighbours.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float32]
Heads = NDArray[np.int64]


def decode(scores: Scores) -> Heads:
    """The heads of a batch: `scores[sentence, word, head]`, where head 0 is the root."""
    heads: Heads = scores.argmax(axis=2)
    broken = np.flatnonzero(~are_trees(heads))
    if len(broken):
        heads[broken] = best_projective(scores[broken])
    return heads


def are_trees(heads: Heads) -> NDArray[np.bool_]:
    """Whether each row of heads has one root that every word leads up to."""
    length = heads.shape[1]
    # Each round doubles how far up every word looks; the root's own head is the root.
    ancestors = np.concatenate([np.zeros((len(heads), 1), heads.dtype), heads], axis=1)
    reach = 1
    while reach <= length:
        ancestors = np.take_along_axis(ancestors, ancestors, axis=1)
        reach *= 2
    result: NDArray[np.bool_] = ((heads == 0).sum(axis=1) == 1) & ~ancestors.any(axis=1)
    return result


def best_projective(scores: Scores) -> Heads:
    """The best projective trees with one root."""
    count, length, _ = scores.shape
    # between[s, h, d]: the arc from word h to word d, counted from 0; the root apart.
    between = np.ascontiguousarray(scores[:, :, 1:].transpose(0, 2, 1), dtype=np.float64)
    root = scores[:, :, 0].astype(np.float64)
    # Best halves of trees over a stretch of words: the head at its left or right end, and either
    # complete or still to be joined by an arc between both ends.
    whole_left = np.zeros((count, length, length))  # head at the left end
    whole_right = np.zeros((count, length, length))  # head at the right end
    split_arc = np.zeros((count, length, length), np.int64)
    split_left = np.zeros((count, length, length), np.int64)
    split_right = np.zeros((count, length, length), np.int64)
    arc_left = np.zeros((count, length, length))
    arc_right = np.zeros((count, length, length))
    for width in range(1, length):
        for start in range(length - width):
            end = start + width
            joined = whole_left[:, start, start:end] + whole_right[:, start + 1 : end + 1, end]
            best = joined.argmax(axis=1)
            value = np.take_along_axis(joined, best[:, None], 1)[:, 0]
            split_arc[:, start, end] = best + start
            arc_left[:, start, end] = value + between[:, start, end]
            arc_right[:, start, end] = value + between[:, end, start]
            joined = (
                arc_left[:, start, start + 1 : end + 1] + whole_left[:, start + 1 : end + 1, end]
            )
            best = joined.argmax(axis=1)
            whole_left[:, start, end] = np.take_along_axis(joined, best[:, None], 1)[:, 0]
            split_left[:, start, end] = best + start + 1
            joined = whole_right[:, start, start:end] + arc_right[:, start:end, end]
            best = joined.argmax(axis=1)
            whole_right[:, start, end] = np.take_along_axis(joined, best[:, None], 1)[:, 0]
            split_right[:, start, end] = best + start
    top = (root + whole_right[:, 0, :] + whole_left[:, :, -1]).argmax(axis=1)
    heads = np.zeros((count, length), np.int64)
    for row in range(count):
        # Stretches still to be taken apart: start, end, whether the head is at the left end,
        # and whether the stretch is complete.
        main = int(top[row])
        todo = [(0, main, False, True), (main, length - 1, True, True)]
        while todo:
            start, end, at_left, complete = todo.pop()
            if start == end:
                continue
            if not complete:
                heads[row, end if at_left else start] = (start if at_left else end) + 1
                cut = int(split_arc[row, start, end])
                todo += [(start, cut, True, True), (cut + 1, end, False, True)]
            elif at_left:
                cut = int(split_left[row, start, end])
                todo += [(start, cut, True, False), (cut, end, True, True)]
            else:
                cut = int(split_right[row, start, end])
                todo += [(start, cut, False, True), (cut, end, False, False)]
    return heads
