# C types of row_vectors.py.
cimport cython
from libc.stdint cimport int64_t

@cython.locals(
    size=cython.Py_ssize_t, each=cython.Py_ssize_t, place=int64_t, row=int64_t,
    k=cython.Py_ssize_t,
)
cpdef void row_sums(
    const float[:, ::1] vectors, const int64_t[::1] rows, const int64_t[::1] offsets,
    float[:, ::1] sums,
)

# x and y are doubles, in which products of numbers in single precision are exact.
@cython.locals(
    size=cython.Py_ssize_t, eights=cython.Py_ssize_t, pair=cython.Py_ssize_t,
    k=cython.Py_ssize_t, row_a=int64_t, row_b=int64_t,
    even=double, odd=double, x=double, y=double,
)
cpdef void row_products(
    const float[:, ::1] a, const int64_t[::1] rows_a,
    const float[:, ::1] b, const int64_t[::1] rows_b, double[::1] products,
)
