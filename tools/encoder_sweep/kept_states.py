"""An encoder whose states are computed once for all layers, and kept in a folder.

A sweep asks for every layer of the same captions; encoding is what costs. Captions are encoded a
thousand at a time, and what is there already is not encoded again.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from captious.files.text_files import written_whole
from captious.text.encoder.encoder import Encoder, Floats, Ints, TokenStates
from captious.text.encoder.onnx_encoder import OnnxEncoder

AT_ONCE = 1000


class KeptStates(Encoder):
    """States of captions that were given to `keep`, from files; nothing else is encoded."""

    def __init__(self, encoder: OnnxEncoder, folder: Path, layers: Sequence[int]) -> None:
        self._encoder = encoder
        self._folder = folder / f"{encoder.settings.name}-{encoder.fingerprint}"
        self._kept_layers = list(layers)
        self._captions: dict[str, tuple[int, int]] = {}  # where each one's states begin and end
        self._chunks: list[str] = []
        self._layer: tuple[int, Floats] | None = None
        self.name = encoder.name
        self.layers, self.width, self.window = encoder.layers, encoder.width, encoder.window

    @property
    def fingerprint(self) -> str:
        """The encoder's own."""
        return self._encoder.fingerprint

    def keep(self, captions: Sequence[str]) -> None:
        """Encode the captions of which there are no states, and know where those of all are."""
        new = [caption for caption in dict.fromkeys(captions) if caption not in self._captions]
        # By length, so that those of one length make a batch.
        new.sort(key=lambda caption: (len(caption.split()), caption))
        end = max((end for _, end in self._captions.values()), default=0)
        self._folder.mkdir(parents=True, exist_ok=True)
        begun = time.monotonic()
        for first in range(0, len(new), AT_ONCE):
            chunk = new[first : first + AT_ONCE]
            pieces = self._encoder.pieces(chunk)
            name = hashlib.sha256("\n".join(chunk).encode("utf-8", "replace")).hexdigest()[:16]
            self._write_missing(name, chunk)
            self._chunks.append(name)
            for caption, span in zip(chunk, pairwise(pieces.offsets.tolist()), strict=True):
                self._captions[caption] = (end + span[0], end + span[1])
            end += int(pieces.offsets[-1])
            took = time.monotonic() - begun
            print(f"{first + len(chunk)} of {len(new)} captions, {took:.0f} s", file=sys.stderr)
        self._layer = None

    def _write_missing(self, name: str, chunk: Sequence[str]) -> None:
        missing = [
            layer
            for layer in self._kept_layers
            if not (self._folder / f"{name}_{layer}.npy").exists()
        ]
        if not missing:
            return
        for layer, kept in zip(
            missing, self._encoder.states_of_layers(chunk, missing), strict=True
        ):
            with written_whole(self._folder / f"{name}_{layer}.npy") as stream:
                np.save(stream, kept.states)

    def token_states(self, captions: Sequence[str], layer: int | None = None) -> TokenStates:
        """One vector a piece, after a layer, as they were kept."""
        layer = self.checked_layer(layer)
        if self._layer is None or self._layer[0] != layer:
            self._layer = None  # so that two are never in memory
            parts = [np.load(self._folder / f"{name}_{layer}.npy") for name in self._chunks]
            self._layer = (layer, np.concatenate(parts))
        pieces = self.pieces(captions)
        spans = [np.arange(*self._captions[caption]) for caption in captions]
        places = np.concatenate(spans) if spans else np.zeros(0, np.int64)
        return TokenStates(pieces, self._layer[1][places])

    def piece_names(self) -> Sequence[str]:
        """Every piece as text."""
        return self._encoder.piece_names()

    def _cut(self, captions: Sequence[str]) -> tuple[list[list[int]], int]:
        return self._encoder._cut(captions)

    def _states(self, pieces: Ints, layers: Sequence[int]) -> Sequence[Floats]:
        raise NotImplementedError("states come from files")
