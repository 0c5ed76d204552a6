# C types of patience.py.
cimport cython
from libc.stdint cimport int64_t

cdef int64_t STRETCH

@cython.final
cdef class Patience:
    cdef int64_t spent

    cpdef int spend(self, int64_t steps) except -1 nogil
