"""Products whose rows do not depend on their batch: every sum has one order."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from captious._internal.arrays import row_products
from captious._internal.arrays.row_products import PackedMatrix, SingleArray

UNCOMPILED = "uncompiled"
tiles = row_products.tiles
KINDS = [UNCOMPILED, *(tiles.SUPPORTED_KINDS if tiles is not None else ())]
# Either side of every tile's rows, of a panel's columns, and of the uncompiled loop's columns.
SHAPES = [
    *((rows, 5, 3) for rows in (0, 1, 2, 5, 6, 7, 11, 12, 13, 25)),
    *((3, 7, columns) for columns in (0, 1, 15, 16, 17, 31, 32, 33, 65, 255, 256, 257)),
    *((4, depth, 9) for depth in (0, 1, 2, 191, 192)),
]


def multiply(kind: int | str, rows: SingleArray, matrix: SingleArray) -> SingleArray:
    """The product as one of the implementations computes it."""
    products = np.full((len(rows), matrix.shape[1]), np.nan, np.float32)
    if kind == UNCOMPILED:
        row_products._multiply_uncompiled(rows, matrix, products)
    else:
        packed = row_products._pack(matrix, tiles.PANEL_COLUMNS)
        tiles.multiply(rows, packed, products, kind)
    return products


def draw(seed: int, *shape: int) -> SingleArray:
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(shape).astype(np.float32)
    values[rng.random(shape) < 0.2] = 0
    return values


def round_to_single(value: Fraction) -> np.float32:
    """The nearest float in single precision, by comparing with its neighbours exactly."""
    near = np.float32(float(value))
    candidates = [np.nextafter(near, np.float32(side)) for side in (-np.inf, np.inf)] + [near]

    def distance(candidate: np.float32) -> tuple[Fraction, int]:
        is_odd = int(candidate.view(np.int32)) & 1
        return abs(Fraction(float(candidate)) - value), is_odd

    return min(candidates, key=distance)


def chain(row: SingleArray, column: SingleArray) -> np.float32:
    """The definition, in exact arithmetic: one rounding after every step."""
    total = np.float32(0)
    for x, y in zip(row.tolist(), column.tolist(), strict=True):
        total = round_to_single(Fraction(x) * Fraction(y) + Fraction(float(total)))
    return total


@pytest.mark.parametrize("shape", SHAPES)
def test_every_implementation_gives_the_same_bits(shape: tuple[int, int, int]) -> None:
    count, depth, columns = shape
    rows, matrix = draw(1, count, depth), draw(2, depth, columns)
    expected = multiply(UNCOMPILED, rows, matrix)
    np.testing.assert_allclose(expected, rows @ matrix, atol=1e-4)
    for kind in KINDS:
        assert multiply(kind, rows, matrix).tobytes() == expected.tobytes()
    assert PackedMatrix(matrix).multiply(rows).tobytes() == expected.tobytes()


def test_a_compiled_product_is_in_use_where_loops_are_compiled() -> None:
    from captious._internal.loops import is_compiled, lcs

    assert (tiles is not None) == is_compiled(lcs)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("exponent", [0, -60, -70], ids=["normal", "small", "subnormal"])
def test_sums_are_chains_of_fused_multiply_adds(kind: int | str, exponent: int) -> None:
    rows, matrix = draw(3, 7, 12), draw(4, 12, 5)
    rows, matrix = np.ldexp(rows, exponent), np.ldexp(matrix, exponent)
    expected = [[chain(row, column) for column in matrix.T] for row in rows]
    assert multiply(kind, rows, matrix).tolist() == np.array(expected).tolist()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("last_bit", [0, 1])
@pytest.mark.parametrize(
    ("x", "y"),
    [(1 + 2**-18, 1 - 2**-18), (1, 1), (1 + 2**-12, 1 - 2**-12 + 2**-24)],
    ids=["below", "exactly", "above"],
)
def test_a_sum_near_half_way_is_rounded_once(
    kind: int | str, sign: int, last_bit: int, x: float, y: float
) -> None:
    # 1 or its neighbour, plus half a unit in the last place and a little more or less: less than
    # double precision can add to it, so that two roundings would take it for exactly half.
    row = np.array([[sign, 2.0**-24 * x]], np.float32)
    column = np.array([[1 + last_bit * 2.0**-23], [sign * y]], np.float32)
    assert multiply(kind, row, column)[0, 0] == chain(row[0], column[:, 0])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(1, 70), st.integers(1, 70))
def test_a_row_gets_the_same_bits_in_any_batch(
    seed: int, count: int, depth: int, columns: int
) -> None:
    rows, matrix = draw(seed, count, depth), PackedMatrix(draw(seed + 1, depth, columns))
    together = matrix.multiply(rows)
    order = np.random.default_rng(seed).permutation(count)
    assert matrix.multiply(rows[order]).tobytes() == together[order].tobytes()
    for place in range(count):
        assert matrix.multiply(rows[place : place + 1]).tobytes() == together[place].tobytes()


def test_rows_may_stand_in_parts_of_larger_arrays() -> None:
    whole, matrix = draw(5, 4, 6, 20), draw(6, 8, 11)
    packed = PackedMatrix(matrix)
    expected = multiply(UNCOMPILED, whole[..., 3:11].reshape(-1, 8), matrix)
    assert packed.multiply(whole[..., 3:11]).reshape(-1, 11).tobytes() == expected.tobytes()
    backwards = whole[..., 10:2:-1]
    expected = multiply(UNCOMPILED, np.ascontiguousarray(backwards).reshape(-1, 8), matrix)
    assert packed.multiply(backwards).reshape(-1, 11).tobytes() == expected.tobytes()
    out = np.full((24, 11), np.nan, np.float32)
    packed.multiply(np.ascontiguousarray(backwards).reshape(-1, 8), out=out)
    assert out.tobytes() == expected.tobytes()


@pytest.mark.parametrize("kind", KINDS)
def test_nan_stays_in_its_row_and_column(kind: int | str) -> None:
    rows, matrix = draw(7, 9, 6), draw(8, 6, 40)
    rows[4, 2], matrix[3, 35] = np.inf, np.nan
    products = multiply(kind, rows, matrix)
    is_wrong = ~np.isfinite(products)
    assert is_wrong[4].all() and is_wrong[:, 35].all()
    assert is_wrong.sum() == 9 + 40 - 1


def test_shapes_that_do_not_fit_are_refused() -> None:
    matrix = PackedMatrix(draw(9, 3, 2))
    for rows in (draw(0, 3), draw(0, 2, 4)):
        with pytest.raises(ValueError, match="rows of 3 numbers"):
            matrix.multiply(rows)


@pytest.mark.skipif(tiles is None, reason="the compiled product alone reads memory unchecked")
@pytest.mark.parametrize(
    ("rows", "products", "kind"),
    [
        ((4, 5), (4, 7), 0),  # too few numbers in a row
        ((4, 6), (5, 7), 0),  # more products than rows
        ((4, 6), (4, 33), 0),  # more columns than the matrix has
        ((4, 6), (4, 7), 99),  # no such instructions
        ((4, 6), (4, 7), -1),
    ],
)
def test_arrays_that_do_not_fit_never_reach_compiled_code(
    rows: tuple[int, int], products: tuple[int, int], kind: int
) -> None:
    packed = row_products._pack(draw(10, 6, 7), tiles.PANEL_COLUMNS)
    with pytest.raises(ValueError, match="do not fit"):
        tiles.multiply(draw(0, *rows), packed, np.empty(products, np.float32), kind)
    with pytest.raises(ValueError, match="do not fit"):
        apart = np.empty((4, 14), np.float32)[:, ::2]
        tiles.multiply(draw(0, 4, 6), packed, apart, 0)
