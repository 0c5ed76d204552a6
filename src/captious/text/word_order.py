"""Word order: a trigram model over classes of words, which scores how usual a caption's order is.

Words that keep the same company share a class; the most frequent ones have a class of their own.
A table has how surprising each class is after the two before it. What a class does at the
beginning and at the end of captions is learned with the rest, so that a caption that breaks off is
surprising at its end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray, IntArray, Ragged
from captious.errors import InputError
from captious.io.array_files import DECIMALS, LINES, WHOLE_NUMBERS, ArrayFile, Member
from captious.resources import RESOURCES
from captious.text.analysis import Analysis
from captious.text.tokens import Tokens

SHIPPED = RESOURCES / "word_order" / "captions.npz"
MIN_WORDS = 3  # words: fewer have no order to speak of
STEP = 1 / 16  # nats: surprise is kept in a byte
START, END = 0, 1
# Unknown words have a class by their ending; the last is for all others.
ENDINGS = ("ing", "ed", "s", "ly", "")
FIRST_UNKNOWN = 2  # a digit; then the endings
FIRST_KNOWN = FIRST_UNKNOWN + 1 + len(ENDINGS)
LIMIT_COUNT = 5  # weights of the four numbers of `surprisal_features`, and the sum that is usual

FILE = ArrayFile(
    "a file of word order",
    "make it again with tools/train_word_order.py",
    (
        Member("words", LINES, ("words",)),
        Member("classes", WHOLE_NUMBERS, ("words",), 0, 255),
        Member("surprise", WHOLE_NUMBERS, ("classes",) * 3, 0, 255),
        Member("limits", DECIMALS, (LIMIT_COUNT,)),
    ),
    compressed=True,
)


def class_of_unknown_word(word: str) -> int:
    """Return the class of an unknown word, by digits and ending."""
    if any(map(str.isdigit, word)):
        return FIRST_UNKNOWN
    return FIRST_UNKNOWN + 1 + next(n for n, end in enumerate(ENDINGS) if word.endswith(end))


@dataclass(frozen=True, eq=False, repr=False)
class WordOrder:
    """The class of each known word, and the surprise of a class after two others."""

    class_of: Mapping[str, int]
    surprise: npt.NDArray[np.uint8]  # by class but one before, class before, class
    limits: FloatArray
    fingerprint: str

    @classmethod
    def of(
        cls, class_of: Mapping[str, int], surprise: npt.NDArray[np.uint8], limits: FloatArray
    ) -> WordOrder:
        """Create a word order with its hash."""
        digest = hashlib.sha256("\n".join(class_of).encode("utf-8", "surrogatepass"))
        for array in (_class_bytes(class_of), surprise, limits):
            digest.update(np.ascontiguousarray(array).data)
        return cls(class_of, surprise, limits, digest.hexdigest()[:8])

    @classmethod
    def from_arrays(
        cls,
        words: Sequence[str],
        classes: npt.NDArray[Any],
        surprise: npt.NDArray[Any],
        limits: npt.NDArray[Any],
    ) -> WordOrder:
        """Create a word order from a file's arrays; an error where they do not fit each other."""
        class_of = dict(zip(words, classes.tolist(), strict=True))
        # Classes are indices into the table, those of unknown words, which no file has, among them.
        if max(class_of.values(), default=0) >= len(surprise) or len(surprise) < FIRST_KNOWN:
            raise InputError(f"a class beyond the {len(surprise)} that there are")
        table = surprise.astype(np.uint8, copy=False)
        return cls.of(class_of, table, limits.astype(np.float64, copy=False))

    @classmethod
    def load(cls, path: str | Path | None = None) -> WordOrder:
        """Load the word order that ships, or a file."""
        return _load(Path(path) if path is not None else SHIPPED)

    def save(self, path: str | Path) -> None:
        """Write a file of plain arrays."""
        contents = {
            "words": self.class_of,
            "classes": _class_bytes(self.class_of),
            "surprise": self.surprise,
            "limits": self.limits,
        }
        FILE.write(path, contents)

    def classes(self, words: list[str]) -> IntArray:
        """Return the class of each word."""
        known = self.class_of.get
        pairs = ((word, known(word)) for word in words)
        return np.array(
            [class_of_unknown_word(word) if n is None else n for word, n in pairs], np.int64
        )


