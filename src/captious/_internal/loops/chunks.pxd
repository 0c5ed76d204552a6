# C types of chunks.py.
cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

cdef uint64_t BASIS
cdef uint64_t PRIME
cdef uint64_t WORD
cdef uint64_t MIXER

@cython.locals(
    last_slot=int64_t, different=int32_t, count=int64_t, position=int64_t,
    caption=cython.Py_ssize_t, before=int64_t, start=int64_t, hash=uint64_t, size=int64_t,
    slot=int64_t, number=int32_t, same=int64_t, room=int64_t, no_room=int64_t,
)
cpdef int64_t number_chunks(
    const uint8_t[::1] text, const int64_t[::1] ends, const uint8_t[::1] is_white,
    int32_t[::1] slots, int64_t shift, int64_t[::1] firsts, int64_t[::1] sizes,
    int32_t[::1] numbers, int64_t[::1] lengths,
)
