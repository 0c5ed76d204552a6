"""The parser's network in NumPy: words in, tags, heads and labels out.

Two bidirectional LSTMs; a tagger after the first, whose guess the second reads; then scorers of
arcs and of labels. Sentences of one length make a batch, so that nothing is padded.

A sentence must get the same tree whatever it is parsed with. BLAS may sum in another order when a
matrix has another shape, so every batch is filled up to the same number of rows.
"""

from __future__ import annotations

import re
import threading
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from captious.text.parser.tree_decoder import decode
from captious.text.parser.weights import ROOT_LABEL, ParserWeights

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

ROWS = 64  # sentences, or words, that go through the network together
_MOST_WORDS = 16_384  # remembered at once; well above what one batch can hold
_OWN_HEAD = np.float32(-1e9)
_DIGIT = re.compile(r"\d")
_LONGEST_PIECE_OF_A_WORD = 12  # of a longer word only both ends are read: the cost stays bounded


class Analysed(NamedTuple):
    """What the network says of sentences of one length: rows are sentences, columns words."""

    tags: Ints
    heads: Ints
    labels: Ints


class Network:
    """The forward pass."""

    def __init__(self, weights: ParserWeights) -> None:
        self.tags, self.labels = weights.tags, weights.labels
        self._weights = weights.arrays
        self._lower = _Layer(self._weights, "lower")
        self._upper = _Layer(self._weights, "upper")
        self._root_label = self.labels.index(ROOT_LABEL)
        self._inputs = _WordInputs(weights.words, self._weights, self._lower)
        # Scorers that read the same thing are one matrix.
        heads = ("arc_dependent", "arc_head", "label_dependent", "label_head")
        self._heads = np.concatenate([self._weights[name] for name in heads], axis=1)
        no_bias = np.zeros(self._weights["label_head"].shape[1], np.float32)
        self._heads_bias = np.concatenate(
            [*(self._weights[f"{name}_bias"] for name in heads[:3]), no_bias]
        )
        widths = [self._weights[name].shape[1] for name in heads]
        self._cuts = np.cumsum(widths)[:-1].tolist()

    def analyse(self, sentences: Sequence[Sequence[str]]) -> Analysed:
        """Tag and parse sentences that have one length."""
        parts = [
            self._batch(sentences[start : start + ROWS]) for start in range(0, len(sentences), ROWS)
        ]
        return Analysed(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))

    def _batch(self, sentences: Sequence[Sequence[str]]) -> Analysed:
        """Tag and parse at most `ROWS` sentences of one length."""
        weights, count, length = self._weights, len(sentences), len(sentences[0])
        numbers = np.zeros((length, ROWS), np.int64)
        rows, (ahead, back) = self._inputs.look_up(sentences)
        numbers[:, :count] = rows.T
        lower = self._lower.run(
            (ahead[numbers[step]], back[numbers[-1 - step]]) for step in range(length)
        )
        lower = lower.reshape(length * ROWS, -1)
        guess = _softmax(lower @ weights["lower_tag"] + weights["lower_tag_bias"])
        inputs = np.concatenate([lower, guess], axis=1) @ weights["upper_projection"]
        gates = self._upper.gates(inputs)
        ahead, back = (part.reshape(length, ROWS, -1) for part in gates)
        upper = self._upper.run((ahead[step], back[-1 - step]) for step in range(length))
        upper = upper.reshape(length * ROWS, -1)
        both = np.concatenate([lower, upper], axis=1)
        tags = (both @ weights["tag"] + weights["tag_bias"]).argmax(axis=1)
        arcs, label_dependent, label_head = self._score(upper, length)
        heads = np.zeros((ROWS, length), np.int64)
        heads[:count] = decode(arcs[:count])
        sentence = np.arange(ROWS)
        hidden = label_dependent + label_head[heads.T, sentence]
        scores = np.maximum(hidden, 0).reshape(length * ROWS, -1) @ weights["label"]
        scores += weights["label_bias"]
        scores[:, self._root_label] = -np.inf  # only a word without a head is the root
        labels = scores.argmax(axis=1).reshape(length, ROWS).T
        labels = np.where(heads == 0, self._root_label, labels)
        return Analysed(tags.reshape(length, ROWS).T[:count], heads[:count], labels[:count])

    def _score(self, upper: Floats, length: int) -> tuple[Floats, Floats, Floats]:
        """Score arcs (sentence, word, head), and what label scores are made of."""
        weights = self._weights
        values = upper @ self._heads
        values += self._heads_bias
        dependent, head, label_dependent, label_head = np.split(values, self._cuts, axis=1)
        dependent = np.maximum(dependent, 0) @ weights["arc"]
        head = np.maximum(head, 0)
        head = _below_root(head.reshape(length, ROWS, -1), weights["arc_root"])
        prior = (head @ weights["arc_prior"])[..., 0].T
        # Sentence by sentence: the shape, and so the sum, depends on nothing but the length.
        arcs = np.matmul(
            np.ascontiguousarray(dependent.reshape(length, ROWS, -1).transpose(1, 0, 2)),
            np.ascontiguousarray(head.transpose(1, 2, 0)),
        )
        arcs += prior[:, None]
        word = np.arange(length)
        arcs[:, word, word + 1] = _OWN_HEAD
        label_head = _below_root(label_head.reshape(length, ROWS, -1), weights["label_root"])
        return arcs, label_dependent.reshape(length, ROWS, -1), label_head


