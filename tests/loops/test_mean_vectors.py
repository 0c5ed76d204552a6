import numpy as np
import pytest

from captious.loops import is_compiled, mean_vectors
from captious.ragged import offsets_of
from tests.loops.uncompiled import uncompiled

PLAIN = uncompiled(mean_vectors)


def sums_and_products(module):
    random = np.random.default_rng(0)
    vectors = random.standard_normal((9, 7))
    offsets = offsets_of(np.array([3, 0, 5]))
    words, weights = random.integers(0, 9, 8), random.random(8)
    sums = np.zeros((3, 7))
    module.weighted_sums(words.data, weights.data, offsets.data, vectors.data, sums.data)
    rows, others = np.array([0, 1, 2, 0]), np.array([2, 0, 2, 8])
    products = np.zeros(4)
    module.paired_products(sums.data, rows.data, vectors.data, others.data, products.data)
    expected = [weights[a:b] @ vectors[words[a:b]] for a, b in ((0, 3), (3, 3), (3, 8))]
    return sums, products, np.array(expected), (sums[rows] * vectors[others]).sum(axis=1)


def test_sums_and_products():
    sums, products, expected_sums, expected_products = sums_and_products(mean_vectors)
    np.testing.assert_allclose(sums, expected_sums, atol=1e-12)
    np.testing.assert_allclose(products, expected_products, atol=1e-12)


def test_compiled_and_uncompiled_agree_to_the_last_bit():
    if not is_compiled(mean_vectors):
        pytest.skip("no compiler")
    found = [sums_and_products(module)[:2] for module in (mean_vectors, PLAIN)]
    assert [array.tolist() for array in found[0]] == [array.tolist() for array in found[1]]
