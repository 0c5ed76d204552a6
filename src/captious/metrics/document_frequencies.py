"""In how many images' references each n-gram occurs: what CIDEr knows of a whole corpus."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from captious.errors import InputError
from captious.io.files import written_whole
from captious.metrics.ngram_matches import reference_bags
from captious.ragged import IntArray
from captious.samples import References
from captious.text.analysis import Analysis
from captious.text.ngrams import MAX_ORDER, Ngrams, find_keys, key_of
from captious.text.tokens import SplitTokens

FORMAT = 1


def count_documents(references: References) -> tuple[IntArray, ...]:
    """For each order, the number of images whose references hold each n-gram, by n-gram id."""

    def count(n: int) -> IntArray:
        bags = reference_bags(references, n)
        size = references.analysis.layer(Ngrams).orders[n - 1].size
        ngrams = bags.ngrams.take(references.rows.values)
        image = np.repeat(references.rows.owners, ngrams.lengths)
        # Sorted by hand: np.unique's hash table takes four times as long here.
        merged = np.sort(image * size + ngrams.values)
        once_an_image = merged[np.diff(merged, prepend=-1) > 0]
        return np.bincount(once_an_image % max(1, size), minlength=size)

    return references.once("document counts", lambda: tuple(map(count, range(1, MAX_ORDER + 1))))


@dataclass(frozen=True)
class DocumentFrequencies:
    """Document frequencies of one collection of references; can be merged, saved and loaded.

    `keys[n - 1]` are the n-grams of order n, ascending: the place of the first n - 1 words among
    the keys of the order below, and the last word's place in the vocabulary, in one integer.
    """

    documents: int
    vocabulary: tuple[str, ...]
    keys: tuple[IntArray, ...]
    counts: tuple[IntArray, ...]
    name: str = "own"
    minimum: int = 1  # n-grams of fewer documents were left out

    @classmethod
    def collect(cls, references: References, name: str = "own") -> DocumentFrequencies:
        """Count the n-grams of references, each image one document."""
        orders = references.analysis.layer(Ngrams).orders
        vocabulary = tuple(references.analysis.layer(SplitTokens).vocabulary)
        keys = tuple(order.keys for order in orders)
        return cls(len(references), vocabulary, keys, count_documents(references), name)

    @classmethod
    def merge(cls, parts: Iterable[DocumentFrequencies], name: str = "own") -> DocumentFrequencies:
        """The frequencies of several collections of different images, taken together."""
        parts = list(parts)
        for part in parts:
            if part.minimum > 1 and len(parts) > 1:
                raise InputError(
                    f"{part.name}: rare n-grams were left out, so it cannot be taken together with "
                    "others; collect it again without leaving them out"
                )
        vocabulary = tuple(sorted(set().union(*(part.vocabulary for part in parts))))
        number = {word: place for place, word in enumerate(vocabulary)}
        places = [np.array([number[word] for word in part.vocabulary], np.int64) for part in parts]
        words = places
        keys: list[IntArray] = [np.arange(len(vocabulary))]
        counts = [_sum_at(places, [part.counts[0] for part in parts], len(vocabulary))]
        for n in range(1, MAX_ORDER):
            moved = [
                key_of(prefix[part.keys[n] >> 32], word[part.keys[n] & 0xFFFFFFFF])
                for part, prefix, word in zip(parts, places, words, strict=True)
            ]
            keys.append(np.unique(np.concatenate(moved)))
            places = [np.searchsorted(keys[n], part) for part in moved]
            counts.append(_sum_at(places, [part.counts[n] for part in parts], len(keys[n])))
        documents = sum(part.documents for part in parts)
        minimum = max(part.minimum for part in parts)
        return cls(documents, vocabulary, tuple(keys), tuple(counts), name, minimum)

    def without_rare(self, minimum: int = 2) -> DocumentFrequencies:
        """Only n-grams that occur in at least so many documents.

        CIDEr takes an n-gram of one document and an unknown one alike, so that leaving out the
        former halves the file more than once and changes no score. What is left can no longer be
        merged exactly.
        """
        kept = [np.flatnonzero(counts >= minimum) for counts in self.counts]
        vocabulary = tuple(self.vocabulary[place] for place in kept[0])
        keys: list[IntArray] = [np.arange(len(vocabulary))]
        for n in range(1, MAX_ORDER):
            # A frequent n-gram's words are frequent too: both parts of its key are still there.
            key = self.keys[n][kept[n]]
            prefix = np.searchsorted(kept[n - 1], key >> 32)
            keys.append(key_of(prefix, np.searchsorted(kept[0], key & 0xFFFFFFFF)))
        counts = tuple(counts[rows] for counts, rows in zip(self.counts, kept, strict=True))
        return DocumentFrequencies(
            self.documents, vocabulary, tuple(keys), counts, self.name, max(minimum, self.minimum)
        )

    def lookup(self, analysis: Analysis) -> tuple[IntArray, ...]:
        """For each order, the frequencies of the n-grams that are new in this analysis, by id."""
        return tuple(
            np.where(places >= 0, counts[places], 0) if len(counts) else np.zeros_like(places)
            for places, counts in zip(self._places(analysis), self.counts, strict=True)
        )

    def _places(self, analysis: Analysis) -> tuple[IntArray, ...]:
        """Where the n-grams that are new in this analysis stand among the keys; -1 if nowhere."""
        return analysis.once(("places", self.fingerprint), lambda: self._find_places(analysis))

    def _find_places(self, analysis: Analysis) -> tuple[IntArray, ...]:
        number = self._numbers
        base = self._places(analysis.base) if analysis.base else None
        tokens, orders = analysis.layer(SplitTokens), analysis.layer(Ngrams).orders
        places = [np.array([number.get(word, -1) for word in tokens.vocabulary], np.int64)]

        def place(ids: IntArray, n: int) -> IntArray:
            if base is None:
                return places[n - 1][ids]
            first = orders[n - 1].first_id
            both = np.full(len(ids), -1, np.int64)
            both[ids < first] = base[n - 1][ids[ids < first]]
            both[ids >= first] = places[n - 1][ids[ids >= first] - first]
            return both

        for n in range(2, MAX_ORDER + 1):
            keys = orders[n - 1].keys
            prefix, word = place(keys >> 32, n - 1), place(keys & 0xFFFFFFFF, 1)
            found, there = find_keys(self.keys[n - 1], key_of(prefix, np.maximum(word, 0)))
            places.append(np.where(there & (prefix >= 0) & (word >= 0), found, -1))
        return tuple(places)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.vocabulary)}

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the contents."""
        digest = hashlib.sha256(str(self.documents).encode())
        digest.update("\n".join(self.vocabulary).encode("utf-8", "surrogatepass"))
        for array in (*self.keys, *self.counts):
            digest.update(np.ascontiguousarray(array, np.int64).data)
        return digest.hexdigest()[:8]

    def save(self, path: str | Path) -> None:
        """Write a compressed file of plain arrays."""
        words = "\n".join(self.vocabulary).encode("utf-8", "surrogatepass")
        arrays = {f"keys_{n}": self.keys[n - 1] for n in range(2, MAX_ORDER + 1)}
        arrays |= {f"counts_{n}": self.counts[n - 1] for n in range(1, MAX_ORDER + 1)}
        with written_whole(path) as stream:
            np.savez_compressed(
                stream,
                format=np.int64(FORMAT),
                documents=np.int64(self.documents),
                minimum=np.int64(self.minimum),
                vocabulary=np.frombuffer(words, np.uint8),
                **{name: _smallest(array) for name, array in arrays.items()},  # type: ignore[arg-type]
            )

    @classmethod
    def load(cls, name: str | Path) -> DocumentFrequencies:
        """Shipped frequencies by name (`coco-val2014`), or a file that `save` wrote."""
        shipped = files("captious.resources") / "document_frequencies" / f"{name}.npz"
        path = Path(str(shipped)) if shipped.is_file() else Path(name)
        try:
            state = path.stat()
        except OSError as error:
            raise InputError(
                f"{name}: no document frequencies of this name or file ({error.strerror}); "
                f"shipped: {', '.join(shipped_names())}; "
                "make your own with `captious df REFERENCES --output FILE`"
            ) from None
        return _load(path, path.stem, state.st_mtime_ns)