@lru_cache(maxsize=2)
def _load(path: Path) -> WordOrder:
    try:
        return WordOrder.from_arrays(**FILE.read(path))
    except InputError as error:
        raise FILE.error(path, str(error)) from None


def _class_bytes(class_of: Mapping[str, int]) -> npt.NDArray[np.uint8]:
    return np.fromiter(class_of.values(), np.uint8, len(class_of))


def surprisal_features(analysis: Analysis, order: WordOrder) -> FloatArray:
    """Return four surprisal statistics of each caption's word order, all 0 for one or two words.

    The mean surprise of words and end, that of the most surprising place, that of the end, and the
    share of runs of three words that the caption has had before.
    """

    def measure() -> FloatArray:
        tokens = analysis.layer(Tokens)
        class_of_id = _token_classes(analysis, order)
        ids, lengths = tokens.ids, tokens.ids.lengths
        # Every caption between two starts and an end, one after another.
        padded = lengths + 3
        first = np.concatenate([[0], np.cumsum(padded)[:-1]])
        classes = np.full(int(padded.sum()), START)
        places = np.arange(len(ids.values)) + np.repeat(first + 2 - ids.offsets[:-1], lengths)
        classes[places] = class_of_id[ids.values]
        classes[first + padded - 1] = END
        steps = np.zeros(len(classes), np.int64)
        steps[2:] = order.surprise[classes[:-2], classes[1:-1], classes[2:]]
        steps[first] = steps[first + 1] = 0
        totals, worst = np.add.reduceat(steps, first), np.maximum.reduceat(steps, first)
        numbers = np.column_stack(
            [
                totals / (lengths + 1) * STEP,
                worst * STEP,
                steps[first + padded - 1] * STEP,
                _count_repeated_trigrams(ids) / np.maximum(lengths - 2, 1),
            ]
        )
        numbers[lengths < MIN_WORDS] = 0.0
        return numbers

    return analysis.get_or_compute(("surprises", order.fingerprint), measure)


def _token_classes(analysis: Analysis, order: WordOrder) -> IntArray:
    """Return the class of each token id, those of the base first, which are found once."""
    before = _token_classes(analysis.base, order) if analysis.base else np.zeros(0, np.int64)
    return analysis.get_or_compute(
        ("classes of words", order.fingerprint),
        lambda: np.concatenate([before, order.classes(list(analysis.layer(Tokens).vocabulary))]),
    )


def disorder(analysis: Analysis, order: WordOrder) -> FloatArray:
    """Return each caption's surprisal beyond the limit: 0 for nearly all human captions."""
    *weights, usual = order.limits.tolist()
    columns = surprisal_features(analysis, order).T
    # Term by term: a matrix product may round otherwise for another number of captions.
    total = sum(weight * column for weight, column in zip(weights, columns, strict=True))
    beyond: FloatArray = np.maximum(total - usual, 0.0)
    return beyond


def _count_repeated_trigrams(words: Ragged) -> IntArray:
    """Count the trigrams of each caption that occur earlier in it."""
    owners, values = words.owners, words.values.astype(np.int64)
    inside = np.flatnonzero(owners[2:] == owners[:-2])
    first, second, third, owner = (
        values[inside],
        values[inside + 1],
        values[inside + 2],
        owners[inside],
    )
    order = np.lexsort((third, second, first, owner))
    same = np.ones(max(len(order) - 1, 0), np.bool_)
    for column in (owner, first, second, third):
        same &= column[order][1:] == column[order][:-1]
    repeated: IntArray = np.bincount(owner[order][1:][same], minlength=len(words))
    return repeated
