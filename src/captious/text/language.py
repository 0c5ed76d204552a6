"""Protocol of a language: its word lists, stemmer, lemmatizer, synonyms and hypernyms.

English is the only one: the folder `english/` has its word lists and rules, and one object,
`ENGLISH`, has them all, each loaded when it is first asked for. Modules that need such words
import that object; no language is passed to them, so that a second one is more than a second
folder (docs/architecture.md). Beside the rules that need them stay patterns of spelling, the Penn
Treebank's and METEOR's, and the few single words that SPICE's rules name: *of*, *and*, *by*, *be*,
*have*.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from captious._internal.arrays.ragged import IntArray

Words = frozenset[str]
NOUN, VERB = "noun", "verb"  # parts of speech that have broader words


class Language(Protocol):
    """The word lists and morphology of one language."""

    code: str  # of ISO 639

    @property
    def stop_words(self) -> Words:
        """Words that say how a sentence is built rather than what is in the picture."""

    @property
    def stop_words_name(self) -> str:
        """Where the stop words come from, as signatures give it."""

    @property
    def orthography(self) -> Orthography:
        """How words are written."""

    @property
    def grammar(self) -> Grammar:
        """Words of closed classes."""

    @property
    def picture_words(self) -> PictureWords:
        """Words for what pictures show."""

    @property
    def picture_opening(self) -> re.Pattern[str]:
        """Beginning of a text about the picture rather than what it shows."""

    @property
    def answer_opening(self) -> re.Pattern[str]:
        """Beginning of an answer to a user."""

    @property
    def known_words(self) -> Words:
        """Words that captions of this language are made of, in lower case."""

    @property
    def synonyms(self) -> Synonyms:
        """Which words may mean the same."""

    @property
    def meteor_tables(self) -> Path:
        """METEOR's folder: stems, synsets, function words and paraphrases."""

    @property
    def hypernyms(self) -> Hypernyms:
        """Senses of nouns and verbs, and their hypernyms."""

    @property
    def stem(self) -> Callable[[str], str]:
        """The stem of a lower-case word."""

    @property
    def lemma(self) -> Callable[[str, str, Mapping[tuple[str, str], str]], str]:
        """The lemma of a word with its tag; the table has what rules get wrong."""


class Orthography(Protocol):
    """How words are written; all in lower case unless said otherwise."""

    SENTENCE_FINAL_ABBREVIATIONS: Words  # with a full stop, which may end a sentence, too
    OTHER_ABBREVIATIONS: Words
    ABBREVIATIONS_BEFORE_NUMBERS: Words  # that are words elsewhere
    ABBREVIATIONS: Words  # all of these
    CAPITALISED_ABBREVIATIONS: Words  # that are words without a capital
    NEVER_ALL_CAPITALS: Words
    METEOR_ABBREVIATIONS: Words  # METEOR's own, as they are spelled
    METEOR_ABBREVIATIONS_BEFORE_NUMBERS: Words
    CLITICS: tuple[str, ...]  # behind an apostrophe
    JOINED_WORDS: Mapping[str, str]  # two words written as one, and the first of them
    WITH_APOSTROPHE_BEHIND: tuple[str, ...]  # without it
    WITH_APOSTROPHE_INSIDE: tuple[str, ...]  # with it
    WITH_APOSTROPHE_BEFORE: tuple[str, ...]  # without it; a word before its beginnings
    SENTENCE_OPENERS: tuple[str, ...]  # with which a sentence is likely to begin


class Grammar(Protocol):
    """Words of closed classes; an expression of several words has underscores."""

    SINGULAR_PRONOUNS: Words
    INDEFINITE_ARTICLES: Words
    QUANTIFIERS: Words  # lots of
    QUANTIFIERS_AFTER_ARTICLE: Words  # a lot of
    QUANTIFIERS_BEFORE_ARTICLE: Words  # some of the, some of them
    PREPOSITIONS_OF_TWO_WORDS: Words
    GOVERNING_PREPOSITIONS: Words  # of two words, where the noun may hang from the first
    PREPOSITIONS_OF_THREE_WORDS: Words
    ADDING_CONJUNCTIONS: Words  # that mean `and`
    EXCLUDING_CONJUNCTIONS: Words  # that mean `not`
    NON_FINAL_WORDS: Words  # with which no sentence ends


class PictureWords(Protocol):
    """Words for what pictures show, as captions use them."""

    GROUPS: Words  # of people
    PLURALS: Words  # of people, without the ending of a plural
    GENERIC_NOUNS: Words  # for a person or a place of any kind
    INTERCHANGEABLE: tuple[Words, ...]  # used for one thing in captions of one image
    PLACE_PREPOSITIONS: Words  # prepositions of place
    PLACE_PARTS: Words  # of a place
    COLOURS: Words
    NUMBERS: Words
    SIZES: Words

    def nouns_for(self, kind: str, /) -> Words:
        """The nouns that name a `person` or a `scene`."""


class Hypernyms(Protocol):
    """Senses of words, and the broader senses (hypernyms) above them."""

    @property
    def fingerprint(self) -> str:
        """The hash of the table."""

    def senses_of(self, word: str, part_of_speech: str) -> frozenset[int]:
        """The usual senses of a base form, as a `noun` or a `verb`."""

    def with_hypernyms(self, word: str, part_of_speech: str) -> frozenset[int]:
        """The same, and all senses above them."""


class Synonyms(Protocol):
    """Synsets, each a meaning that several words share, of words and of their base forms."""

    def synsets(self, word: str) -> frozenset[int]:
        """The synsets' numbers."""

    @property
    def numbers(self) -> IntArray:
        """A number for every synset."""

    def indices(self, word: str) -> IntArray:
        """The synsets' places among all, ascending."""

    def base_forms(self, word: str) -> list[str]:
        """The words of which this is a form."""
