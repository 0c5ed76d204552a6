"""Document frequencies as self-critical training pickles them: `document_frequency`, `ref_len`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from captious.errors import InputError, short_repr

ENDINGS = (".p", ".pkl", ".pickle")
COUNTS, DOCUMENTS = "document_frequency", "ref_len"


def is_pickled(path: str | Path) -> bool:
    """Whether a file's name says that it is a pickle, perhaps a gzipped one."""
    return str(path).lower().removesuffix(".gz").endswith(ENDINGS)


def read_pickled_counts(path: str | Path) -> tuple[Mapping[Any, Any], int]:
    """The count of each n-gram, a tuple of words, and the number of documents."""
    from captious.io.plain_pickle import read_plain_pickle  # which few need

    contents = read_plain_pickle(path)
    if not isinstance(contents, dict) or not {COUNTS, DOCUMENTS} <= contents.keys():
        raise InputError(
            f"{path}: no document frequencies; such a pickle is a dict with {COUNTS!r} and "
            f"{DOCUMENTS!r}"
        )
    counts, documents = contents[COUNTS], contents[DOCUMENTS]
    if not isinstance(counts, dict):
        raise InputError(
            f"{path}: {COUNTS!r} is a dict from n-grams to counts, not {short_repr(counts)}"
        )
    if isinstance(documents, bool) or not isinstance(documents, int | float):
        raise InputError(
            f"{path}: {DOCUMENTS!r} is a number of images, not {short_repr(documents)}"
        )
    if not math.isfinite(documents) or documents != int(documents):
        raise InputError(f"{path}: {DOCUMENTS!r} is a number of images, not {documents}")
    return counts, int(documents)
