"""The parser's network in NumPy, with its weights: words in, tags, heads and labels out.

A bidirectional quasi-recurrent layer, a narrow linear one and a bidirectional LSTM; then scorers of
tags, arcs and labels. A batch has sentences of one length. Arrays have a row for each of its
sentences at each step. What a sentence gets does not depend on its batch: products with weights are
`PackedMatrix`'s, those between a sentence's own words have a shape of their own.

Where each word's best head by itself makes a tree (one root, every word below it, no cycle), that
is the answer. Elsewhere it is the best projective tree with one root (Eisner's algorithm).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from captious._internal.arrays.row_products import PackedMatrix
from captious._internal.loops.projective import projective_trees
from captious.io.array_files import DECIMALS, LINES, ArrayFile, Member
from captious.text.parser.lstm import DIRECTIONS, Floats, Lstm
from captious.text.parser.word_layer import Ints, WordLayer
from captious.text.parser.work_arrays import WorkArrays

Scores = NDArray[np.float32]
Heads = NDArray[np.int64]

ROOT_LABEL = "root"
_SELF_ARC_SCORE = np.float32(-1e9)
LISTS = ("words", "tags", "labels", "lemmas")


FILE = ArrayFile(
    "a file of the parser's weights",
    "install captious again",
    (
        *(Member(name, LINES, (name,)) for name in LISTS),
        Member("word", DECIMALS, ("words and unknown", "word")),
        Member("subword", DECIMALS, ("subwords", "subword")),
        Member("own_gates", DECIMALS, ("word and subword", "word gates")),
        Member("own_gates_bias", DECIMALS, ("word gates",)),
        Member("next_gates", DECIMALS, ("word and subword", "word gates")),
        Member("projection", DECIMALS, ("word states", "projection")),
        *(
            Member(f"lstm_{way}_{part}", DECIMALS, dims)
            for way in DIRECTIONS
            for part, dims in {
                "input": ("projection", "gates"),
                "state": ("state", "gates"),
                "bias": ("gates",),
            }.items()
        ),
        Member("tag", DECIMALS, ("states", "tags")),
        Member("tag_bias", DECIMALS, ("tags",)),
        Member("arc_dependent", DECIMALS, ("states", "arc")),
        Member("arc_dependent_bias", DECIMALS, ("arc",)),
        Member("arc_head", DECIMALS, ("states", "arc")),
        Member("arc_head_bias", DECIMALS, ("arc",)),
        Member("arc", DECIMALS, ("arc", "arc")),
        Member("arc_prior", DECIMALS, ("arc", 1)),
        Member("arc_root", DECIMALS, ("arc",)),
        Member("label_dependent", DECIMALS, ("states", "label")),
        Member("label_dependent_bias", DECIMALS, ("label",)),
        Member("label_head", DECIMALS, ("states", "label")),
        Member("label_root", DECIMALS, ("label",)),
        Member("label", DECIMALS, ("label", "labels")),
        Member("label_bias", DECIMALS, ("labels",)),
    ),
    compressed=True,
)


@dataclass(frozen=True, eq=False)
class ParserWeights:
    """Weights by name, known words, tags and labels, and irregular lemmas."""

    arrays: Mapping[str, NDArray[np.float32]]
    words: list[str]
    tags: list[str]
    labels: list[str]
    lemmas: Mapping[tuple[str, str], str]  # by word and kind

    @classmethod
    def read(cls, path: Path) -> ParserWeights:
        """Read a file that `tools/distill_parser.py` wrote."""
        with FILE.open(path) as file:
            members = file.read(*FILE.members)
            sizes = file.sizes
        fits = {
            "words and unknown": sizes["words"] + 1,
            "word and subword": sizes["word"] + sizes["subword"],
            "word gates": 3 * sizes["word states"],  # of half the states in each direction
            "gates": 4 * sizes["state"],
            "states": 2 * sizes["state"],
        }
        for name, size in fits.items():
            if sizes[name] != size:
                raise FILE.error(path, f"{name}: {sizes[name]} where {size} are expected")
        words, tags, labels, lemmas = (members.pop(name) for name in LISTS)
        rows = [line.split("\t") for line in lemmas]
        if ROOT_LABEL not in labels or not sizes["subwords"] or any(len(row) != 3 for row in rows):
            raise FILE.error(path, "no label for the root, no subwords, or a lemma of no word")
        arrays = {name: array.astype(np.float32) for name, array in members.items()}
        by_word = {(word, kind): lemma for word, kind, lemma in rows}
        return cls(arrays, words, tags, labels, by_word)


class NetworkOutput(NamedTuple):
    """The network's output: rows are sentences, columns words."""

    tags: Ints
    heads: Ints
    labels: Ints


