# C types of scene_graphs.py.
cimport cython
from libc.stdint cimport int32_t

cdef int32_t KIND
cdef int32_t WORDS
cdef int32_t SYNSETS
cdef int32_t FOLLOWING
cdef int32_t TARGET
cdef int32_t ATTRIBUTES
cdef int32_t RELATIONS
cdef int32_t OBJECT
cdef int32_t ATTRIBUTE
cdef int32_t RELATION
cdef int32_t NAME
cdef int32_t OWNER
cdef int32_t NEXT
cdef int32_t MEANING

cdef class Graphs:
    cdef int32_t[:, ::1] concepts, words
    cdef int32_t[::1] offsets
    cdef const int32_t[::1] meanings, starts, categories
    cdef int32_t concept_count, word_count

    cdef int32_t add_concept(self, int32_t kind, int32_t target) noexcept nogil
    @cython.locals(word=int32_t)
    cdef void add_word(self, int32_t concept, int32_t name) noexcept nogil
    @cython.locals(similar=int32_t, concept=int32_t, word=int32_t)
    cdef void merge_or_add(
        self, int32_t owner, int32_t column, int32_t target, int32_t name
    ) noexcept nogil
    @cython.locals(place=int32_t, other_place=int32_t)
    cdef bint shares_meaning(self, int32_t name, Graphs others, int32_t other_name) noexcept nogil
    @cython.locals(word=int32_t, other_word=int32_t)
    cdef bint is_similar(self, int32_t concept, Graphs others, int32_t other) noexcept nogil
    @cython.locals(word=int32_t)
    cdef int32_t category(self, int32_t attribute) noexcept nogil

cdef class MeaningIndex:
    cdef int32_t[::1] heads
    cdef int32_t[:, ::1] entries
    cdef int32_t count

    @cython.locals(entry=int32_t)
    cdef bint add(self, int32_t meaning, int32_t concept) noexcept nogil
    @cython.locals(entry=int32_t)
    cdef void clear(self) noexcept nogil

@cython.locals(graph=cython.Py_ssize_t, row=cython.Py_ssize_t, subject=int32_t, target=int32_t)
cpdef void merge_tuples(
    const int32_t[:, ::1] tuples, const int32_t[::1] offsets, Graphs graphs, MeaningIndex index,
    int32_t[::1] shared, int32_t[::1] touched,
) except *

@cython.locals(
    start=int32_t, last=int32_t, entry=int32_t, count=int32_t, place=int32_t, concept=int32_t,
    best=int32_t, highest=double, common=int32_t, similarity=double,
)
cdef int32_t _find_or_add_object(
    int32_t name, Graphs graphs, MeaningIndex index, int32_t[::1] shared, int32_t[::1] touched
) noexcept nogil

@cython.locals(graph=cython.Py_ssize_t, concept=int32_t, category=int32_t)
cpdef void count_concepts(Graphs graphs, int32_t[:, ::1] counts) except *

@cython.locals(mark=int32_t, sample=cython.Py_ssize_t, concept=int32_t, count=int32_t)
cpdef void count_matches(
    Graphs graphs, const int32_t[::1] rows, Graphs others, const int32_t[::1] other_rows,
    MeaningIndex index, int32_t[:, ::1] marks, int32_t[:, ::1] counts,
) except *

@cython.locals(concept=int32_t, word=int32_t, name=int32_t, place=int32_t)
cdef void _index_objects(Graphs graphs, int32_t graph, MeaningIndex index) noexcept nogil

@cython.locals(
    count=int32_t, word=int32_t, name=int32_t, place=int32_t, entry=int32_t, other=int32_t
)
cdef int32_t _find_similar(
    int32_t concept, Graphs graphs, MeaningIndex index, int32_t[:, ::1] marks, int32_t mark
) noexcept nogil

@cython.locals(
    attribute=int32_t, category=int32_t, is_matched=cython.bint, is_same_category=cython.bint,
    place=int32_t, other=int32_t,
)
cdef void _count_attributes(
    int32_t concept, Graphs graphs, Graphs others, const int32_t[:, ::1] marks, int32_t count,
    int32_t[:, ::1] counts, Py_ssize_t sample,
) noexcept nogil

@cython.locals(relation=int32_t, is_matched=cython.bint, place=int32_t, other=int32_t)
cdef void _count_relations(
    int32_t concept, Graphs graphs, Graphs others, const int32_t[:, ::1] marks, int32_t count,
    int32_t[:, ::1] counts, Py_ssize_t sample,
) noexcept nogil
