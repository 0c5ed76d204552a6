# C types of patience.py.
from libc.stdint cimport int64_t

cdef int64_t STRETCH

cdef class Patience:
    cdef int64_t spent

    cpdef void spend(self, int64_t steps) except *
