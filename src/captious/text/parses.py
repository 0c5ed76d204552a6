"""Dependency trees of captions, parsed in batches, from the cache where it has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from captious.text.analysis import Analysis
from captious.text.sentence import Sentence
from captious.text.tokens import Tokens

if TYPE_CHECKING:
    from captious.text.parser import Parser


@dataclass(frozen=True, slots=True)
class Parses:
    """The sentences of every caption."""

    sentences: list[tuple[Sentence, ...]]

    @classmethod
    def build(cls, analysis: Analysis) -> Parses:
        """Parse what the cache does not have."""
        return cls(sentences_at(analysis, range(len(analysis.captions))))


def sentences_at(analysis: Analysis, rows: Sequence[int]) -> list[tuple[Sentence, ...]]:
    """The sentences of the captions at some rows, where not all are asked for."""
    words = analysis.layer(Tokens).words

    def parse(missing: list[int]) -> list[tuple[Sentence, ...]]:
        return shipped_parser().parse_all([words[row] for row in missing])

    found = analysis.remembered(f"parse@{shipped_parser().fingerprint}", parse, rows)
    return [tuple(_sentence(part) for part in parts) for parts in found]


@lru_cache(maxsize=1)
def shipped_parser() -> Parser:
    """The parser that ships, loaded when first needed."""
    from captious.text.parser import Parser

    return Parser.load()


def _sentence(parts: Sentence | Sequence[Sequence[str]]) -> Sentence:
    """A sentence as it was, from the lists that JSON makes of it."""
    return parts if isinstance(parts, Sentence) else Sentence(*map(tuple, parts))  # type: ignore[arg-type]
