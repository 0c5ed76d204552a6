# C types of transport.py.
cimport cython
from libc.stdint cimport int8_t, int64_t

cdef int64_t NONE
cdef int8_t UNSEEN
cdef int8_t ENTERED
cdef int8_t DONE

cdef class Transport:
    cdef readonly double[::1] costs
    cdef readonly int64_t[::1] supply
    cdef readonly int64_t[::1] demand
    cdef double[::1] rows
    cdef double[::1] columns
    cdef int64_t[::1] flow
    cdef double[::1] reach
    cdef int64_t[::1] came_from
    cdef int8_t[::1] is_passed
    cdef double[::1] entry
    cdef int64_t[::1] went_from
    cdef int8_t[::1] state

    @cython.locals(
        bound=double, least=double, i=cython.Py_ssize_t, j=cython.Py_ssize_t,
        costs=cython.double[::1],
    )
    cpdef double bound(self, Py_ssize_t n, Py_ssize_t m) noexcept

    @cython.locals(
        i=cython.Py_ssize_t, source=cython.Py_ssize_t, target=cython.Py_ssize_t, total=double
    )
    cpdef double solve(self, Py_ssize_t n, Py_ssize_t m) noexcept

    @cython.locals(
        i=cython.Py_ssize_t, j=cython.Py_ssize_t, nearest=cython.Py_ssize_t, step=double,
        distance=double, costs=cython.double[::1],
    )
    cdef Py_ssize_t _find(self, Py_ssize_t source, Py_ssize_t n, Py_ssize_t m) noexcept

    @cython.locals(i=cython.Py_ssize_t, j=cython.Py_ssize_t, amount=int64_t)
    cdef void _move(self, Py_ssize_t source, Py_ssize_t target, Py_ssize_t m) noexcept
