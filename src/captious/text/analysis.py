"""Analysis of a set of captions, in layers that are computed on first use."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from captious._internal.logs import logger
from captious._internal.memo import Memo
from captious.errors import InputError, short_repr
from captious.io.cache import AnalysisCache, pack_vectors, restore_values, restore_vectors
from captious.text.tokenizer.chunks import Chunks
from captious.text.tokenizer.tokenizer import tokenize_to_chunks

Floats = NDArray[np.float32]
Tokenizer = Callable[[Sequence[str]], Chunks]


# Of text in the cache; a caption may have a lone surrogate.
_ENCODING = ("utf-8", "surrogatepass")

# A no-break space is part of a token: the tokenizer itself joins `4 1/2` by it.
_TOKEN = re.compile(r"\S+", re.ASCII)


def _split(caption: str) -> list[str]:
    return caption.split() if caption.isascii() else _TOKEN.findall(caption)


def tokenize_whitespace(captions: Sequence[str]) -> Chunks:
    """Split captions that are tokenized already: every chunk is a token."""
    return Chunks.build(captions, _split, lambda chunks: list(zip(chunks, strict=True)))


def _other_language(name: str) -> Tokenizer:
    """Return a tokenizer whose module, slow to import, is imported when it is first used."""

    def tokenize(captions: Sequence[str]) -> Chunks:
        from captious.text.tokenizer import international

        chunks: Chunks = getattr(international, name)(captions)
        return chunks

    return tokenize


TOKENIZERS: dict[str, Tokenizer] = {
    "ptb": tokenize_to_chunks,
    "whitespace": tokenize_whitespace,
    "intl": _other_language("tokenize_international"),
    "char": _other_language("tokenize_characters"),
    "zh": _other_language("tokenize_chinese"),
}


class Layer(Protocol):
    """Protocol of a layer of an analysis: tokens, n-grams or parses of all its captions."""

    @classmethod
    def build(cls, analysis: Analysis) -> Any:
        """Compute the layer; where the analysis has a base, with ids that agree with the base's."""


LayerType = TypeVar("LayerType", bound=Layer)
Value = TypeVar("Value")


class Analysis(Memo):
    """A set of unique captions and the layers of analysis computed for them so far.

    An analysis may stand on a base: the candidates' on the references'. Its layers then use the
    base's ids for what the base knows and ids of their own for the rest, and never change the base.
    So references are analysed once, and any number of threads can score against them.
    """

    def __init__(
        self,
        captions: Sequence[str],
        tokenizer: str = "ptb",
        base: Analysis | None = None,
        cache: AnalysisCache | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(tokenizer, str) or tokenizer not in TOKENIZERS:
            raise InputError(
                f"unknown tokenizer {short_repr(tokenizer)}; choose one of: {', '.join(TOKENIZERS)}"
            )
        self.captions = captions
        self.tokenizer = tokenizer
        self.base = base
        self.cache = cache  # on disk, for layers that are expensive to compute

    def load_or_compute(
        self,
        name: str,
        compute: Callable[[list[int]], list[Value]],
        pack: Callable[[Value], str],
        restore: Callable[[str], Value],
        rows: Sequence[int],
    ) -> list[Value]:
        """Return one value for each caption at `rows`, from the cache on disk where it has them.

        `name` says what the values are, in which format, and which model made them. `compute` gives
        the values of the captions at the rows that the cache does not have; `pack` writes a value
        as text, and `restore` reads it, or raises a ValueError, TypeError or LookupError where the
        text is none.
        """
        keys = {row: f"{self.tokenizer}\0{self.captions[row]}" for row in rows}
        cached = self.cache.get(name, list(keys.values())) if self.cache else {}
        known = restore_values(cached, lambda packed: restore(packed.decode(*_ENCODING)))
        missing = [row for row, key in keys.items() if key not in known]
        _log_cache_use(name, self.cache, len(keys), len(missing))
        computed = compute(missing) if missing else []
        if self.cache and missing:
            packed = [pack(value).encode(*_ENCODING) for value in computed]
            self.cache.put(name, dict(zip([keys[row] for row in missing], packed, strict=True)))
        values = dict(zip(missing, computed, strict=True))
        return [values[row] if row in values else known[keys[row]] for row in rows]

    def load_or_compute_vectors(
        self,
        name: str,
        compute: Callable[[list[int]], Floats],
        rows: Sequence[int],
        width: int | None = None,
    ) -> Floats:
        """Return one vector for each caption at `rows`, from the cache on disk where it has them.

        `name` says what the vectors are and which model made them, of the captions as they were
        given. `compute` gives the vectors, all of one width (which may be known before), of the
        captions at the rows that the cache does not have.
        """
        captions = [self.captions[row] for row in rows]
        cached = self.cache.get(name, captions) if self.cache else {}
        known = restore_vectors(cached, width)
        missing = [row for row, caption in zip(rows, captions, strict=True) if caption not in known]
        _log_cache_use(name, self.cache, len(captions), len(missing))
        computed = compute(missing) if missing else np.empty((0, 0), np.float32)
        if missing and any(len(vector) != computed.shape[1] for vector in known.values()):
            known, missing = {}, list(rows)  # the cached vectors are not of this model
            computed = compute(missing)
        if self.cache and missing:
            named = [self.captions[row] for row in missing]
            self.cache.put(name, pack_vectors(dict(zip(named, computed, strict=True))))
        values = dict(zip(missing, computed, strict=True))
        vectors = [
            values[row] if row in values else known[caption]
            for row, caption in zip(rows, captions, strict=True)
        ]
        return np.array(vectors, np.float32).reshape(len(vectors), -1 if vectors else 0)

    def layer(self, kind: type[LayerType]) -> LayerType:
        """Return the layer of this kind, built at the first call."""
        built: LayerType = self.get_or_compute(kind, lambda: kind.build(self))
        return built


def _log_cache_use(name: str, cache: AnalysisCache | None, wanted: int, missing: int) -> None:
    where = "no cache" if cache is None else f"{wanted - missing:,} from the cache"
    logger.info("%s: %s captions, %s, %s to do", name, f"{wanted:,}", where, f"{missing:,}")
