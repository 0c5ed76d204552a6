# C types of word_support.py.
cimport cython
from libc.stdint cimport int64_t

from captious._internal.loops.step_counter cimport StepCounter

@cython.locals(
    size=cython.Py_ssize_t, sample=cython.Py_ssize_t, i=int64_t, j=int64_t, k=cython.Py_ssize_t,
    words=int64_t, last_place=int64_t, pair=int64_t, place=int64_t,
    start_a=int64_t, end_a=int64_t, start_b=int64_t, end_b=int64_t, row_a=int64_t, row_b=int64_t,
    first=double, second=double, third=double, fourth=double, cosine=double, steps=StepCounter,
)
cpdef void word_support(
    const double[:, ::1] units, const int64_t[::1] row_of,
    const int64_t[::1] mine, const int64_t[::1] my_offsets,
    const int64_t[::1] theirs, const int64_t[::1] their_offsets,
    int64_t[::1] known_pairs, double[::1] known_cosines,
    double[::1] my_best, double[::1] their_best,
)
