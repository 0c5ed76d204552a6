import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from captious.loops import is_compiled, lcs
from captious.ragged import offsets_of
from tests.loops.uncompiled import uncompiled

PLAIN = uncompiled(lcs)


def lengths(module, rows_a, rows_b):
    flat = [
        (
            np.array([word for row in rows for word in row], np.int32),
            offsets_of(np.array([len(row) for row in rows])),
        )
        for rows in (rows_a, rows_b)
    ]
    found = np.zeros(len(rows_a), np.int64)
    pairs = np.arange(len(rows_a))
    longest = max(map(len, rows_b))
    module.lcs_lengths(
        *(array.data for side in flat for array in side),
        pairs.data,
        pairs.data,
        np.zeros(10, np.uint64).data,
        np.zeros(longest, np.uint64).data,
        found.data,
    )
    return found.tolist()


def by_definition(a, b):
    table = np.zeros((len(a) + 1, len(b) + 1), int)
    for i, word_a in enumerate(a):
        for j, word_b in enumerate(b):
            table[i + 1, j + 1] = (
                table[i, j] + 1 if word_a == word_b else max(table[i, j + 1], table[i + 1, j])
            )
    return int(table[-1, -1])


row = st.lists(st.integers(0, 9), max_size=150)  # more than two blocks of 63 words


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(row, row), min_size=1, max_size=4))
def test_length_is_as_defined_compiled_or_not(pairs):
    rows_a, rows_b = zip(*pairs, strict=True)
    expected = [by_definition(a, b) for a, b in pairs]
    assert lengths(PLAIN, rows_a, rows_b) == expected
    assert lengths(lcs, rows_a, rows_b) == expected


def test_the_two_are_different_code():
    if not is_compiled(lcs):
        pytest.skip("no compiler")
    assert not is_compiled(PLAIN)
