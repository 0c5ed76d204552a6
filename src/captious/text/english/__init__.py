"""English: its stop words, spelling, grammar, stems, lemmas and synonyms, together as `ENGLISH`."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from captious.resources import RESOURCES
from captious.text.english import word_lists

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from captious.text.language import (
        Grammar,
        Hypernyms,
        Language,
        Orthography,
        PictureWords,
        Synonyms,
    )


class English:
    """The parts of English, each loaded when it is first asked for."""

    code = "en"
    orthography: Orthography = word_lists
    grammar: Grammar = word_lists
    picture_words: PictureWords = word_lists
    stop_words_name = word_lists.STOP_WORDS_NAME

    @cached_property
    def stop_words(self) -> frozenset[str]:
        """The stop words of spaCy."""
        return word_lists.read_stop_words()

    @cached_property
    def picture_opening(self) -> re.Pattern[str]:
        """Beginning of a text about the picture rather than what it shows."""
        return re.compile(word_lists.PICTURE_OPENING, re.IGNORECASE)

    @cached_property
    def answer_opening(self) -> re.Pattern[str]:
        """Beginning of an answer to a user."""
        return re.compile(word_lists.ANSWER_OPENING, re.IGNORECASE)

    @cached_property
    def known_words(self) -> frozenset[str]:
        """The words of METEOR's tables, and those that are no content."""
        from captious.io.mapped_arrays import read_text

        words = read_text(self.meteor_tables / "words.txt").split("\n")
        return frozenset(chain(words, self.stop_words))

    @cached_property
    def synonyms(self) -> Synonyms:
        """The synsets of WordNet, as METEOR has them."""
        from captious.text.english.synonyms import open_synonyms

        return open_synonyms()

    @cached_property
    def hypernyms(self) -> Hypernyms:
        """The hypernyms of WordNet."""
        from captious.text.english.hypernyms import Hypernyms

        return Hypernyms.load()

    @cached_property
    def meteor_tables(self) -> Path:
        """The folder of METEOR's tables that ship."""
        return RESOURCES / "meteor"

    @cached_property
    def stem(self) -> Callable[[str], str]:
        """The Porter2 stemmer."""
        from captious.text.english.stemmer import stem

        return stem

    @cached_property
    def lemma(self) -> Callable[[str, str, Mapping[tuple[str, str], str]], str]:
        """The lemmatizer of CoreNLP."""
        from captious.text.english.lemmatizer import lemma

        return lemma


ENGLISH: Language = English()
