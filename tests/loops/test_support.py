import numpy as np
import pytest

from captious.loops import is_compiled, support
from captious.ragged import offsets_of
from tests.loops.uncompiled import uncompiled

PLAIN = uncompiled(support)


def best_matches(module):
    random = np.random.default_rng(0)
    units = random.standard_normal((9, 8))
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    mine, my_offsets = np.array([0, 3, 5, 2, 8]), offsets_of(np.array([3, 0, 2]))
    theirs, their_offsets = np.array([1, 3, 4, 7, 2]), offsets_of(np.array([4, 1]))
    rows, images = np.array([0, 1, 2, 2]), np.array([0, 0, 0, 1])
    my_best, their_best = np.full(7, np.nan), np.full(13, np.nan)
    module.word_support(
        units.data,
        *(mine.data, my_offsets.data, rows.data),
        *(theirs.data, their_offsets.data, images.data),
        *(my_best.data, their_best.data),
    )
    return units, my_best, their_best


def test_best_matches():
    units, my_best, their_best = best_matches(support)
    cosines = np.maximum(units @ units.T, 0)
    np.fill_diagonal(cosines, 1)
    first = cosines[np.ix_([0, 3, 5], [1, 3, 4, 7])]
    last = cosines[np.ix_([2, 8], [2])]
    third = cosines[np.ix_([2, 8], [1, 3, 4, 7])]
    mine = [*first.max(axis=1), *third.max(axis=1), *last.max(axis=1)]
    # The second candidate has no words: nothing of its references is matched.
    theirs = [*first.max(axis=0), 0, 0, 0, 0, *third.max(axis=0), *last.max(axis=0)]
    np.testing.assert_allclose(my_best, mine, atol=1e-12)
    np.testing.assert_allclose(their_best, theirs, atol=1e-12)


def test_compiled_and_uncompiled_agree_to_the_last_bit():
    if not is_compiled(support):
        pytest.skip("no compiler")
    found = [best_matches(module)[1:] for module in (support, PLAIN)]
    assert [array.tolist() for array in found[0]] == [array.tolist() for array in found[1]]
