# C types of scene_rules.py.
cimport cython
from libc.stdint cimport int32_t

cdef int32_t SUBJECT
cdef int32_t PASSIVE_SUBJECT
cdef int32_t CLAUSE
cdef int32_t ADJECTIVE
cdef int32_t COPULA
cdef int32_t CASE
cdef int32_t COMPOUND
cdef int32_t PARTICLE
cdef int32_t EXPRESSION
cdef int32_t NUMERAL
cdef int32_t QUANTIFIER
cdef int32_t DIRECT
cdef int32_t INDIRECT
cdef int32_t POSSESSOR
cdef int32_t AGENT
cdef int32_t NAMED
cdef int32_t NOUN
cdef int32_t PLURAL
cdef int32_t VERB
cdef int32_t ADJECTIVAL
cdef int32_t COMPOUNDED
cdef int32_t ROOT
cdef int32_t SUBJECT_OF_VERB
cdef int32_t COUNTED_ALONE
cdef int32_t NOT_COUNTED
cdef int32_t ACTIONS
cdef int32_t CLAUSES
cdef int32_t STATES
cdef int32_t COPULAS
cdef int32_t ADJECTIVES
cdef int32_t PREDICATES
cdef int32_t PLACES
cdef int32_t POSSESSIONS
cdef int32_t PASSIVES
cdef int32_t NUMBERS
cdef int32_t COMPOUNDS
cdef int32_t OBJECTS
cdef int32_t ENTERED
cdef int32_t LEFT

cdef class SceneRules:
    cdef object nouns, plurals, words, lemmas
    cdef dict codes, bits_of
    cdef list prepositions, names, rules
    cdef int32_t node_capacity, edge_capacity, size
    cdef bint is_ascending
    cdef int32_t[::1] tokens, bits, starts, order, keys, firsts, states, stack, next_edge
    cdef int32_t[::1] children, labels

    cdef void _reserve(self, int32_t nodes, int32_t edges) except *
    @cython.locals(code=int32_t)
    cdef int32_t _code(self, label) except -1
    @cython.locals(bits=int32_t)
    cdef int32_t _tag_bits(self, tag) except -1
    @cython.locals(
        child=int32_t, governor=int32_t, last=int32_t, node=int32_t, place=int32_t, size=int32_t,
    )
    cdef void _load(self, tags, tokens, list edges) except *
    @cython.locals(slots=int32_t)
    cdef int32_t _mask(self, int32_t nodes) noexcept nogil
    @cython.locals(
        child=int32_t, distinct=int32_t, end=int32_t, label=int32_t, mask=int32_t, node=int32_t,
        place=int32_t, start=int32_t, target=int32_t,
    )
    cdef void _order_children(self, int32_t sentence) noexcept nogil
    cdef bint _comes_before(self, int32_t node, int32_t other) noexcept nogil
    @cython.locals(
        back=int32_t, child=int32_t, count=int32_t, depth=int32_t, free=int32_t, mask=int32_t,
        node=int32_t, place=int32_t, target=int32_t,
    )
    cdef void _order_nodes(self, int32_t sentence) noexcept nogil
    @cython.locals(place=int32_t)
    cdef int32_t _first(self, int32_t node, int32_t label) noexcept nogil
    cdef bint _is_object(self, int32_t place, int32_t bits) noexcept nogil
    @cython.locals(place=int32_t)
    cdef int32_t _first_object(self, int32_t node, int32_t bits) noexcept nogil
    @cython.locals(place=int32_t)
    cdef int32_t _first_plural(self, int32_t node) noexcept nogil
    @cython.locals(name=str, place=int32_t)
    cdef str _verb(self, int32_t verb)
    @cython.locals(action=str, child=int32_t, name=str, place=int32_t)
    cdef void _add_actions(self, int32_t rule, int32_t subject, int32_t verb) except *
    @cython.locals(
        acts=cython.bint, case=int32_t, child=int32_t, copula=int32_t, is_state=cython.bint,
        place=int32_t,
    )
    cdef void _add_subjects(self, int32_t node) except *
    @cython.locals(has_copula=cython.bint, node=int32_t, place=int32_t, preposition=str)
    cdef void _add_state(self, int32_t subject, int32_t predicate, int32_t case) except *
    @cython.locals(place=int32_t)
    cdef void _add_clauses(self, int32_t noun) except *
    @cython.locals(child=int32_t, place=int32_t)
    cdef void _add_adjectives(self, int32_t node) except *
    @cython.locals(child=int32_t, label=int32_t, name=str, place=int32_t, preposition=str)
    cdef void _add_noun_modifiers(self, int32_t noun) except *
    @cython.locals(agent=int32_t, child=int32_t, other=int32_t, place=int32_t)
    cdef void _add_passives(self, int32_t verb) except *
    @cython.locals(has_numbers=cython.bint, node=int32_t, place=int32_t)
    cdef void _add_numbers(self) except *
    @cython.locals(child=int32_t, has_plural=cython.bint, is_counted=cython.bint, place=int32_t)
    cdef void _mark_subjects(self, int32_t verb) noexcept nogil
    @cython.locals(label=int32_t, place=int32_t, subject=int32_t)
    cdef void _add_numbers_beside_verb(self, int32_t verb) except *
    @cython.locals(number=int32_t)
    cdef void _add_number(self, int32_t noun, bint with_quantifier) except *
