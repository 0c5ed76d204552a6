# C types of meteor_phrases.py.
cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t

@cython.locals(
    roots=int32_t, count=int64_t, row=cython.Py_ssize_t,
    first=int64_t, position=int64_t, last=int64_t, node=int32_t, word=int32_t, low=int32_t,
    high=int32_t, end=int32_t, middle=int32_t,
)
cpdef int64_t find_phrases(
    const int32_t[::1] words, const int64_t[::1] offsets, const uint16_t[::1] node_words,
    const int32_t[::1] children, const int32_t[::1] paraphrases,
    int32_t[::1] starts, int32_t[::1] nodes, uint8_t[::1] lengths,
)

@cython.locals(
    which=cython.Py_ssize_t, before=int64_t, word=int64_t, position=int64_t, mask=int64_t,
)
cpdef void mark_words(
    const int32_t[::1] words, const int64_t[::1] offsets, const int64_t[::1] rows,
    uint8_t[::1] present, uint8_t[::1] bigrams,
)

@cython.locals(
    count=int32_t, size=int32_t, room=int32_t,
    which=cython.Py_ssize_t, begin=int64_t, end=int64_t, phrase=int64_t, node=int32_t,
    place=int32_t, end_place=int32_t, valid=int32_t, shared=int32_t, length=int32_t,
    before_length=int32_t, position=int32_t, known=int64_t,
    word=int64_t, before=int64_t, mask=int64_t, no_room=int64_t, damaged=int64_t,
)
cpdef int64_t choose_paraphrases(
    const int64_t[::1] row_offsets, const int32_t[::1] phrase_starts,
    const int32_t[::1] phrase_nodes, const int64_t[::1] rows, const uint8_t[::1] coded,
    const int32_t[::1] offsets, int32_t one_byte, int32_t longest, const uint8_t[::1] present,
    const uint8_t[::1] bigrams, int32_t[::1] ranges, int32_t[::1] starts, int32_t[::1] words,
)
