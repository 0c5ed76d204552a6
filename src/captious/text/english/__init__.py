"""English: its stop words, spelling, grammar, stems, lemmas and synonyms, together as `ENGLISH`."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from captious.text.language import (
        Grammar,
        Hypernyms,
        Language,
        Openings,
        Orthography,
        PictureWords,
        Synonyms,
    )


class English:
    """The parts of English, each loaded when it is first asked for."""

    code = "en"

    @cached_property
    def stop_words(self) -> frozenset[str]:
        """The list of spaCy's."""
        from captious.text.english.stop_words import STOP_WORDS

        return STOP_WORDS

    @cached_property
    def stop_words_name(self) -> str:
        """The list and its version."""
        from captious.text.english.stop_words import NAME

        return NAME

    @cached_property
    def orthography(self) -> Orthography:
        """Abbreviations and contractions."""
        from captious.text.english import orthography

        return orthography

    @cached_property
    def grammar(self) -> Grammar:
        """Pronouns, quantifiers, prepositions and conjunctions."""
        from captious.text.english import grammar

        return grammar

    @cached_property
    def picture_words(self) -> PictureWords:
        """People, places, colours, numbers and sizes."""
        from captious.text.english import picture_words

        return picture_words

    @cached_property
    def openings(self) -> Openings:
        """Captions that speak of the picture, and answers."""
        from captious.text.english import openings

        return openings

    @cached_property
    def known_words(self) -> frozenset[str]:
        """The words of METEOR's tables, and those that are no content."""
        from captious.io.mapped_arrays import read_numbered_lines
        from captious.text.english.stop_words import STOP_WORDS

        return frozenset(read_numbered_lines(self.meteor_tables / "words.txt")) | STOP_WORDS

    @cached_property
    def synonyms(self) -> Synonyms:
        """WordNet's, as METEOR has them."""
        from captious.text.english.synonyms import open_synonyms

        return open_synonyms()

    @cached_property
    def hypernyms(self) -> Hypernyms:
        """WordNet's."""
        from captious.text.english import hypernyms

        return hypernyms.Hypernyms.load()

    @cached_property
    def meteor_tables(self) -> Path:
        """The tables that ship."""
        from captious.text.english.synonyms import SHIPPED

        return SHIPPED

    @cached_property
    def stem(self) -> Callable[[str], str]:
        """Porter2's."""
        from captious.text.english.stemmer import stem

        return stem

    @cached_property
    def lemma(self) -> Callable[[str, str, Mapping[tuple[str, str], str]], str]:
        """CoreNLP's."""
        from captious.text.english.lemmatizer import lemma

        return lemma


ENGLISH: Language = English()