@lru_cache(maxsize=4)
def _load(path: Path, name: str, modified: int) -> DocumentFrequencies:
    """Read a file once for as long as it does not change."""
    try:
        with np.load(path, allow_pickle=False) as arrays:
            if int(arrays["format"]) != FORMAT:
                raise InputError(f"{path}: written by another version; build it again")
            text = arrays["vocabulary"].tobytes().decode("utf-8", "surrogatepass")
            vocabulary = tuple(text.split("\n")) if text else ()
            keys = [np.arange(len(vocabulary))]
            keys += [arrays[f"keys_{n}"].astype(np.int64) for n in range(2, MAX_ORDER + 1)]
            counts = [arrays[f"counts_{n}"].astype(np.int64) for n in range(1, MAX_ORDER + 1)]
            documents, minimum = int(arrays["documents"]), int(arrays["minimum"])
    except InputError:
        raise
    except (OSError, ValueError, KeyError, EOFError, TypeError, zipfile.BadZipFile) as error:
        raise InputError(
            f"{path}: not a file of document frequencies ({error}); "
            "make one with `captious df REFERENCES --output FILE`"
        ) from None
    return DocumentFrequencies(documents, vocabulary, tuple(keys), tuple(counts), name, minimum)


def shipped_names() -> list[str]:
    """The frequencies that come with the package."""
    folder = files("captious.resources") / "document_frequencies"
    return sorted(entry.name.removesuffix(".npz") for entry in folder.iterdir())


def _sum_at(places: list[IntArray], counts: list[IntArray], size: int) -> IntArray:
    total = np.zeros(size, np.int64)
    for place, count in zip(places, counts, strict=True):
        total[place] += count
    return total


def _smallest(array: IntArray) -> IntArray:
    """The same numbers in the narrowest type that holds them."""
    return array.astype(np.min_scalar_type(int(array.max(initial=0))))
