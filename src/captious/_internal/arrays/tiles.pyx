"""The compiled part of `row_products`: see there, and row_products.h, for what it computes."""

cdef extern from "row_products.h" nogil:
    int PANEL, KINDS
    bint supports(int kind)
    void multiply_rows(
        int kind, const float *rows, Py_ssize_t row_stride, Py_ssize_t row_count,
        Py_ssize_t depth, const float *packed, Py_ssize_t columns, float *products,
        Py_ssize_t product_stride,
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
