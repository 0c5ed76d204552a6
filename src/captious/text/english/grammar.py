"""Closed classes of English words: pronouns, quantifiers, prepositions and conjunctions.

The lists are those by which CoreNLP 3.6.0 and SPICE 1.0 read captions.
"""

from __future__ import annotations

SINGULAR_PRONOUNS = frozenset(
    "he she it him her his its i me my himself herself itself myself hers one".split()
)
INDEFINITE_ARTICLES = frozenset({"a", "an"})

QUANTIFIERS = frozenset(
    """lots many several plenty tons dozens multitudes mountains loads pairs tens hundreds
    thousands millions billions trillions""".split()
)
QUANTIFIERS_AFTER_ARTICLE = frozenset(
    """lot assortment number couple bunch handful litany sheaf slew dozen series variety multitude
    wad clutch wave mountain array spate string ton range plethora heap sort form kind type version
    bit pair triple total""".split()
)
QUANTIFIERS_BEFORE_ARTICLE = frozenset(
    """some all both neither everyone nobody one two three four five six seven eight nine ten
    hundred thousand million billion trillion""".split()
)

PREPOSITIONS_OF_TWO_WORDS = frozenset(
    """across_from along_with alongside_of apart_from as_for as_from as_of as_per as_to aside_from
    away_from based_on close_by close_to compared_to compared_with contrary_to depending_on
    except_for exclusive_of far_from followed_by inside_of irrespective_of near_to next_to off_of
    out_of outside_of owing_to preliminary_to preparatory_to previous_to prior_to pursuant_to
    regardless_of subsequent_to thanks_to together_with""".split()
)
GOVERNING_PREPOSITIONS = frozenset(
    """apart_from as_from aside_from away_from close_by close_to contrary_to far_from near_to
    next_to out_of outside_of pursuant_to regardless_of together_with""".split()
)
PREPOSITIONS_OF_THREE_WORDS = frozenset(
    """by_means_of in_accordance_with in_addition_to in_case_of in_front_of in_lieu_of in_place_of
    in_spite_of on_account_of on_behalf_of on_top_of with_regard_to with_respect_to""".split()
)
ADDING_CONJUNCTIONS = frozenset({"as_well_as", "but_also"})
EXCLUDING_CONJUNCTIONS = frozenset({"rather_than", "instead_of", "but_rather", "but_not", "not"})

# Articles and the like, and prepositions that are no adverbs: a caption that ends so breaks off.
NON_FINAL_WORDS = frozenset(
    "a an the and or of with from into onto at their its his my your our every than".split()
)
