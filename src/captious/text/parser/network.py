"""The parser's network in NumPy, with its weights: words in, tags, heads and labels out.

Two bidirectional LSTMs; a tagger after the first, whose guess the second reads; then scorers of
arcs and of labels. A batch has sentences of about one length. Arrays have a row for each of its
sentences at each step. What a sentence gets does not depend on its batch: products with weights are
`PackedMatrix`'s, those between a sentence's own words have a shape of their own.

Where each word's best head by itself makes a tree (one root, every word below it, no cycle), that
is the answer. Elsewhere it is the best projective tree with one root (Eisner's algorithm).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from captious._internal.arrays.row_products import PackedMatrix
from captious._internal.loops.projective import projective_trees
from captious.io.array_files import DECIMALS, LINES, ArrayFile, Member
from captious.text.parser.lstm import DIRECTIONS, Floats, Ints, Lstm, WordGates

Scores = NDArray[np.float32]
Heads = NDArray[np.int64]

ROOT_LABEL = "root"
_SELF_ARC_SCORE = np.float32(-1e9)
LISTS = ("words", "tags", "labels", "lemmas")


def _lstm(layer: str, inputs: str) -> list[Member]:
    """Return the arrays of a bidirectional layer, whose four gates stand side by side."""
    state, gates = f"{layer} state", f"{layer} gates"
    shapes = {"input": (inputs, gates), "state": (state, gates), "bias": (gates,)}
    return [
        Member(f"{layer}_{way}_{part}", DECIMALS, dims)
        for way in DIRECTIONS
        for part, dims in shapes.items()
    ]


FILE = ArrayFile(
    "a file of the parser's weights",
    "install captious again",
    (
        *(Member(name, LINES, (name,)) for name in LISTS),
        Member("word", DECIMALS, ("words and unknown", "word")),
        Member("subword", DECIMALS, ("subwords", "subword")),
        *_lstm("lower", "lower inputs"),
        *_lstm("upper", "upper inputs"),
        Member("lower_tag", DECIMALS, ("lower", "tags")),
        Member("lower_tag_bias", DECIMALS, ("tags",)),
        Member("upper_projection", DECIMALS, ("lower and tags", "upper inputs")),
        Member("tag", DECIMALS, ("lower and upper", "tags")),
        Member("tag_bias", DECIMALS, ("tags",)),
        Member("arc_dependent", DECIMALS, ("upper", "arc")),
        Member("arc_dependent_bias", DECIMALS, ("arc",)),
        Member("arc_head", DECIMALS, ("upper", "arc")),
        Member("arc_head_bias", DECIMALS, ("arc",)),
        Member("arc", DECIMALS, ("arc", "arc")),
        Member("arc_prior", DECIMALS, ("arc", 1)),
        Member("arc_root", DECIMALS, ("arc",)),
        Member("label_dependent", DECIMALS, ("upper", "label")),
        Member("label_dependent_bias", DECIMALS, ("label",)),
        Member("label_head", DECIMALS, ("upper", "label")),
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
        """Read a file that `tools/train_parser.py` wrote."""
        with FILE.open(path) as file:
            members = file.read(*FILE.members)
            sizes = file.sizes
        fits = {
            "words and unknown": sizes["words"] + 1,
            "lower gates": 4 * sizes["lower state"],
            "upper gates": 4 * sizes["upper state"],
            "lower inputs": sizes["word"] + sizes["subword"],
            "lower": 2 * sizes["lower state"],
            "upper": 2 * sizes["upper state"],
            "lower and tags": sizes["lower"] + sizes["tags"],
            "lower and upper": sizes["lower"] + sizes["upper"],
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
    """The network's output: rows are sentences, columns words and padding."""

    tags: Ints
    heads: Ints
    labels: Ints


