# C types of meteor_matches.py.
cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t

cdef int32_t EXACT
cdef int32_t STEM
cdef int32_t SYNONYM
cdef int32_t PARAPHRASE

cdef class MatchFinder:
    cdef const int32_t[::1] stems, synset_offsets, synsets
    cdef const uint8_t[::1] flags
    cdef const int32_t[::1] left_words, left_phrases, left_nodes, left_ranges
    cdef const int32_t[::1] left_targets, left_target_words
    cdef const int32_t[::1] right_words, right_phrases, right_nodes, right_ranges
    cdef const int32_t[::1] right_targets, right_target_words
    cdef const int64_t[::1] left_offsets, right_offsets
    cdef const uint8_t[::1] left_lengths, right_lengths
    cdef int32_t[::1] stem_serial, stem_head, stem_next, word_serial, word_head, word_next
    cdef int32_t[::1] synset_serial, synset_head, entry_position, entry_next
    cdef int32_t[::1] right_serial, right_head, right_next
    cdef int32_t[::1] match_right, match_left, match_right_size, match_left_size
    cdef int32_t[::1] match_stage, match_gain, match_next
    cdef int32_t[::1] heads, tails, exact_ends, other_gain, left_cover, right_cover, seen
    cdef int32_t longest, capacity, serial, stamp, right_stamp, left_size, right_size, matches
    cdef int64_t left_start, left_full, right_start, right_full

    @cython.locals(
        serial=int32_t, start=int64_t, entry=int32_t, position=int32_t, word=int32_t,
        stem=int32_t, which=int32_t, synset=int32_t,
    )
    cdef void enter_left(self, int64_t row) noexcept nogil
    @cython.locals(stamp=int32_t, start=int64_t, position=int32_t, word=int32_t)
    cdef void enter_right(self, int64_t row) noexcept nogil
    @cython.locals(position=int64_t, left=int32_t)
    cdef bint is_same(self) noexcept nogil
    @cython.locals(match=int32_t, position=int32_t)
    cdef void add_match(
        self, int32_t right, int32_t right_size, int32_t left, int32_t left_size, int32_t stage
    ) noexcept nogil
    @cython.locals(right=int32_t, word=int32_t, left=int32_t, stem=int32_t)
    cdef void match_words(self, bint all_stages) noexcept nogil
    @cython.locals(
        which=int32_t, synset=int32_t, entry=int32_t, left=int32_t, lowest=int32_t,
        highest=int32_t,
    )
    cdef void match_synonyms(self, int32_t right, int32_t word) noexcept nogil
    @cython.locals(
        right=int32_t, left=int32_t, begin=int32_t, phrase=int32_t, size=int32_t, node=int32_t,
        target=int32_t, begin_word=int32_t, length=int32_t, word=int32_t, offset=int32_t,
        same=cython.bint, first=int32_t,
    )
    cdef void match_paraphrases(self) noexcept nogil
    @cython.locals(match=int32_t, position=int32_t, left=int32_t)
    cdef bint is_fixed(self, int32_t right) noexcept nogil
