# C types of step_counter.py.
cimport cython
from libc.stdint cimport int64_t

cdef int64_t MAX_UNCHECKED_STEPS

@cython.final
cdef class StepCounter:
    cdef int64_t unchecked

    cpdef int count(self, int64_t steps) except -1 nogil
