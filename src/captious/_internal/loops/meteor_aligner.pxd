# C types of meteor_aligner.py.
cimport cython
from libc.stdint cimport int32_t, int64_t, uint64_t

from captious._internal.loops.meteor_matches cimport MatchFinder
from captious._internal.loops.step_counter cimport StepCounter

cdef int32_t BEAM
cdef int64_t COLUMNS
cdef int64_t CHUNKS
cdef int64_t WORD
cdef int64_t CHUNK
cdef int64_t EXACT_GAIN
cdef int32_t SKIP
cdef int32_t INSIDE

cdef class PairAligner(MatchFinder):
    cdef int64_t[::1] ranks, kept_rank
    cdef uint64_t[::1] used
    cdef int32_t[::1] next_word, last_end, trail, kept_parent, kept_match
    cdef int32_t[::1] trail_match, trail_before, selected
    cdef int32_t blocks, trails, half, kept
    cdef StepCounter steps

    @cython.locals(pair=cython.Py_ssize_t, before=int64_t)
    cpdef void align(
        self, const int64_t[::1] left_rows, const int64_t[::1] right_rows, int64_t[::1] statistics
    )
    @cython.locals(position=int32_t, left=int32_t)
    cdef bint is_free(self, int32_t slot, int32_t match) noexcept nogil
    @cython.locals(
        block=int32_t, alive=int32_t, right=int32_t, fixed=cython.bint, winner=int32_t,
        best=int64_t, slot=int32_t, rank=int64_t, step=int32_t, match=int32_t,
    )
    cdef void search(self) noexcept nogil
    @cython.locals(
        slot=int32_t, rank=int64_t, end=int32_t, match=int32_t, new_rank=int64_t,
        most_gain=int64_t,
    )
    cdef int32_t extend(self, int32_t right, bint fixed, int32_t alive) noexcept nogil
    @cython.locals(
        rank=int64_t, end=int32_t, used=int32_t, match=int32_t, last=int32_t, left=int32_t,
        is_full=cython.bint,
    )
    cdef int64_t take_equal_words(self, int32_t slot, int32_t right) noexcept nogil
    @cython.locals(apart=int64_t)
    cdef int64_t distance(self, int32_t match) noexcept nogil
    cdef bint has_room(self, int64_t rank) noexcept nogil
    @cython.locals(place=int32_t)
    cdef bint keep(self, int64_t rank, int32_t slot, int32_t match) noexcept nogil
    @cython.locals(
        half=int32_t, place=int32_t, slot=int32_t, parent=int32_t, match=int32_t, block=int32_t,
        left=int32_t, end=int32_t, one=uint64_t, position=int32_t, place_used=int32_t,
    )
    cdef void settle(self, int32_t right, bint fixed, int32_t kept) noexcept nogil
    @cython.locals(column=cython.Py_ssize_t, position=int64_t)
    cdef void count_words(self, int64_t[::1] statistics, int64_t row) noexcept nogil
    @cython.locals(side=cython.Py_ssize_t)
    cdef void count_identical(self, int64_t[::1] statistics, int64_t row) noexcept nogil
    @cython.locals(
        right=int32_t, end=int32_t, match=int32_t, left=int32_t, column=int64_t, position=int32_t,
        flag=int32_t,
    )
    cdef void count_matches(self, int64_t[::1] statistics, int64_t row) noexcept nogil
