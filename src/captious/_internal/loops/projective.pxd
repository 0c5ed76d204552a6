# C types of projective.py.
cimport cython
from libc.stdint cimport int64_t

cdef Py_ssize_t LEFT
cdef Py_ssize_t RIGHT
cdef Py_ssize_t ARC_LEFT
cdef Py_ssize_t ARC_RIGHT
cdef Py_ssize_t ARC

@cython.locals(
    length=cython.Py_ssize_t, width=cython.Py_ssize_t, start=cython.Py_ssize_t,
    end=cython.Py_ssize_t, k=cython.Py_ssize_t, cut=cython.Py_ssize_t, best=double, sum_=double,
)
cdef Py_ssize_t _fill_chart(
    const float[:, :, ::1] scores, Py_ssize_t sentence, double[:, :, ::1] sums,
    int64_t[:, :, ::1] cuts,
) noexcept nogil

@cython.locals(
    last=cython.Py_ssize_t, count=cython.Py_ssize_t, start=int64_t, end=int64_t, cut=int64_t,
    kind=int64_t,
)
cdef void _backtrack(
    int64_t[:, ::1] heads, Py_ssize_t sentence, Py_ssize_t root, const int64_t[:, :, ::1] cuts,
    int64_t[:, ::1] todo,
) noexcept nogil

@cython.locals(sentence=cython.Py_ssize_t)
cpdef void projective_trees(
    const float[:, :, ::1] scores, int64_t[:, ::1] heads, double[:, :, ::1] sums,
    int64_t[:, :, ::1] cuts, int64_t[:, ::1] todo,
) except *
