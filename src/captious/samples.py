"""Samples: what a metric reads, candidates beside references, each unique caption analysed once."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from itertools import compress
from typing import TypeVar

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged, offsets_of
from captious._internal.memo import Memo, RecentCache
from captious.corpus import ReferenceColumns
from captious.io.cache import AnalysisCache
from captious.text.analysis import Analysis
from captious.text.tokens import Tokens

Name = TypeVar("Name", bound=Hashable)
SAMPLES_PER_BLOCK = 8192  # samples scored at once: bounds memory, changes no score
MAX_SHARED_REFERENCES = 2  # sets that `share_analysis` caches; SPICE analyses candidates as one
MAX_SHARED_BLOCKS = 8  # of samples; bounds memory


class _SharedAnalyses:
    """Caches of the references and samples that were analysed last."""

    def __init__(self) -> None:
        self.references = RecentCache(MAX_SHARED_REFERENCES)
        self.samples = RecentCache(MAX_SHARED_BLOCKS)


_shared: ContextVar[_SharedAnalyses | None] = ContextVar("captious shared analysis", default=None)


@contextmanager
def share_analysis() -> Iterator[None]:
    """Share analyses within the block between calls that score the same captions.

    Captions are compared by value at each call, so captions changed in between are analysed anew.
    Nothing is kept after the block.
    """
    before = _shared.set(_SharedAnalyses())
    try:
        yield
    finally:
        _shared.reset(before)


def _plain_texts(captions: Sequence[str]) -> tuple[str, ...]:
    """Copy captions as plain `str`, since a subclass may define equality in another way."""
    return tuple(map(str.__str__, captions))


def unique_rows(captions: Sequence[Name]) -> tuple[list[Name], IntArray]:
    """Return the distinct captions in order of first occurrence, and each caption's row in them."""
    count = len(captions)
    # The first of equal captions is the last one from behind.
    first_of = dict(zip(reversed(captions), range(count - 1, -1, -1), strict=True))
    firsts = np.fromiter(map(first_of.__getitem__, captions), np.int64, count)
    if len(first_of) == count:
        return list(captions), firsts
    is_first = firsts == np.arange(count)
    rows: IntArray = (np.cumsum(is_first) - 1)[firsts]
    return list(compress(captions, is_first.tolist())), rows


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
        """Build from columns that were checked already."""
        names, documents = image_names, columns.documents
        shared = _shared.get()
        if shared is None:
            return cls(columns.captions, columns.offsets, tokenizer, cache, names, documents)
        # Copies: the caller may change its lists while the references are still shared.
        captions, offsets = _plain_texts(columns.captions), columns.offsets.copy()
        names = None if names is None else tuple(names)
        owners = None if documents is None else tuple(documents)
        folder = None if cache is None else cache.folder
        key = (cls, tokenizer, folder, captions, offsets.tobytes(), names, owners)
        return shared.references.get_or_compute(
            key, lambda: cls(captions, offsets, tokenizer, cache, names, owners)
        )

    @classmethod
    def of_analysis(cls, analysis: Analysis, rows: Ragged) -> References:
        """Build from captions that are analysed already, by each image's rows of them."""
        references = cls((), rows.offsets, analysis.tokenizer, analysis.cache)
        references.analysis, references.rows = analysis, rows
        return references

    def regroup(self, rows: Ragged) -> References:
        """Return the same captions as references of other images, with the same analysis."""
        return References.of_analysis(self.analysis, rows)

    @property
    def documents(self) -> Ragged:
        """The rows of each document's captions; a document is an image, unless several share it."""
        names = self._documents
        return (
            self.rows
            if names is None
            else self.get_or_compute("documents", lambda: self._rows_by_name(names))
        )

    def _rows_by_name(self, names: Sequence[Hashable]) -> Ragged:
        """The rows of all images of each name, joined."""
        numbers = unique_rows(names)[1]
        in_order = self.rows.take(np.argsort(numbers, kind="stable"))
        lengths = np.bincount(numbers, self.rows.lengths).astype(np.int64)
        return Ragged(in_order.values, offsets_of(lengths))

    @property
    def are_given(self) -> bool:
        """Whether there is any reference; without references, only some columns can be scored."""
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
    def of_references(cls, references: References, rows: IntArray) -> Samples:
        """Build samples whose candidates are among the references' captions, one for each image."""
        samples = cls((), np.zeros(0, np.int64), references)
        samples.candidates, samples.rows = references.analysis, rows
        samples.images, samples.pairs = np.arange(len(references)), references.rows
        return samples

    @classmethod
    def of_analysis(
        cls, candidates: Analysis, rows: IntArray, images: IntArray, references: References
    ) -> Samples:
        """Build from candidates that are analysed already, by each sample's row of them."""
        samples = cls((), images, references)
        samples.candidates, samples.rows = candidates, rows
        return samples

    def take(self, numbers: IntArray) -> Samples:
        """Return some of the samples, with the same analysis."""
        return Samples.of_analysis(
            self.candidates, self.rows[numbers], self.images[numbers], self.references
        )

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


def iterate_blocks(
    candidates: Sequence[str], images: IntArray, references: References
) -> Iterator[Samples]:
    """Yield all samples, in blocks of SAMPLES_PER_BLOCK."""
    shared = _shared.get()
    for start in range(0, len(candidates), SAMPLES_PER_BLOCK):
        block = slice(start, start + SAMPLES_PER_BLOCK)
        captions, image_rows = candidates[block], images[block]
        if shared is None:
            yield Samples(captions, image_rows, references)
        else:
            arguments = (_plain_texts(captions), image_rows.copy(), references)
            key = (arguments[0], image_rows.tobytes(), references)
            yield shared.samples.get_or_compute(key, partial(Samples, *arguments))
