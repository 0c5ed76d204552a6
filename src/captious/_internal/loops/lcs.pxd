# C types of lcs.py.
cimport cython
from libc.stdint cimport int32_t, int64_t, uint64_t

from captious._internal.loops.step_counter cimport StepCounter

cdef Py_ssize_t BITS
cdef uint64_t FULL

@cython.locals(
    pair=cython.Py_ssize_t, i=cython.Py_ssize_t, j=cython.Py_ssize_t,
    first_a=cython.Py_ssize_t, end_a=cython.Py_ssize_t, first_b=cython.Py_ssize_t,
    size_b=cython.Py_ssize_t, start=cython.Py_ssize_t, end=cython.Py_ssize_t,
    column=uint64_t, matched=uint64_t, added=uint64_t, length=int64_t, one=uint64_t,
    steps=StepCounter,
)
cpdef void lcs_lengths(
    const int32_t[::1] words_a, const int64_t[::1] offsets_a,
    const int32_t[::1] words_b, const int64_t[::1] offsets_b,
    const int64_t[::1] pairs_a, const int64_t[::1] pairs_b,
    uint64_t[::1] masks, uint64_t[::1] carries, int64_t[::1] lengths,
)
