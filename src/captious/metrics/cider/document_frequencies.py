"""Document frequencies: in how many images' references each n-gram occurs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import IntArray
from captious._internal.checks.arguments import check_arguments
from captious._internal.checks.bounds import Bounds
from captious._internal.garbage_collection import pause_garbage_collection
from captious._internal.loops.ngrams import count_documents
from captious.corpus import ReferenceColumns, ReferenceSets
from captious.errors import InputError, short_repr
from captious.io.array_files import LINES, WHOLE_NUMBERS, ArrayFile, Member
from captious.metrics.cider.ngram_dicts import build_ngram_tree, is_pickled, read_pickled_counts
from captious.metrics.parameters import parameter
from captious.resources import RESOURCES, ResourceFiles
from captious.samples import References
from captious.signature import Resource
from captious.text.analysis import Analysis
from captious.text.ngrams import MAX_ORDER, ROOT, Ngrams, key_of, last_words_of, parents_of
from captious.text.tokens import Tokens

FORMAT = 1
MIN_RELIABLE_IMAGES = 100  # of which document frequencies say little
HOW_TO_MAKE = "with `captious df REFERENCES --output FILE`"
MAX_DOCUMENTS = 1 << 40
DOCUMENTS = Bounds(1, MAX_DOCUMENTS, whole=True, with_most=True)
MAX_NODES = 1 << 31  # as many as the keys of n-grams can number
FILE = ArrayFile(
    "a file of document frequencies",
    f"make one {HOW_TO_MAKE}",
    (
        Member("format", WHOLE_NUMBERS),
        Member("documents", WHOLE_NUMBERS, (), 1, MAX_DOCUMENTS),
        Member("minimum", WHOLE_NUMBERS, (), 1, MAX_DOCUMENTS),
        Member("vocabulary", LINES, ("vocabulary",)),
        # Parents ascend: the steps between them are small numbers, which pack well.
        Member("parent_steps", WHOLE_NUMBERS, ("n-grams",), 0, MAX_NODES),
        Member("words", WHOLE_NUMBERS, ("n-grams",), 0, MAX_NODES),
        Member("counts", WHOLE_NUMBERS, ("n-grams",), 1, MAX_DOCUMENTS),
    ),
    compressed=True,
)
SHELF = ResourceFiles(
    RESOURCES / "document_frequencies", "document frequencies", f"make your own {HOW_TO_MAKE}"
)


def document_counts(references: References) -> IntArray:
    """The number of documents that hold each n-gram, by node."""

    def count() -> IntArray:
        ngrams = references.analysis.layer(Ngrams)
        counts = np.zeros(ngrams.size, np.int32)
        count_documents(
            ngrams.nodes.values.data,
            ngrams.nodes.offsets.data,
            references.documents.values.data,
            references.documents.offsets.data,
            np.zeros(ngrams.size, np.int32).data,
            counts.data,
        )
        return counts

    return references.get_or_compute("document counts", count)


@dataclass(frozen=True, eq=False, repr=False)
class DocumentFrequencies:
    """Document frequencies of one collection of references; can be merged, saved and loaded.

    n-grams are nodes of a tree, as in `captious.text.ngrams`: node i + 1 has the i-th key. Words
    are numbered by the alphabet and nodes level by level, so that keys ascend.
    """

    documents: int
    vocabulary: tuple[str, ...]
    keys: IntArray
    counts: IntArray
    name: str = "own"
    minimum: int = 1  # n-grams of fewer documents were left out

    @classmethod
    @check_arguments
    def collect(
        cls, references: ReferenceSets | References, name: str = "own", tokenizer: str = "ptb"
    ) -> DocumentFrequencies:
        """Count the n-grams of references, given as to `captious.score`, each image a document."""
        if not isinstance(references, References):
            references = References.of(ReferenceColumns.of(references), tokenizer)
        vocabulary = tuple(references.analysis.layer(Tokens).vocabulary)
        keys = references.analysis.layer(Ngrams).keys
        documents, counts = len(references.documents), document_counts(references)[1:]
        unordered = cls(documents, vocabulary, keys, counts, name)
        return cls.merge([unordered], name)

    @classmethod
    @check_arguments
    def merge(cls, parts: Iterable[DocumentFrequencies], name: str = "own") -> DocumentFrequencies:
        """The merged frequencies of several collections of different images."""
        parts = list(parts)
        if not parts:
            raise InputError("no document frequencies to merge")
        for part in parts:
            if not isinstance(part, DocumentFrequencies):
                raise InputError(f"parts: document frequencies, not {short_repr(part)}")
            if part.minimum > 1 and len(parts) > 1:
                raise InputError(
                    f"{part.name}: rare n-grams were left out, so it cannot be merged with "
                    "others; collect it again without leaving them out"
                )
        vocabulary = tuple(sorted(set().union(*(part.vocabulary for part in parts))))
        number = {word: place for place, word in enumerate(vocabulary)}
        words = [
            np.array([number[word] for word in part.vocabulary], np.int64)[last_words_of(part.keys)]
            for part in parts
        ]
        places = [np.zeros(len(part.keys) + 1, np.int64) for part in parts]  # of each part's nodes
        keys, counts, size = [], [], 0
        for levels in zip(*(tree_levels(parents_of(part.keys)) for part in parts), strict=True):
            moved = [
                key_of(place[parents_of(part.keys[level])], word[level])
                for part, place, word, level in zip(parts, places, words, levels, strict=True)
            ]
            keys.append(np.unique(np.concatenate(moved)))
            counts.append(np.zeros(len(keys[-1]), np.int64))
            for part, place, level, moved_keys in zip(parts, places, levels, moved, strict=True):
                at = np.searchsorted(keys[-1], moved_keys)
                place[level + 1] = size + 1 + at
                counts[-1][at] += part.counts[level]
            size += len(keys[-1])
        return cls(
            sum(part.documents for part in parts),
            vocabulary,
            np.concatenate(keys),
            np.concatenate(counts),
            name,
            max(part.minimum for part in parts),
        )

    @classmethod
    @check_arguments
    def of_counts(
        cls,
        counts: Mapping[tuple[str, ...], float],
        documents: Annotated[int, DOCUMENTS],
        name: str = "own",
    ) -> DocumentFrequencies:
        """Build from a dict of n-grams, tuples of words, to numbers of documents."""
        vocabulary, keys, numbers = build_ngram_tree(counts, documents)
        return cls(documents, vocabulary, keys, numbers, name)

    @check_arguments
    def without_rare(self, minimum: Annotated[int, DOCUMENTS] = 2) -> DocumentFrequencies:
        """Return only the n-grams that occur in at least `minimum` documents.

        CIDEr gives an n-gram of one document the weight of an unknown one, so leaving out the
        former makes the file much smaller and changes no score. The result can no longer be
        merged exactly.
        """
        kept = self.counts >= minimum
        # An n-gram stays with its parents, which are as frequent, unless others counted them.
        for level in reversed([*tree_levels(parents_of(self.keys))]):
            above = parents_of(self.keys[level[kept[level]]])
            kept[above[above > ROOT] - 1] = True
        node = np.concatenate([[ROOT], np.cumsum(kept)])
        parents, words = parents_of(self.keys[kept]), last_words_of(self.keys[kept])
        used = np.unique(words)
        return replace(
            self,
            vocabulary=tuple(self.vocabulary[word] for word in used.tolist()),
            keys=key_of(node[parents], np.searchsorted(used, words)),
            counts=self.counts[kept],
            minimum=max(minimum, self.minimum),
        )

    def lookup(self, analysis: Analysis) -> IntArray:
        """The frequencies of the n-grams that are new in this analysis, node by node."""
        nodes = self._nodes(analysis)[1]
        frequencies = np.zeros(len(nodes), np.int64)
        frequencies[nodes > ROOT] = self.counts[nodes[nodes > ROOT] - 1]
        return frequencies

    def of_words(self, words: Iterable[str]) -> IntArray:
        """The number of documents that have each word; 0 for one that is unknown."""
        level = np.flatnonzero(parents_of(self.keys) == ROOT)
        counts = np.zeros(len(self.vocabulary) + 1, np.int64)  # the last is of what is unknown
        counts[last_words_of(self.keys[level])] = self.counts[level]
        number = self._numbers
        frequencies: IntArray = counts[[number.get(word, -1) for word in words]]
        return frequencies

    def _nodes(self, analysis: Analysis) -> tuple[IntArray, IntArray]:
        """Return the numbers of an analysis' new words and nodes in this tree; -1 if unknown."""
        return analysis.get_or_compute(
            ("nodes", self.fingerprint), lambda: self._find_nodes(analysis)
        )

    def _find_nodes(self, analysis: Analysis) -> tuple[IntArray, IntArray]:
        ngrams, number = analysis.layer(Ngrams), self._numbers
        vocabulary = analysis.layer(Tokens).vocabulary
        words = np.array([number.get(word, -1) for word in vocabulary], np.int64)
        nothing = (words[:0], words[:0])
        base_words, base_nodes = self._nodes(analysis.base) if analysis.base else nothing
        word = _take_from_both(base_words, words, last_words_of(ngrams.keys))
        parents = parents_of(ngrams.keys)
        nodes = np.full(len(parents), -1, np.int64)
        for level in tree_levels(parents, ngrams.first_node):
            parent = np.full(len(level), ROOT)
            below = parents[level] > ROOT
            parent[below] = _take_from_both(base_nodes, nodes, parents[level][below] - 1)
            known = (parent >= 0) & (word[level] >= 0)
            key = key_of(np.maximum(parent, 0), np.maximum(word[level], 0))
            places, is_there = _search(self.keys, key)
            nodes[level] = np.where(is_there & known, places + 1, -1)
        return words, nodes

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.vocabulary)}

    @cached_property
    def sizes(self) -> list[int]:
        """How many n-grams there are of each order."""
        return [len(level) for level in tree_levels(parents_of(self.keys))]

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the contents."""
        digest = hashlib.sha256(str(self.documents).encode())
        digest.update("\n".join(self.vocabulary).encode("utf-8", "surrogatepass"))
        digest.update(np.ascontiguousarray(self.keys, np.uint64).data)
        digest.update(np.ascontiguousarray(self.counts, np.int64).data)
        return digest.hexdigest()[:8]

    def __repr__(self) -> str:
        return (
            f"DocumentFrequencies({self.name!r}, {self.documents} images, {len(self.keys)} n-grams)"
        )

    @check_arguments
    def save(self, path: str | Path) -> None:
        """Write a compressed file of plain arrays."""
        contents = {
            "format": np.int64(FORMAT),
            "documents": np.int64(self.documents),
            "minimum": np.int64(self.minimum),
            "vocabulary": self.vocabulary,
            "parent_steps": _narrow(np.diff(parents_of(self.keys), prepend=0)),
            "words": _narrow(last_words_of(self.keys)),
            "counts": _narrow(self.counts),
        }
        FILE.write(path, contents)

    @classmethod
    def load(cls, name: str | Path) -> DocumentFrequencies:
        """Shipped frequencies by name (`coco-val2014`), or a file that `save` wrote.

        A pickle (`.p`) of document frequencies, as self-critical training has them, is read too.
        """
        return _load(*SHELF.find(name))


@lru_cache(maxsize=4)
def _load(path: Path, modified: int) -> DocumentFrequencies:
    """Read a file once for as long as it does not change."""
    if is_pickled(path):
        with pause_garbage_collection():
            return _load_pickled(path)
    arrays = FILE.read(path)
    if arrays["format"] != FORMAT:
        raise InputError(f"{path}: written by another version; make it again {HOW_TO_MAKE}")
    parents = np.cumsum(arrays["parent_steps"], dtype=np.int64)
    words = arrays["words"].astype(np.int64)
    # Looking up n-grams follows parents and words wherever they lead.
    if (parents > np.arange(len(parents))).any():
        raise FILE.error(path, "an n-gram stands before the one that it goes on from")
    if words.max(initial=-1) >= len(arrays["vocabulary"]):
        raise FILE.error(path, f"a word beyond the {len(arrays['vocabulary'])} that there are")
    if arrays["counts"].max(initial=0) > arrays["documents"]:
        raise FILE.error(path, "an n-gram of more documents than there are")
    keys = key_of(parents, words)
    if (np.diff(keys.astype(np.int64)) <= 0).any():
        raise FILE.error(path, "n-grams are not in order")
    return DocumentFrequencies(
        int(arrays["documents"]),
        tuple(arrays["vocabulary"]),
        keys,
        arrays["counts"].astype(np.int64),
        path.stem,
        int(arrays["minimum"]),
    )


def _load_pickled(path: Path) -> DocumentFrequencies:
    counts, documents = read_pickled_counts(path)
    try:
        return DocumentFrequencies.of_counts(counts, documents, path.name.split(".")[0])
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def shipped_names() -> list[str]:
    """The frequencies that come with the package."""
    return SHELF.names


def tree_levels(parents: IntArray, first_node: int = 1) -> Iterator[IntArray]:
    """Yield the nodes of each level of the tree, numbered from the first, top down."""
    level = np.flatnonzero(parents < first_node)
    for _ in range(MAX_ORDER):
        yield level
        below = np.zeros(first_node + len(parents), np.bool_)
        below[first_node + level] = True
        level = np.flatnonzero(below[parents])


def _take_from_both(base: IntArray, new: IntArray, index: IntArray) -> IntArray:
    """Return values by an index into the concatenation of `base` and `new`."""
    in_base = index < len(base)
    values = np.empty(len(index), np.int64)
    values[in_base] = base[index[in_base]]
    values[~in_base] = new[index[~in_base] - len(base)]
    return values


def _search(keys: IntArray, wanted: IntArray) -> tuple[IntArray, npt.NDArray[np.bool_]]:
    """Return the place of each wanted key among ascending ones, and whether it is there."""
    if not len(keys):
        return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), np.bool_)
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return places, keys[places] == wanted


def _narrow(array: IntArray) -> IntArray:
    """Return the numbers in the narrowest integer type."""
    return array.astype(np.min_scalar_type(int(array.max(initial=0))))


FrequencySource = DocumentFrequencies | str | Path | None  # as metrics take them


def df_parameter() -> Any:
    """The parameter of metrics that weigh words or n-grams by how rare they are."""
    return parameter(
        None,
        "document frequencies: coco-val2014, a file made by `captious df`, or the references' own",
        words={"references": None},
    )


def load_frequencies(df: FrequencySource) -> DocumentFrequencies | None:
    """Load document frequencies; None for the references' own."""
    return df if df is None or isinstance(df, DocumentFrequencies) else DocumentFrequencies.load(df)


def df_signature(df: FrequencySource) -> str | Resource:
    """Return the source of document frequencies as signatures state it."""
    frequencies = load_frequencies(df)
    if frequencies is None:
        return "references"
    given = None if isinstance(df, DocumentFrequencies) else df
    return Resource.of(given, frequencies.name, frequencies.fingerprint)
