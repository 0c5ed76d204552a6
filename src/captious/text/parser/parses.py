"""Dependency trees of captions, parsed in batches, from the cache where it has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from captious.text.analysis import Analysis
from captious.text.parser.parsed_sentence import Sentence
from captious.text.tokens import Tokens

if TYPE_CHECKING:
    from captious.text.parser.parser import Parser


@dataclass(frozen=True, slots=True)
class Parses:
    """The sentences of every caption."""

    sentences: list[tuple[Sentence, ...]]

    @classmethod
    def build(cls, analysis: Analysis) -> Parses:
        """Parse what the cache does not have."""
        return cls(parse_rows(analysis, range(len(analysis.captions))))


def parse_rows(analysis: Analysis, rows: Sequence[int]) -> list[tuple[Sentence, ...]]:
    """Parse the captions at some rows."""
    words = analysis.layer(Tokens).words

    def parse(missing: list[int]) -> list[tuple[Sentence, ...]]:
        return shipped_parser().parse_all([words[row] for row in missing])

    return analysis.load_or_compute(
        f"parse@{shipped_parser().fingerprint}", parse, _sentences_from_json, rows
    )


@lru_cache(maxsize=1)
def shipped_parser() -> Parser:
    """The parser that ships, loaded when first needed."""
    from captious.text.parser.parser import Parser

    return Parser.load()


def _sentences_from_json(parts: Any) -> tuple[Sentence, ...]:
    """Convert the lists that JSON has to sentences."""
    columns = [column for part in parts for column in part]
    sentences = tuple(Sentence(*map(tuple, part)) for part in parts)
    if set(map(type, (parts, *parts, *columns))) != {list} or not all(map(_is_valid, sentences)):
        raise ValueError("not what the parser gives")
    return sentences


def _is_valid(sentence: Sentence) -> bool:
    """Whether every word has its part of speech, its lemma, its head and its relation."""
    size = len(sentence.words)
    *texts, heads, labels = sentence
    return (
        all(len(column) == size for column in sentence)
        and set(map(type, chain(*texts, labels))) <= {str}
        and all(type(head) is int and 0 <= head <= size for head in heads)
    )
