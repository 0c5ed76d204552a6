"""Captions for scores that were written without them: matched by id."""

from __future__ import annotations

from dataclasses import replace

from captious.corpus import Corpus
from captious.errors import InputError, short_repr
from captious.report.systems.row_order import rows_in_order
from captious.result import Result


def with_captions(result: Result, corpus: Corpus, file: str) -> Result:
    """The result with captions from a file, which must have one for every score."""
    ids = [corpus.references.ids[image] for image in corpus.images.tolist()]
    rows = []
    for image, row in zip(result.ids, rows_in_order(ids, result.ids), strict=True):
        if row is None:
            raise InputError(
                f"{file}: id {short_repr(image)}: fewer candidates than scores; name the file "
                "that was "
                "scored"
            )
        rows.append(row)
    return replace(result, captions=corpus.take(rows))
