"""From scores of arcs to trees: one root, every word below it, no cycle.

Where each word's best head by itself makes a tree, that is the answer. Elsewhere it is the best
projective tree with one root (Eisner's algorithm).
Scores are compared sentence by sentence, so a sentence's tree does not depend on its neighbours.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from captious._internal.loops.projective import projective_trees

Scores = NDArray[np.float32]
Heads = NDArray[np.int64]


def decode_heads(scores: Scores) -> Heads:
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
    heads = np.empty((count, length), np.int64)
    sums = np.zeros((4, length, length))
    cuts, todo = np.zeros((3, length, length), np.int64), np.empty((2 * length, 3), np.int64)
    scores = np.ascontiguousarray(scores)
    projective_trees(scores.data, heads.data, sums.data, cuts.data, todo.data)
    return heads
