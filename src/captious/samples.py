"""What a metric reads: references prepared once, and the candidates scored against them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import TypeVar

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged, offsets_of
from captious._internal.memo import Memo, RecentCache
from captious.corpus import ReferenceColumns
from captious.io.cache import AnalysisCache
from captious.text.analysis import Analysis
from captious.text.tokens import Tokens

Name = TypeVar("Name", bound=Hashable)
BLOCK = 8192  # samples scored at once: bounds memory, changes no score
KEPT_REFERENCES = 2  # sets that `analysed_once` keeps: SPICE takes candidates for one, too
KEPT_BLOCKS = 8  # of samples; more are analysed anew, so that memory stays bounded


class _Shared:
    """What was analysed last, for those who score the same captions one after another."""

    def __init__(self) -> None:
        self.references = RecentCache(KEPT_REFERENCES)
        self.samples = RecentCache(KEPT_BLOCKS)


_shared: ContextVar[_Shared | None] = ContextVar("captious shared analysis", default=None)


@contextmanager
def analysed_once() -> Iterator[None]:
    """Captions that are scored several times within, metric after metric, are analysed once.

    They are known by what they say at each call, so whoever changes them in between gets the
    scores of the changed ones. Nothing is kept beyond the block.
    """
    before = _shared.set(_Shared())
    try:
        yield
    finally:
        _shared.reset(before)


def _texts(captions: Sequence[str]) -> tuple[str, ...]:
    """Captions to compare: plain text, whatever a subclass of `str` takes for equal."""
    return tuple(map(str.__str__, captions))


def unique_rows(captions: Sequence[Name]) -> tuple[list[Name], IntArray]:
    """The distinct captions in order of first occurrence, and each caption's row among them."""
    unique = dict.fromkeys(captions)
    numbers = dict(zip(unique, range(len(unique)), strict=True))
    return list(unique), np.fromiter(map(numbers.__getitem__, captions), np.int64, len(captions))


class References(Memo):
    """The reference captions of many images, each unique caption analysed once."""

    def __init__(
        self,
        captions: Sequence[str],
        offsets: IntArray,
        tokenizer: str = "ptb",
        cache: AnalysisCache | None = None,
        image_names: Sequence[str] | None = None,
        documents: Sequence[Hashable] | None = None,
    ) -> None:
        super().__init__()
        unique, rows = unique_rows(captions)
        self.image_names = image_names  # by which metrics that see images find them
        self.analysis = Analysis(unique, tokenizer, cache=cache)
        self.rows = Ragged(rows, offsets)
        self._documents = documents

    @classmethod
    def of(
        cls,
        columns: ReferenceColumns,
        tokenizer: str = "ptb",
        cache: AnalysisCache | None = None,
        image_names: Sequence[str] | None = None,
    ) -> References:
        """References that were checked already."""
        names, documents = image_names, columns.documents
        shared = _shared.get()
        if shared is None:
            return cls(columns.captions, columns.offsets, tokenizer, cache, names, documents)
        # Made of copies: what is shared stays as it was, whatever becomes of what was given.
        captions, offsets = _texts(columns.captions), columns.offsets.copy()
        names = None if names is None else tuple(names)
        owners = None if documents is None else tuple(documents)
        folder = None if cache is None else cache.folder
        content = (cls, tokenizer, folder, captions, offsets.tobytes(), names, owners)
        return shared.references.get_or_compute(
            content, lambda: cls(captions, offsets, tokenizer, cache, names, owners)
        )

    def regrouped(self, rows: Ragged) -> References:
        """The same captions as references of other images, for which nothing is analysed anew."""
        others = References((), rows.offsets, self.analysis.tokenizer)
        others.analysis, others.rows = self.analysis, rows
        return others

    @property
    def documents(self) -> Ragged:
        """The rows of each document's captions; a document is an image, unless several share it."""
        names = self._documents
        return (
            self.rows
            if names is None
            else self.get_or_compute("documents", lambda: self._by(names))
        )

    def _by(self, names: Sequence[Hashable]) -> Ragged:
        """The rows of all images of a name, one after another."""
        numbers = unique_rows(names)[1]
        in_order = self.rows.take(np.argsort(numbers, kind="stable"))
        lengths = np.bincount(numbers, self.rows.lengths).astype(np.int64)
        return Ragged(in_order.values, offsets_of(lengths))

    @property
    def are_given(self) -> bool:
        """Whether images have references; without any, only some columns can be scored."""
        return len(self.rows.values) > 0

    def __len__(self) -> int:
        return len(self.rows)


class Samples(Memo):
    """Candidates beside the references of the images that they describe.

    `images` has the number of each sample's image among the references', `rows` the row of its
    candidate in the analysis of unique candidates. A pair is
    one candidate beside one of its references: `pairs` has, for each sample, the rows of its
    references in their analysis.
    """

    def __init__(self, candidates: Sequence[str], images: IntArray, references: References) -> None:
        super().__init__()
        unique, self.rows = unique_rows(candidates)
        base = references.analysis
        self.references = references
        self.images = images
        self.candidates = Analysis(unique, base.tokenizer, base, base.cache)
        self.pairs = references.rows.take(images)

    @classmethod
    def among(cls, references: References, rows: IntArray) -> Samples:
        """Captions of the references' own analysis, one beside the references of each image."""
        samples = cls((), np.zeros(0, np.int64), references)
        samples.candidates, samples.rows = references.analysis, rows
        samples.images, samples.pairs = np.arange(len(references)), references.rows
        return samples

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def candidate_lengths(self) -> IntArray:
        """The number of words of each sample's candidate, as n-gram metrics count them."""
        return self.candidates.layer(Tokens).pieces.lengths_at(self.rows)

    @property
    def reference_lengths(self) -> IntArray:
        """The number of words of each pair's reference, as n-gram metrics count them."""
        return self.references.analysis.layer(Tokens).pieces.lengths_at(self.pairs.values)


def in_blocks(
    candidates: Sequence[str], images: IntArray, references: References
) -> Iterator[Samples]:
    """All samples, some at a time."""
    shared = _shared.get()
    for start in range(0, len(candidates), BLOCK):
        some, theirs = candidates[start : start + BLOCK], images[start : start + BLOCK]
        if shared is None:
            yield Samples(some, theirs, references)
        else:
            made_of = (_texts(some), theirs.copy(), references)
            content = (made_of[0], theirs.tobytes(), references)
            yield shared.samples.get_or_compute(content, partial(Samples, *made_of))
