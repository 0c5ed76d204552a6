"""Results of several systems, aligned: the same rows in the same order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious.corpus import Corpus
from captious.errors import InputError, short_repr
from captious.metrics.base import Metric
from captious.report.systems.buckets import SystemStatistics
from captious.result import Result
from captious.signature import Signature
from captious.text.analysis import TOKENIZERS
from captious.text.languages import ENGLISH, language_code

TOKENIZER = "ptb"  # where no signature says which it was


@dataclass(frozen=True, eq=False)
class Systems:
    """The results by name, in the order of the first one's rows, and the scores that all have."""

    results: Mapping[str, Result]
    metrics: Sequence[Metric]
    columns: Sequence[str]

    @classmethod
    def of(cls, results: Mapping[str, Result]) -> Systems:
        """Align results of the same images."""
        first, *others = results.values()
        common = set(first.columns).intersection(*(each.columns for each in others))
        columns = [name for name in first.columns if name in common]
        metrics = [each for each in first.metrics if not common.isdisjoint(each.columns)]
        in_order = {name: reorder_rows(first, result) for name, result in results.items()}
        return cls(in_order, metrics, columns)

    @property
    def names(self) -> list[str]:
        """The systems' names."""
        return list(self.results)

    @property
    def first(self) -> Result:
        """The first result, whose order of rows the others have."""
        return next(iter(self.results.values()))

    @cached_property
    def captions(self) -> Corpus | None:
        """The first captions that are known: all systems have their references."""
        corpora = [each.captions for each in self.results.values() if each.captions is not None]
        # Without images that have no caption.
        return corpora[0].take(range(len(corpora[0]))) if corpora else None

    @cached_property
    def signature(self) -> Signature | None:
        """The first signature that states a language and tokenizer we know."""
        for result in self.results.values():
            with suppress(InputError):  # another tool's signature, or none
                signature = Signature.parse(result.signature)
                language_code(signature.language or ENGLISH)
                if signature.tokenizer in TOKENIZERS:
                    return signature
        return None

    @property
    def language(self) -> str:
        """The captions' language."""
        stated = None if self.signature is None else self.signature.language
        return ENGLISH if stated is None else language_code(stated)

    @property
    def tokenizer(self) -> str:
        """The captions' tokenizer."""
        return TOKENIZER if self.signature is None else self.signature.tokenizer

    @property
    def groups(self) -> dict[str, Sequence[str]]:
        """The user's own groups, by name; each is taken from the first system that has it."""
        groups: dict[str, Sequence[str]] = {}
        for result in self.results.values():
            groups = {**result.groups, **groups}
        return groups

    def statistics(self) -> SystemStatistics:
        """Return the statistics from which scores of parts of the rows are computed."""
        names = np.array(list(map(str, self.first.ids)), dtype=object)
        # In an order that ids alone decide, as wherever images are drawn.
        images: IntArray = np.unique(names, return_inverse=True)[1]
        stacked = [result.stacked(self.metrics) for result in self.results.values()]
        return SystemStatistics(self.metrics, self.columns, stacked, images)


def reorder_rows(first: Result, result: Result) -> Result:
    """Return a result with its rows in another's order; samples that share an id stay in theirs."""
    rows = np.array(list(match_rows(result.ids, first.ids)))
    if (rows == np.arange(len(rows))).all():
        return result
    return replace(result.take(rows), ids=first.ids)


def match_rows(ids: Iterable[Hashable], wanted_ids: Iterable[Hashable]) -> Iterator[int | None]:
    """Yield the row of each wanted id, or None where there is none or none is left.

    Rows that share an id are used in their order.
    """
    places: defaultdict[str, list[int]] = defaultdict(list)
    for row, image in enumerate(ids):
        places[str(image)].append(row)
    in_turn = {image: iter(rows) for image, rows in places.items()}
    for image in wanted_ids:
        yield next(in_turn.get(str(image), iter(())), None)


def with_captions(result: Result, corpus: Corpus, file: str) -> Result:
    """Return the result with captions from a file, matched by id; every score needs one."""
    ids = [corpus.references.ids[image] for image in corpus.images.tolist()]
    rows = []
    for image, row in zip(result.ids, match_rows(ids, result.ids), strict=True):
        if row is None:
            raise InputError(
                f"{file}: id {short_repr(image)}: fewer candidates than scores; name the file "
                "that was scored"
            )
        rows.append(row)
    return replace(result, captions=corpus.take(rows))