class _Layer:
    """One bidirectional LSTM."""

    def __init__(self, weights: Mapping[str, Floats], name: str) -> None:
        self.width = weights[f"{name}_forward_state"].shape[0]
        # A sigmoid is a tanh of half its argument: with the halving done once, in the weights,
        # one call of tanh serves all four gates. The third one is a tanh to begin with.
        halves = np.full(4 * self.width, 0.5, np.float32)
        halves[2 * self.width : 3 * self.width] = 1
        self._input, self._state, self._bias = (
            [weights[f"{name}_{way}_{part}"] * halves for way in ("forward", "backward")]
            for part in ("input", "state", "bias")
        )

    def gates(self, inputs: Floats) -> tuple[Floats, Floats]:
        """What the inputs add to the gates, forward and backward."""
        ahead, back = (inputs @ matrix for matrix in self._input)
        ahead += self._bias[0]
        back += self._bias[1]
        return ahead, back

    def run(self, steps: Iterator[tuple[Floats, Floats]]) -> Floats:
        """Run over the gates' inputs of every step, forward and backward; both states a step."""
        width = self.width
        cell = np.zeros((2, ROWS, width), np.float32)
        state = np.zeros((2, ROWS, width), np.float32)
        gates = np.empty((2, ROWS, 4 * width), np.float32)
        states: list[Floats] = []
        for ahead, back in steps:
            if states:
                np.matmul(state[0], self._state[0], out=gates[0])
                np.matmul(state[1], self._state[1], out=gates[1])
                gates[0] += ahead
                gates[1] += back
            else:
                gates[0], gates[1] = ahead, back
            np.tanh(gates, out=gates)
            let_in, keep, new, let_out = (
                gates[..., part * width : (part + 1) * width] for part in range(4)
            )
            # (1 + t) / 2 is the sigmoid; the halves are taken together.
            cell *= keep + 1
            cell += (let_in + 1) * new
            cell *= 0.5
            state = np.tanh(cell)
            state *= let_out + 1
            state *= 0.5
            states.append(state)
        both = np.stack(states)
        return np.concatenate([both[:, 0], both[::-1, 1]], axis=2)


class _WordInputs:
    """What each word adds to the lower layer's gates: worked out once a word, not once a place."""

    def __init__(self, words: list[str], weights: Mapping[str, Floats], layer: _Layer) -> None:
        self._vocabulary = {word: number for number, word in enumerate(words, start=1)}
        self._word, self._subword = weights["word"], weights["subword"]
        self._layer = layer
        self._lock = threading.Lock()
        self._number: dict[str, int] = {}
        self._tables = self._room(1024)

    def _room(self, words: int) -> tuple[Floats, Floats]:
        """Empty tables, forward and backward."""
        return (
            np.zeros((words, 4 * self._layer.width), np.float32),
            np.zeros((words, 4 * self._layer.width), np.float32),
        )

    def look_up(self, sentences: Sequence[Sequence[str]]) -> tuple[Ints, tuple[Floats, Floats]]:
        """The tables and the rows of words in them; rows of a table never change once written."""
        with self._lock:
            self._learn([word for sentence in sentences for word in sentence])
            number = self._number
            rows = [[number[word] for word in sentence] for sentence in sentences]
            return np.array(rows, np.int64), self._tables

    def _learn(self, words: Sequence[str]) -> None:
        """Make room for words and fill in those that are new."""
        new = list(dict.fromkeys(word for word in words if word not in self._number))
        if len(self._number) + len(new) > _MOST_WORDS:
            # Another thread may still read the tables: begin new ones.
            self._number, self._tables = {}, self._room(1024)
            new = list(dict.fromkeys(words))
        known = len(self._number)
        while known + len(new) > len(self._tables[0]):
            larger = self._room(2 * len(self._tables[0]))
            for table, before in zip(larger, self._tables, strict=True):
                table[: len(before)] = before
            self._tables = larger
        for start in range(0, len(new), ROWS):
            part = new[start : start + ROWS]
            inputs = np.zeros((ROWS, self._word.shape[1] + self._subword.shape[1]), np.float32)
            for row, word in enumerate(part):
                inputs[row, : self._word.shape[1]] = self._word[
                    self._vocabulary.get(word.lower(), 0)
                ]
                pieces = subword_buckets(word, len(self._subword))
                if pieces:
                    inputs[row, self._word.shape[1] :] = self._subword[pieces].mean(axis=0)
            for table, gates in zip(self._tables, self._layer.gates(inputs), strict=True):
                table[known + start : known + start + len(part)] = gates[: len(part)]
        self._number.update((word, number) for number, word in enumerate(new, start=known))


def _below_root(values: Floats, root: Floats) -> Floats:
    """Put the root before the words of every sentence."""
    first = np.broadcast_to(root, (1, *values.shape[1:]))
    return np.concatenate([first, values])


def _softmax(scores: Floats) -> Floats:
    """Scores to probabilities, row by row."""
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    result: Floats = powers / powers.sum(axis=1, keepdims=True)
    return result


def subword_buckets(word: str, buckets: int) -> list[int]:
    """Hash a word's endings, beginnings and three-letter stretches into numbers below `buckets`.

    The training command uses this, too, so that both read a word alike.
    """
    spelling = _DIGIT.sub("0", word.lower())
    if len(spelling) > 2 * _LONGEST_PIECE_OF_A_WORD:
        spelling = spelling[:_LONGEST_PIECE_OF_A_WORD] + spelling[-_LONGEST_PIECE_OF_A_WORD:]
    pieces = [f"end {spelling[-length:]}" for length in range(1, min(4, len(spelling)) + 1)]
    pieces += [f"start {spelling[:length]}" for length in range(1, min(3, len(spelling)) + 1)]
    fenced = f"<{spelling}>"
    pieces += [fenced[start : start + 3] for start in range(len(fenced) - 2)]
    encoded = (piece.encode("utf-8", "surrogatepass") for piece in pieces)
    return [zlib.crc32(piece) % buckets for piece in encoded]
