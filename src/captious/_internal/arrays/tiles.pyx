"""The compiled part of `row_products`: see there, and row_products.h, for what it computes."""

from libc.stdint cimport int64_t

cdef extern from "row_products.h" nogil:
    int PANEL, KINDS
    bint supports(int kind)
    void multiply_rows(
        int kind, const float *rows, Py_ssize_t row_stride, Py_ssize_t row_count,
        Py_ssize_t depth, const float *packed, Py_ssize_t columns, float *products,
        Py_ssize_t product_stride,
    )
    void nearest_rows(
        int kind, const float *rows, const int64_t *row_at, const int64_t *groups,
        const int64_t *bounds, Py_ssize_t count, Py_ssize_t depth, const float *others,
        const int64_t *other_at, const int64_t *segments, float *panel, float *best,
        int64_t *nearest_other, int64_t *nearest_row,
    )

PANEL_COLUMNS = PANEL
# Which tiles this processor can compute, the fastest last.
SUPPORTED_KINDS = tuple([kind for kind in range(KINDS) if supports(kind)])


def multiply(
    const float[:, :] rows, const float[:, :, ::1] packed, float[:, :] products, int kind
):
    """Write each row's product with a packed matrix; numbers of a row lie side by side."""
    cdef Py_ssize_t size = sizeof(float)
    if (
        kind not in SUPPORTED_KINDS
        or packed.shape[2] != PANEL
        or packed.shape[1] != rows.shape[1]
        or products.shape[0] != rows.shape[0]
        or (products.shape[1] + PANEL - 1) // PANEL != packed.shape[0]
        or (rows.shape[1] > 1 and rows.strides[1] != size)
        or (products.shape[1] > 1 and products.strides[1] != size)
        or rows.strides[0] % size
        or products.strides[0] % size
    ):
        raise ValueError("rows, a packed matrix and products that do not fit each other")
    if products.shape[0] == 0 or products.shape[1] == 0:
        return
    if rows.shape[1] == 0:
        products[:, :] = 0
        return
    with nogil:
        multiply_rows(
            kind, &rows[0, 0], rows.strides[0] // size, rows.shape[0], rows.shape[1],
            &packed[0, 0, 0], products.shape[1], &products[0, 0], products.strides[0] // size,
        )


def nearest(
    const float[:, ::1] vectors, const int64_t[::1] rows, const int64_t[::1] groups,
    const float[:, ::1] others, const int64_t[::1] other_rows, const int64_t[::1] segments,
    const int64_t[::1] bounds, float[::1] panel, float[::1] best,
    int64_t[::1] nearest_others, int64_t[::1] nearest_rows_of_others, int kind
):
    """Write the place of the nearest other row in every segment of each row, and of others' rows."""
    if (
        kind not in SUPPORTED_KINDS
        or vectors.shape[1] < 1
        or vectors.shape[1] != others.shape[1]
        or panel.shape[0] != PANEL * vectors.shape[1]
        or groups.shape[0] != bounds.shape[0]
        or groups.shape[0] < 1
        or groups[groups.shape[0] - 1] != rows.shape[0]
        or segments[segments.shape[0] - 1] != other_rows.shape[0]
        or bounds[bounds.shape[0] - 1] != segments.shape[0] - 1
        or best.shape[0] != nearest_others.shape[0]
        or nearest_rows_of_others.shape[0] != other_rows.shape[0]
    ):
        raise ValueError("vectors and rows that do not fit each other")
    if best.shape[0] == 0:
        return
    with nogil:
        nearest_rows(
            kind, &vectors[0, 0], &rows[0], &groups[0], &bounds[0], groups.shape[0] - 1,
            vectors.shape[1], &others[0, 0], &other_rows[0], &segments[0], &panel[0], &best[0],
            &nearest_others[0], &nearest_rows_of_others[0],
        )