class Network:
    """Forward pass of the parser."""

    def __init__(self, weights: ParserWeights) -> None:
        self.tags, self.labels = weights.tags, weights.labels
        self._root_label = self.labels.index(ROOT_LABEL)
        self._lower, self._upper = Lstm(weights.arrays, "lower"), Lstm(weights.arrays, "upper")
        self._words = WordGates(weights.words, weights.arrays, self._lower)
        arrays = dict(weights.arrays)
        # States of both layers come doubled; the guessed tags do not.
        scorers = ("arc_dependent", "arc_head", "label_dependent", "label_head")
        for name in ("lower_tag", "tag", *scorers):
            arrays[name] = arrays[name] * np.float32(0.5)
        halves = np.ones((len(arrays["upper_projection"]), 1), np.float32)
        halves[: 2 * self._lower.width] = 0.5
        arrays["upper_projection"] = arrays["upper_projection"] * halves
        # Scorers that read the same thing are one matrix.
        arrays["scorers"] = np.concatenate([arrays[name] for name in scorers], axis=1)
        no_bias = np.zeros_like(arrays["label_root"])
        biases = [*(arrays[f"{name}_bias"] for name in scorers[:3]), no_bias]
        self._scorers_bias = np.concatenate(biases)
        self._cuts = np.cumsum([len(bias) for bias in biases])[:-1].tolist()
        self._arrays = arrays
        multiplied = (
            "lower_tag",
            "upper_projection",
            "tag",
            "scorers",
            "arc",
            "arc_prior",
            "label",
        )
        self._matrices = {name: PackedMatrix(arrays[name]) for name in multiplied}

    def analyse(self, sentences: Sequence[Sequence[str]]) -> NetworkOutput:
        """Tag and parse sentences, ascending by length."""
        arrays, matrices = self._arrays, self._matrices
        lengths = [len(words) for words in sentences]
        longest, count = lengths[-1], len(lengths)
        lower_width = 2 * self._lower.width
        flat = np.empty((longest * count, lower_width + 2 * self._upper.width), np.float32)
        states = flat.reshape(longest, count, -1)
        lower, upper = states[..., :lower_width], states[..., lower_width:]
        places = ahead, back = _places(lengths)
        numbers = np.zeros(ahead.size, np.int64)
        words = [word for sentence in sentences for word in sentence]
        at = ahead.T[np.arange(longest) < np.array(lengths)[:, None]]
        numbers[at], gates = self._words.look_up(words)
        self._lower.run(gates, (numbers[ahead], numbers[back]), flat[:, :lower_width], places)
        # The guessed tags stand beside the lower layer's states until the upper layer's do.
        guess = upper[..., : len(self.tags)]
        _softmax(matrices["lower_tag"].multiply(lower) + arrays["lower_tag_bias"], out=guess)
        with_guess = states[..., : lower_width + len(self.tags)]
        inputs = matrices["upper_projection"].multiply(with_guess)
        self._upper.run(self._upper.gates(inputs), places, flat[:, lower_width:], places)
        tags = (matrices["tag"].multiply(states) + arrays["tag_bias"]).argmax(axis=2)
        heads, labels = self._trees(upper, lengths)
        return NetworkOutput(tags.T, heads.T, labels.T)

    def _trees(self, upper: Floats, lengths: list[int]) -> tuple[Ints, Ints]:
        """Return the heads and the labels of words, from the upper layer's states."""
        arrays, matrices = self._arrays, self._matrices
        values = matrices["scorers"].multiply(upper)
        values += self._scorers_bias
        dependent, head, label_dependent, label_head = np.split(values, self._cuts, axis=2)
        dependent = matrices["arc"].multiply(np.maximum(dependent, 0))
        head = _below_root(np.maximum(head, 0), arrays["arc_root"])
        prior = matrices["arc_prior"].multiply(head)[..., 0]
        heads = np.zeros(upper.shape[:2], np.int64)
        for length, alike in groupby(range(len(lengths)), lengths.__getitem__):
            first, *others = alike
            these = slice(first, first + 1 + len(others))
            arcs = _arcs(dependent[:length, these], head[: length + 1, these])
            arcs += prior[: length + 1, these].T[:, None]
            word = np.arange(length)
            arcs[:, word, word + 1] = _SELF_ARC_SCORE
            heads[:length, these] = decode_heads(arcs).T
        label_head = _below_root(label_head, arrays["label_root"])
        label_dependent += label_head[heads, np.arange(len(lengths))]
        np.maximum(label_dependent, 0, out=label_dependent)
        scores = matrices["label"].multiply(label_dependent)
        scores += arrays["label_bias"]
        scores[..., self._root_label] = -np.inf  # only a word without a head is the root
        return heads, np.where(heads == 0, self._root_label, scores.argmax(axis=2))


def _arcs(dependent: Floats, head: Floats) -> Floats:
    """Score arcs (sentence, word, head) of sentences of one length, one after another.

    The shape of each product, and so the sum, depends on nothing but the length.
    """
    arcs: Floats = np.matmul(
        np.ascontiguousarray(dependent.transpose(1, 0, 2)),
        np.ascontiguousarray(head.transpose(1, 2, 0)),
    )
    return arcs


def _places(lengths: list[int]) -> tuple[Ints, Ints]:
    """Return the flat position of each sentence at each step, forward and backward.

    Steps behind a sentence's end are gone through as well, after the sentence itself in either
    direction, and never read.
    """
    longest, count = lengths[-1], len(lengths)
    ahead = np.arange(longest * count).reshape(longest, count)
    step, row = np.divmod(ahead, count)
    return ahead, (np.array(lengths) - 1 - step) % longest * count + row


def _below_root(values: Floats, root: Floats) -> Floats:
    """Put the root before the words of every sentence."""
    first = np.broadcast_to(root, (1, *values.shape[1:]))
    return np.concatenate([first, values])


def _softmax(scores: Floats, out: Floats) -> None:
    """Convert scores to probabilities, row by row."""
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    np.divide(scores, scores.sum(axis=-1, keepdims=True), out=out)


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
