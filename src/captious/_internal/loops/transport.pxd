# C types of transport.py.
cimport cython
from libc.stdint cimport int64_t

from captious._internal.loops.step_counter cimport StepCounter

cdef int64_t NONE
cdef double SLACK

cdef class Transport:
    cdef readonly double[::1] costs
    cdef readonly int64_t[::1] supply
    cdef readonly int64_t[::1] demand
    cdef double[::1] least
    cdef double[::1] potential
    cdef int64_t[::1] flow
    cdef int64_t[::1] depth
    cdef int64_t[::1] parent
    cdef int64_t[::1] eldest
    cdef int64_t[::1] elder
    cdef int64_t[::1] younger
    cdef int64_t[::1] order
    cdef readonly StepCounter steps

    @cython.locals(
        bound=double, least=double, i=cython.Py_ssize_t, j=cython.Py_ssize_t,
        costs=cython.double[::1],
    )
    cpdef double bound(self, Py_ssize_t n, Py_ssize_t m) noexcept

    @cython.locals(
        scale=int64_t, amount=int64_t, total=double, i=cython.Py_ssize_t, j=cython.Py_ssize_t,
        root=cython.Py_ssize_t, row=cython.Py_ssize_t, column=cython.Py_ssize_t,
        without=cython.Py_ssize_t, node=cython.Py_ssize_t, is_settled=cython.bint,
    )
    cpdef double solve(self, Py_ssize_t n, Py_ssize_t m) except? -1

    cdef double _cost(self, Py_ssize_t node, Py_ssize_t n, Py_ssize_t m) noexcept

    @cython.locals(
        moves=cython.Py_ssize_t, nearest=cython.Py_ssize_t, i=cython.Py_ssize_t,
        j=cython.Py_ssize_t, child=cython.Py_ssize_t, parent=cython.Py_ssize_t, amount=int64_t,
        root=cython.Py_ssize_t, node=cython.Py_ssize_t,
    )
    cdef Py_ssize_t _build_initial_tree(self, Py_ssize_t n, Py_ssize_t m) except -2

    @cython.locals(eldest=cython.Py_ssize_t)
    cdef void _attach(self, Py_ssize_t parent, Py_ssize_t child) noexcept

    @cython.locals(elder=cython.Py_ssize_t, younger=cython.Py_ssize_t)
    cdef void _detach(self, Py_ssize_t child) noexcept

    @cython.locals(
        count=cython.Py_ssize_t, parent=cython.Py_ssize_t, child=cython.Py_ssize_t
    )
    cdef void _update_subtree(self, Py_ssize_t top, Py_ssize_t n, Py_ssize_t m) noexcept

    @cython.locals(
        count=cython.Py_ssize_t, shifted=cython.Py_ssize_t, node=cython.Py_ssize_t,
        child=cython.Py_ssize_t,
    )
    cdef Py_ssize_t _shift(self, Py_ssize_t top, double by, Py_ssize_t n) noexcept

    @cython.locals(
        mine=double, gain=double, least=double, beside=double, j=cython.Py_ssize_t,
        first=cython.Py_ssize_t, found=cython.Py_ssize_t, costs=cython.double[::1],
    )
    cdef Py_ssize_t _find_entering_column(self, Py_ssize_t row, Py_ssize_t n, Py_ssize_t m) except -2

    @cython.locals(
        a=cython.Py_ssize_t, b=cython.Py_ssize_t, narrow=cython.Py_ssize_t, is_rows=cython.bint,
        amount=int64_t, node=cython.Py_ssize_t, parent=cython.Py_ssize_t, top=cython.Py_ssize_t,
        cut=cython.bint, above=cython.Py_ssize_t, flow=int64_t, by=double,
    )
    cdef Py_ssize_t _pivot(
        self, Py_ssize_t row, Py_ssize_t column, Py_ssize_t n, Py_ssize_t m
    ) noexcept