class Network:
    """Forward pass of the parser."""

    def __init__(self, weights: ParserWeights) -> None:
        self.tags, self.labels = weights.tags, weights.labels
        self._root_label = self.labels.index(ROOT_LABEL)
        self._word_layer = WordLayer(weights.words, weights.arrays)
        self._lstm = Lstm(weights.arrays, "lstm")
        arrays = dict(weights.arrays)
        # States of both layers come doubled.
        scorers = ("tag", "arc_dependent", "arc_head", "label_dependent", "label_head")
        for name in ("projection", *scorers):
            arrays[name] = arrays[name] * np.float32(0.5)
        # Scorers that read the same thing are one matrix.
        arrays["scorers"] = np.concatenate([arrays[name] for name in scorers], axis=1)
        no_bias = np.zeros_like(arrays["label_root"])
        biases = [*(arrays[f"{name}_bias"] for name in scorers[:-1]), no_bias]
        self._scorers_bias = np.concatenate(biases)
        self._cuts = np.cumsum([len(bias) for bias in biases])[:-1].tolist()
        self._arrays = arrays
        self._work = WorkArrays()
        multiplied = ("projection", "scorers", "arc", "arc_prior", "label")
        self._matrices = {name: PackedMatrix(arrays[name]) for name in multiplied}

    def analyse(self, sentences: Sequence[Sequence[str]]) -> NetworkOutput:
        """Tag and parse sentences of one length."""
        word_states = self._word_layer.run(sentences, self._work)
        states = self._lstm.run(self._multiply("projection", word_states), self._work)
        scores = self._multiply("scorers", states)
        scores += self._scorers_bias
        tags, *values = np.split(scores, self._cuts, axis=2)
        heads, labels = self._trees(values)
        return NetworkOutput(tags.argmax(axis=2).T, heads.T, labels.T)

    def _multiply(self, name: str, rows: Floats) -> Floats:
        """Multiply rows with a matrix, into an array that the next batch uses again."""
        matrix = self._matrices[name]
        products = self._work.get(name, (*rows.shape[:-1], matrix.shape[1]))
        return matrix.multiply(rows, out=products.reshape(-1, matrix.shape[1]))

    def _trees(self, values: list[Floats]) -> tuple[Ints, Ints]:
        """Return the heads and the labels of words, from what the scorers read."""
        arrays, matrices = self._arrays, self._matrices
        dependent, head, label_dependent, label_head = values
        dependent = matrices["arc"].multiply(np.maximum(dependent, 0))
        head = _below_root(np.maximum(head, 0), arrays["arc_root"])
        arcs = _arcs(dependent, head)
        arcs += matrices["arc_prior"].multiply(head).transpose(1, 2, 0)
        word = np.arange(len(dependent))
        arcs[:, word, word + 1] = _SELF_ARC_SCORE
        heads = decode_heads(arcs).T
        label_head = _below_root(label_head, arrays["label_root"])
        label_dependent += label_head[heads, np.arange(heads.shape[1])]
        np.maximum(label_dependent, 0, out=label_dependent)
        scores = matrices["label"].multiply(label_dependent)
        scores += arrays["label_bias"]
        scores[..., self._root_label] = -np.inf  # only a word without a head is the root
        return heads, np.where(heads == 0, self._root_label, scores.argmax(axis=2))


def _arcs(dependent: Floats, head: Floats) -> Floats:
    """Score arcs (sentence, word, head), one sentence after another.

    The shape of each product, and so the sum, depends on nothing but the length.
    """
    arcs: Floats = np.matmul(
        np.ascontiguousarray(dependent.transpose(1, 0, 2)),
        np.ascontiguousarray(head.transpose(1, 2, 0)),
    )
    return arcs


def _below_root(values: Floats, root: Floats) -> Floats:
    """Put the root before the words of every sentence."""
    first = np.broadcast_to(root, (1, *values.shape[1:]))
    return np.concatenate([first, values])


def decode_heads(scores: Scores) -> Heads:
    """Return the heads of a batch: `scores[sentence, word, head]`, where head 0 is the root."""
    heads: Heads = scores.argmax(axis=2)
    broken = np.flatnonzero(~are_trees(heads))
    if len(broken):
        heads[broken] = best_projective(scores[broken])
    return heads


def are_trees(heads: Heads) -> NDArray[np.bool_]:
    """Whether each row of heads has one root that every word leads up to."""
    length = heads.shape[1]
    # Each round doubles how far up every word looks; the root's own head is the root.
    ancestors = np.concatenate([np.zeros((len(heads), 1), heads.dtype), heads], axis=1)
    reach = 1
    while reach <= length:
        ancestors = np.take_along_axis(ancestors, ancestors, axis=1)
        reach *= 2
    result: NDArray[np.bool_] = ((heads == 0).sum(axis=1) == 1) & ~ancestors.any(axis=1)
    return result


def best_projective(scores: Scores) -> Heads:
    """Return the best projective trees with one root."""
    count, length, _ = scores.shape
    heads = np.empty((count, length), np.int64)
    sums = np.zeros((4, length, length))
    cuts, todo = np.zeros((3, length, length), np.int64), np.empty((2 * length, 3), np.int64)
    scores = np.ascontiguousarray(scores)
    projective_trees(scores.data, heads.data, sums.data, cuts.data, todo.data)
    return heads
