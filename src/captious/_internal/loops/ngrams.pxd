# C types of ngrams.py.
cimport cython
from libc.stdint cimport int32_t, int64_t, uint64_t

cdef uint64_t MIXER
cdef uint64_t WORD
cdef int64_t ORDERS

@cython.locals(last=int64_t, slot=int64_t)
cdef int64_t _find(
    uint64_t key, const uint64_t[::1] keys, const int32_t[::1] slots, int64_t shift
) noexcept nogil

@cython.locals(
    new=int32_t, entry=int32_t, row=int64_t, caption=cython.Py_ssize_t, start=int64_t,
    size=int64_t, place=cython.Py_ssize_t, n=cython.Py_ssize_t, first_entry=int32_t, key=uint64_t,
    node=int32_t, slot=int64_t,
)
cpdef int64_t number_ngrams(
    const int32_t[::1] words, const int64_t[::1] offsets,
    const uint64_t[::1] base_keys, const int32_t[::1] base_slots, int64_t base_shift,
    int64_t first_node, uint64_t[::1] keys, int32_t[::1] slots, int64_t shift,
    uint64_t[::1] prefixes, int32_t[::1] last_entries,
    int32_t[::1] nodes, int32_t[::1] counts, int64_t[::1] bag_offsets,
)

@cython.locals(
    entry=int32_t, before=int32_t, found=int32_t, hit=int64_t, sample=cython.Py_ssize_t,
    row=int64_t, place=cython.Py_ssize_t, pair=cython.Py_ssize_t,
)
cpdef int64_t match_ngrams(
    const int32_t[::1] candidate_nodes, const int64_t[::1] candidate_offsets,
    const int64_t[::1] candidate_rows,
    const int32_t[::1] reference_nodes, const int32_t[::1] reference_counts,
    const int64_t[::1] reference_offsets,
    const int64_t[::1] pairs, const int64_t[::1] pair_offsets,
    int32_t[::1] entry_of_node, int32_t[::1] highest,
    int32_t[::1] hit_entries, int32_t[::1] hit_pairs, int32_t[::1] hit_counts,
)

@cython.locals(
    image=cython.Py_ssize_t, which=cython.Py_ssize_t, row=int64_t, place=cython.Py_ssize_t,
    node=int32_t,
)
cpdef void count_documents(
    const int32_t[::1] nodes, const int64_t[::1] offsets, const int64_t[::1] rows,
    const int64_t[::1] row_offsets, int32_t[::1] last, int32_t[::1] counts,
)
