# C types of mover.py.
cimport cython
from libc.stdint cimport int32_t, int64_t

from captious._internal.loops.step_counter cimport StepCounter
from captious._internal.loops.transport cimport Transport

cdef double FAR
cdef double SLACK

@cython.locals(
    shared=int64_t, mass_a=int64_t, mass_b=int64_t, whole=double,
    i=cython.Py_ssize_t, j=cython.Py_ssize_t,
)
cdef double _shared_mass(
    const int64_t[::1] names_a, const int64_t[::1] counts_a,
    int64_t start_a, int64_t end_a, int64_t total_a,
    const int64_t[::1] names_b, const int64_t[::1] counts_b,
    int64_t start_b, int64_t end_b, int64_t total_b,
) noexcept

@cython.locals(mass=int64_t, found=cython.Py_ssize_t, i=cython.Py_ssize_t, j=cython.Py_ssize_t)
cdef Py_ssize_t _write_excess(
    const int64_t[::1] names, const int64_t[::1] counts,
    int64_t start, int64_t end, int64_t total,
    const int64_t[::1] other_names, const int64_t[::1] other_counts,
    int64_t other_start, int64_t other_end, int64_t other_total,
    int64_t[::1] places, int64_t[::1] masses,
) noexcept

@cython.locals(
    size=cython.Py_ssize_t, i=cython.Py_ssize_t, j=cython.Py_ssize_t, k=cython.Py_ssize_t,
    row_a=cython.Py_ssize_t, row_b=cython.Py_ssize_t, apart=double,
    first=double, second=double, third=double, fourth=double,
)
cdef void _write_distances(
    const double[:, ::1] vectors_a, const int64_t[::1] words_a, const int64_t[::1] places_a,
    Py_ssize_t n,
    const double[:, ::1] vectors_b, const int64_t[::1] words_b, const int64_t[::1] places_b,
    Py_ssize_t m, double[::1] costs, StepCounter steps,
) except *

@cython.locals(
    problem=Transport, solved=int64_t, sample=cython.Py_ssize_t, pair=cython.Py_ssize_t,
    turn=cython.Py_ssize_t, first=cython.Py_ssize_t, end=cython.Py_ssize_t,
    likely=cython.Py_ssize_t, row_a=cython.Py_ssize_t, row_b=cython.Py_ssize_t,
    start_a=int64_t, end_a=int64_t, start_b=int64_t, end_b=int64_t,
    n=cython.Py_ssize_t, m=cython.Py_ssize_t,
    best=double, most=double, shared=double, whole=double,
)
cpdef int64_t mover_distances(
    const double[:, ::1] vectors_a, const int64_t[::1] names_a, const int64_t[::1] words_a,
    const int64_t[::1] counts_a, const int64_t[::1] offsets_a, const int64_t[::1] totals_a,
    const double[:, ::1] vectors_b, const int64_t[::1] names_b, const int64_t[::1] words_b,
    const int64_t[::1] counts_b, const int64_t[::1] offsets_b, const int64_t[::1] totals_b,
    const int64_t[::1] rows, const int64_t[::1] pairs, const int64_t[::1] pair_offsets,
    bint only_nearest, Py_ssize_t longest_a, Py_ssize_t longest_b, Py_ssize_t cells,
    int64_t[::1] places_a, int64_t[::1] places_b, double[::1] distances,
)
