"""Document frequencies given as a dict of n-grams, or as a pickle of one.

Self-critical training pickles a dict with `document_frequency` and `ref_len`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious.errors import InputError, short_repr
from captious.text.ngrams import MAX_ORDER, key_of

ENDINGS = (".p", ".pkl", ".pickle")
COUNTS, DOCUMENTS = "document_frequency", "ref_len"


def build_ngram_tree(
    counts: Mapping[Any, Any], documents: int
) -> tuple[tuple[str, ...], IntArray, IntArray]:
    """Build a prefix tree: the vocabulary, the key of each n-gram, and its count, at least 1.

    CIDEr takes an n-gram of no document, or an unknown one, for one of a single document. So an
    n-gram that is missing although a longer one begins with it may be put in with 1.
    """
    by_order: list[list[tuple[str, ...]]] = [[] for _ in range(MAX_ORDER)]
    numbers: list[list[Any]] = [[] for _ in range(MAX_ORDER)]
    for ngram, count in counts.items():
        order = _check_order(ngram)
        by_order[order].append(ngram)
        numbers[order].append(count)
    words_in_use = {word for ngrams in by_order for ngram in ngrams for word in ngram}
    _check_words(words_in_use)
    vocabulary = tuple(sorted(words_in_use))
    number = {word: place for place, word in enumerate(vocabulary)}
    words = [
        np.fromiter((number[word] for ngram in ngrams for word in ngram), np.int64).reshape(
            len(ngrams), order + 1
        )
        for order, ngrams in enumerate(by_order)
    ]
    checked_counts = [
        _check_counts(ngrams, of, documents) for ngrams, of in zip(by_order, numbers, strict=True)
    ]
    keys, tree_counts, size = [], [], 0
    parents = [np.zeros(len(ngrams), np.int64) for ngrams in by_order]
    for level in range(MAX_ORDER):
        orders = range(level, MAX_ORDER)
        paths = {n: key_of(parents[n], words[n][:, level]) for n in orders}
        keys.append(np.unique(np.concatenate(list(paths.values()))))
        places = {n: np.searchsorted(keys[-1], path) for n, path in paths.items()}
        tree_counts.append(np.ones(len(keys[-1]), np.int64))
        tree_counts[-1][places[level]] = checked_counts[level]
        for n in orders:
            parents[n] = size + 1 + places[n]
        size += len(keys[-1])
    return vocabulary, np.concatenate(keys), np.concatenate(tree_counts)


def _check_order(ngram: Any) -> int:
    if (
        not isinstance(ngram, tuple)
        or not 1 <= len(ngram) <= MAX_ORDER
        or not all(isinstance(word, str) for word in ngram)
    ):
        raise InputError(
            f"an n-gram is a tuple of one to {MAX_ORDER} words, not {short_repr(ngram)}"
        )
    return len(ngram) - 1


def _check_words(words: set[str]) -> None:
    for word in words:
        if word.split() != [word]:
            raise InputError(
                f"an n-gram's word is text without white space, not {short_repr(word)}"
            )


def _check_counts(ngrams: list[tuple[str, ...]], counts: list[Any], documents: int) -> IntArray:
    invalid = next((n for n, count in enumerate(counts) if not _is_number(count)), None)
    if invalid is None:
        numbers = np.array(counts, np.float64)
        # NaN is no whole number either.
        is_count = (numbers == np.floor(numbers)) & (numbers >= 0) & (numbers <= documents)
        if is_count.all():
            return np.maximum(numbers, 1).astype(np.int64)
        invalid = int(np.argmin(is_count))
    raise InputError(
        f"the n-gram {short_repr(' '.join(ngrams[invalid]))}: a whole number of at most the "
        f"{documents:,} documents that there are, not {short_repr(counts[invalid])}"
    )


def _is_number(count: Any) -> bool:
    return type(count) is float or (isinstance(count, Real) and not isinstance(count, bool))


def is_pickled(path: str | Path) -> bool:
    """Whether a file's name says that it is a pickle, perhaps a gzipped one."""
    return str(path).lower().removesuffix(".gz").endswith(ENDINGS)


def read_pickled_counts(path: str | Path) -> tuple[Mapping[Any, Any], int]:
    """Read the count of each n-gram, a tuple of words, and the number of documents."""
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
