"""The encoder that ships: all-MiniLM-L6-v2 with weights of eight bits, run by ONNX Runtime."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from captious.resources import RESOURCES
from captious.text.encoder.encoder import DEFAULT, load_encoder
from captious.text.encoder.onnx_encoder import OnnxEncoder, Settings
from captious.text.encoder.wordpiece import BERT_SPECIAL_TOKENS

SHIPPED = RESOURCES / "encoder"
SETTINGS = Settings(
    name=DEFAULT,
    layers=6,
    width=384,
    window=256,
    pieces=30522,
    marks=BERT_SPECIAL_TOKENS,
    sha256="97fa5da3c8fdd9948547a9507258ad1d5b8c5cb38394434b51da49fa16135b9b",
)


class MiniLM(OnnxEncoder):
    """Six layers, vectors of 384 numbers; reads 256 pieces."""

    def __init__(self, folder: Path = SHIPPED) -> None:
        super().__init__(folder, SETTINGS, "install captious again")
        self.name = DEFAULT

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return (load_encoder, ()) if self.folder == SHIPPED else (MiniLM, (self.folder,))
