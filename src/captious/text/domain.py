"""Domains: a caption space and word order learned from captions of one kind or language.

A domain is a space of captions, and an order of words. What ships was
learned from English captions of photographs; `captious train captious` learns another from a user's
captions. Its file may hold more, such as the weights of a metric.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from captious.errors import InputError
from captious.io.array_files import (
    DECIMALS,
    LINES,
    MAX_MAGNITUDE,
    NUMBERS,
    TEXT,
    WHOLE_NUMBERS,
    ArrayFile,
    Member,
)
from captious.io.inputs import modification_time
from captious.text.languages import language_code
from captious.text.vectors.caption_vectors import CaptionSpace
from captious.text.vectors.word_vectors import WordVectors
from captious.text.word_order import LIMIT_COUNT, WordOrder

NAME = "domain"
_DIMENSIONS = "numbers a vector"
MEMBERS = (
    Member("language", TEXT),
    Member("space_words", LINES, ("words of the space",)),
    Member("space_values", NUMBERS, ("words of the space", _DIMENSIONS)),
    Member("space_scales", DECIMALS, ("words of the space",), 0, MAX_MAGNITUDE),
    Member("order_words", LINES, ("words of the order",)),
    Member("order_classes", WHOLE_NUMBERS, ("words of the order",), 0, 255),
    Member("order_surprise", WHOLE_NUMBERS, ("classes",) * 3, 0, 255),
    Member("order_limits", DECIMALS, (LIMIT_COUNT,)),
)
FILE = ArrayFile("a file of a domain", "train it with `captious train captious`", MEMBERS)


@dataclass(frozen=True, eq=False)
class Domain:
    """A space of captions and an order of words, learned together."""

    language: str
    space: CaptionSpace
    order: WordOrder

    @classmethod
    def load(cls, source: Domain | str | Path) -> Domain:
        """Return a domain, or read it from a file, once while the file does not change."""
        return (
            source if isinstance(source, Domain) else _load(Path(source), modification_time(source))
        )

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of language, space and word order."""
        parts = (self.space.vectors.fingerprint, self.order.fingerprint)
        return hashlib.sha256(" ".join((self.language, *parts)).encode()).hexdigest()[:12]

    def contents(self) -> dict[str, Any]:
        """Return everything by the names of `MEMBERS`."""
        words, order = self.space.vectors, self.order
        return {
            "language": self.language,
            "space_words": words.words,
            "space_values": words.values,
            "space_scales": words.scales,
            "order_words": order.class_of,
            "order_classes": np.fromiter(order.class_of.values(), np.uint8, len(order.class_of)),
            "order_surprise": order.surprise,
            "order_limits": order.limits,
        }


@lru_cache(maxsize=4)
def _load(path: Path, written: int) -> Domain:
    arrays = FILE.read(path)
    try:
        language = language_code(arrays["language"])
        values, scales = arrays["space_values"], arrays["space_scales"].astype(np.float32)
        vectors = WordVectors.from_arrays(NAME, arrays["space_words"], values, scales)
        vectors.check("space")
        order = WordOrder.from_arrays(
            *(arrays[f"order_{name}"] for name in ("words", "classes", "surprise", "limits"))
        )
    except InputError as error:
        raise FILE.error(path, str(error)) from None
    return Domain(language, CaptionSpace(vectors), order)


def load_space(domain: Domain | str | Path | None) -> CaptionSpace:
    """Return the caption space of a domain, or the one that ships."""
    return CaptionSpace.load() if domain is None else Domain.load(domain).space


def load_order(domain: Domain | str | Path | None) -> WordOrder:
    """Return the word order of a domain, or the one that ships."""
    return WordOrder.load() if domain is None else Domain.load(domain).order
