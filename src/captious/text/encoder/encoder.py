"""Encoders: captions and word pieces as vectors of a pretrained transformer.

    >>> encoder = load_encoder(None)
    >>> encoder.encode(["a dog runs", "a puppy is running"]).shape
    (2, 384)

The one that ships is all-MiniLM-L6-v2; any other is a folder that `tools/export_encoder.py` wrote,
or one of Hugging Face's by name or by path.

A caption's vectors depend on nothing but the caption: captions of one length make a batch, so that
nothing is padded, and the rows of a batch do not change each other.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from captious._internal.arrays.ragged import IntArray, Ragged, offsets_of
from captious._internal.progress import track
from captious._internal.threads import thread_pool
from captious.errors import InputError, short_repr, warn
from captious.text.analysis import Analysis
from captious.text.tokens import Tokens

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

DEFAULT = "all-minilm-l6-v2"
# Pieces per batch: fewer spend their time on reading the weights, more leave the processor's cache.
BATCH_PIECES = 384
_BLOCK_ROWS = 1 << 10  # vectors scaled together, few enough for the processor's cache


@dataclass(frozen=True, slots=True)
class TokenStates:
    """The word pieces of captions, including special tokens, and one vector per piece."""

    pieces: Ragged
    states: Floats


class Encoder(ABC):
    """Base class of transformers that encode captions; weights load when first used."""

    name: str
    layers: int  # without layer 0, the input of the first
    window: int  # pieces that a caption may have, special tokens included
    width: int | None = None  # of a vector, where it is known before encoding

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """A short hash of the weights, for cache keys and signatures."""

    @abstractmethod
    def piece_names(self) -> Sequence[str]:
        """Return every piece as text, by id."""

    @abstractmethod
    def _tokenize(self, captions: Sequence[str]) -> tuple[list[list[int]], int]:
        """Return each caption's piece ids within the window, and how many captions were longer."""

    @abstractmethod
    def _states(self, pieces: Ints, layers: Sequence[int]) -> Sequence[Floats]:
        """Return the states after some layers, of captions of one length.

        A caption's states must not depend on how many others are given with it.
        """

    def pieces(self, captions: Sequence[str]) -> Ragged:
        """Return the ids of each caption's word pieces, truncated to the window with a warning."""
        rows, shortened = self._tokenize(captions)
        if shortened:
            warn(
                f"{self.name}: {shortened} caption{'s' if shortened > 1 else ''} truncated to the "
                f"first {self.window} word pieces, the maximum of the model"
            )
        offsets = offsets_of(np.fromiter(map(len, rows), np.int64, len(rows)))
        values = np.fromiter((piece for row in rows for piece in row), np.int64, int(offsets[-1]))
        return Ragged(values, offsets)

    def token_states(self, captions: Sequence[str], layer: int | None = None) -> TokenStates:
        """Return one vector per piece, after a layer (by default the last)."""
        [states] = self.states_of_layers(captions, [self.resolve_layer(layer)])
        return states

    def states_of_layers(self, captions: Sequence[str], layers: Sequence[int]) -> list[TokenStates]:
        """Return the token states after several layers, which cost no more than the highest one."""
        pieces = self.pieces(captions)
        states: list[Floats] = []
        for places, batches in self._batches(pieces, layers):
            if not states:
                shapes = [(len(pieces.values), batch.shape[-1]) for batch in batches]
                states = [np.empty(shape, np.float32) for shape in shapes]
            for layer, batch in zip(states, batches, strict=True):
                layer[places] = batch
        if not states:
            states = [np.empty((0, 0), np.float32) for _ in layers]
        return [TokenStates(pieces, layer) for layer in states]

    def encode(self, captions: Sequence[str]) -> Floats:
        """Return one unit vector per caption: the mean over its pieces after the last layer."""
        pieces = self.pieces(captions)
        vectors: Floats | None = None
        for places, [batch] in self._batches(pieces, [self.layers]):
            if vectors is None:
                vectors = np.empty((len(captions), batch.shape[-1]), np.float32)
            rows = np.searchsorted(pieces.offsets, places[:, 0])
            vectors[rows] = normalize_vectors(batch.mean(axis=1))
        return np.empty((0, 0), np.float32) if vectors is None else vectors

    def resolve_layer(self, layer: int | None) -> int:
        """Return the layer, by default the last."""
        if layer is None:
            return self.layers
        if isinstance(layer, bool) or not isinstance(layer, int) or not 0 <= layer <= self.layers:
            raise InputError(
                f"{self.name} has the layers 0 to {self.layers}, not {short_repr(layer)}"
            )
        return layer

    def _batches(
        self, pieces: Ragged, layers: Sequence[int]
    ) -> Iterator[tuple[IntArray, list[Floats]]]:
        """Yield the positions of the pieces of captions of one length, and their states."""
        if not len(pieces):
            return
        lengths = pieces.lengths
        order = np.argsort(lengths, kind="stable")
        ends = np.flatnonzero(np.diff(lengths[order], append=-1)) + 1
        starts = np.concatenate([[0], ends[:-1]])
        batches = []
        for first, end in zip(starts.tolist(), ends.tolist(), strict=True):
            step = max(1, BATCH_PIECES // int(lengths[order[first]]))
            batches += [order[start : min(start + step, end)] for start in range(first, end, step)]

        def run(rows: IntArray) -> tuple[IntArray, list[Floats]]:
            places = pieces.offsets[rows, None] + np.arange(lengths[rows[0]])
            return places, list(self._states(pieces.values[places], layers))

        def run_all() -> Iterator[tuple[IntArray, list[Floats]]]:
            yield run(batches[0])  # by itself, so that one thread alone loads the weights
            # A batch a thread: products this small gain nothing from several threads each.
            with thread_pool() as threads:
                yield from threads.map(run, batches[1:])

        yield from track("captions encoded", run_all(), lambda batch: len(batch[0]), len(pieces))


def normalize_vectors(vectors: Floats) -> Floats:
    """Return vectors scaled to length 1; zeros stay zeros."""
    lengths: Floats = np.sqrt(np.square(vectors).sum(axis=-1, keepdims=True))
    lengths[lengths == 0] = 1
    return vectors / lengths


def load_encoder(model: Encoder | str | Path | None = None) -> Encoder:
    """Load the encoder that ships, one that was exported to a folder, or one of Hugging Face's."""
    if isinstance(model, Encoder):
        return model
    if model is not None and not isinstance(model, str | Path):
        raise InputError(f"an encoder is a name or a path, not {short_repr(model)}")
    return _create_encoder(DEFAULT if model is None else str(model))


@lru_cache(maxsize=3)
def _create_encoder(model: str) -> Encoder:
    if model == DEFAULT:
        from captious.text.encoder.onnx_encoder import MiniLM

        return MiniLM()
    from captious.text.encoder.onnx_encoder import OnnxEncoder

    if OnnxEncoder.exists_at(Path(model)):
        return OnnxEncoder.load(Path(model))
    from captious.text.encoder.hugging_face import HuggingFaceEncoder

    return HuggingFaceEncoder(model)


def sentence_vectors(analysis: Analysis, encoder: Encoder) -> Floats:
    """Return the unit vectors of all captions, from the cache where it has them."""

    def vectors() -> Floats:
        return analysis.load_or_compute_vectors(
            f"sentence vector@{encoder.fingerprint}",
            lambda missing: encoder.encode([analysis.captions[row] for row in missing]),
            range(len(analysis.captions)),
            encoder.width,
        )

    return analysis.get_or_compute(("sentence vectors", encoder.fingerprint), vectors)


def sentence_vectors_or_zeros(analysis: Analysis, encoder: Encoder) -> Floats:
    """Return sentence vectors, with zeros for captions without words."""
    vectors = sentence_vectors(analysis, encoder)
    is_wordless = analysis.layer(Tokens).ids.lengths == 0
    return np.where(is_wordless[:, None], np.float32(0), vectors) if is_wordless.any() else vectors


def piece_states(analysis: Analysis, encoder: Encoder, layer: int) -> TokenStates:
    """Return the states of all captions after a layer of an encoder, scaled to length 1."""

    def encode() -> TokenStates:
        pieces = encoder.token_states(analysis.captions, layer)
        states = pieces.states
        for start in range(0, len(states), _BLOCK_ROWS):
            states[start : start + _BLOCK_ROWS] = normalize_vectors(
                states[start : start + _BLOCK_ROWS]
            )
        return pieces

    return analysis.get_or_compute(("piece states", encoder.fingerprint, layer), encode)
