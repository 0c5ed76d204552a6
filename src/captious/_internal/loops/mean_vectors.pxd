# C types of mean_vectors.py.
cimport cython
from libc.stdint cimport int64_t

@cython.locals(
    size=cython.Py_ssize_t, caption=cython.Py_ssize_t, place=cython.Py_ssize_t,
    row=cython.Py_ssize_t, k=cython.Py_ssize_t, weight=double,
)
cpdef void weighted_sums(
    const int64_t[::1] words, const double[::1] weights, const int64_t[::1] offsets,
    const double[:, ::1] vectors, double[:, ::1] sums,
)

@cython.locals(
    size=cython.Py_ssize_t, pair=cython.Py_ssize_t, k=cython.Py_ssize_t,
    row_a=cython.Py_ssize_t, row_b=cython.Py_ssize_t, product=double,
)
cpdef void paired_products(
    const double[:, ::1] a, const int64_t[::1] rows_a,
    const double[:, ::1] b, const int64_t[::1] rows_b, double[::1] products,
)
