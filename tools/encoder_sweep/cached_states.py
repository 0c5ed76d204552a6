"""An encoder whose states are computed once for all layers and cached in a folder.

A sweep reads every layer of the same captions, and encoding is the expensive part. Captions are
encoded a thousand at a time, and cached ones are not encoded again: a file of captions, and one of
their states after each layer.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from captious._internal.arrays.ragged import offsets_of
from captious.io.atomic_files import atomic_write
from captious.text.encoder.encoder import Encoder, Floats, Ints, TokenStates
from captious.text.encoder.onnx_encoder import OnnxEncoder

BATCH_CAPTIONS = 1000


class CachedStates(Encoder):
    """States of captions that `cache` encoded, read from files; other captions have none."""

    def __init__(self, encoder: OnnxEncoder, folder: Path, layers: Sequence[int]) -> None:
        self._encoder = encoder
        self._folder = folder / f"{encoder.settings.name}-{encoder.fingerprint}"
        self._cached_layers = list(layers)
        self._place: dict[str, tuple[Path, int, int]] = {}  # by caption: file, beginning, end
        self.name = encoder.name
        self.layers, self.width, self.window = encoder.layers, encoder.width, encoder.window
        self._folder.mkdir(parents=True, exist_ok=True)
        for path in sorted(self._folder.glob("*.json")):
            if all(_states_path(path, layer).exists() for layer in layers):
                self._index(path, json.loads(path.read_text(encoding="utf-8")))

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the wrapped encoder."""
        return self._encoder.fingerprint

    def cache(self, captions: Sequence[str]) -> None:
        """Encode the captions that have no cached states yet, and index the files of all."""
        new = [caption for caption in dict.fromkeys(captions) if caption not in self._place]
        # By length, so that those of one length make a batch.
        new.sort(key=lambda caption: (len(caption.split()), caption))
        start = time.monotonic()
        for first in range(0, len(new), BATCH_CAPTIONS):
            chunk = new[first : first + BATCH_CAPTIONS]
            text = json.dumps(chunk)
            path = self._folder / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"
            states_by_layer = self._encoder.states_of_layers(chunk, self._cached_layers)
            for layer, layer_states in zip(self._cached_layers, states_by_layer, strict=True):
                with atomic_write(_states_path(path, layer)) as stream:
                    np.save(stream, layer_states.states)
            with atomic_write(path) as stream:
                stream.write(text.encode())
            self._index(path, chunk)
            elapsed = time.monotonic() - start
            print(f"{first + len(chunk)} of {len(new)} captions, {elapsed:.0f} s", file=sys.stderr)

    def _index(self, path: Path, captions: Sequence[str]) -> None:
        rows, _ = self._tokenize(captions)
        spans = pairwise(offsets_of(np.array([len(row) for row in rows])).tolist())
        for caption, (start, end) in zip(captions, spans, strict=True):
            self._place[caption] = (path, start, end)

    def token_states(self, captions: Sequence[str], layer: int | None = None) -> TokenStates:
        """Read the cached vectors of each piece after a layer."""
        layer = self.resolve_layer(layer)
        pieces = self.pieces(captions)
        states = np.empty((len(pieces.values), self.width or 0), np.float32)
        by_file: dict[Path, list[int]] = {}
        for row, caption in enumerate(captions):
            by_file.setdefault(self._place[caption][0], []).append(row)
        for path, rows in by_file.items():
            cached = np.load(_states_path(path, layer))
            for row in rows:
                _, start, end = self._place[captions[row]]
                states[pieces.offsets[row] : pieces.offsets[row + 1]] = cached[start:end]
        return TokenStates(pieces, states)

    def piece_names(self) -> Sequence[str]:
        """Every piece as text."""
        return self._encoder.piece_names()

    def _tokenize(self, captions: Sequence[str]) -> tuple[list[list[int]], int]:
        return self._encoder._tokenize(captions)

    def _states(self, pieces: Ints, layers: Sequence[int]) -> Sequence[Floats]:
        raise NotImplementedError("states come from files")


def _states_path(path: Path, layer: int) -> Path:
    """The path of the states that belong to a file of captions."""
    return path.with_name(f"{path.stem}_{layer}.npy")
