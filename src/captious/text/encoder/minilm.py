"""The encoder that ships: all-MiniLM-L6-v2 with weights of eight bits, run by ONNX Runtime."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from captious.backends.onnx import read_weights, session_of
from captious.resources import RESOURCES
from captious.text.encoder.encoder import DEFAULT, Encoder, Floats, Ints, encoder_named
from captious.text.encoder.wordpiece import WordPiece

SHIPPED = RESOURCES / "encoder"
HASH = "97fa5da3c8fdd9948547a9507258ad1d5b8c5cb38394434b51da49fa16135b9b"
_HOW = "install captious again"


class MiniLM(Encoder):
    """Six layers, vectors of 384 numbers; reads 256 pieces."""

    name = DEFAULT
    layers = 6
    window = 256
    width = 384

    def __init__(self, folder: Path = SHIPPED) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return (encoder_named, ()) if self.folder == SHIPPED else (MiniLM, (self.folder,))

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the weights and of the vocabulary."""
        digest = hashlib.sha256(self._graph())
        digest.update(self._vocabulary.read_bytes())
        return digest.hexdigest()[:12]

    def piece_names(self) -> Sequence[str]:
        """Every piece as text; inside a word it begins with `##`."""
        return self._word_piece.pieces

    def _cut(self, captions: Sequence[str]) -> tuple[list[list[int]], int]:
        return self._word_piece.cut(captions, self.window)

    def _states(self, pieces: Ints, layer: int) -> Floats:
        states: Floats = self._session.run([f"states_{layer}"], {"ids": pieces})[0]
        return states

    @property
    def _weights(self) -> Path:
        return self.folder / f"{DEFAULT}.onnx"

    @property
    def _vocabulary(self) -> Path:
        return self.folder / "vocabulary.txt"

    def _graph(self) -> bytes:
        expected = HASH if self.folder == SHIPPED else None
        return read_weights(self._weights, "encoder", expected, _HOW)[0]

    @cached_property
    def _word_piece(self) -> WordPiece:
        return WordPiece(self._vocabulary)

    @cached_property
    def _session(self) -> Any:
        return session_of(self._graph, self._weights, "encoder", "encoder", _HOW)
