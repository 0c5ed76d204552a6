"""Encoders as ONNX graphs: a folder with a graph, its vocabulary and its settings."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from captious._internal.backends.onnx import create_session, read_weights
from captious.errors import InputError
from captious.io.inputs import is_file, read_input
from captious.resources import RESOURCES
from captious.text.encoder.encoder import DEFAULT, Encoder, Floats, Ints, load_encoder
from captious.text.encoder.wordpiece import BERT_SPECIAL_TOKENS, SpecialTokens, WordPiece

ABOUT, VOCABULARY = "encoder.json", "vocabulary.txt"
_HOW = "build the encoder again (tools/export_encoder.py)"
# The least of each: a caption has two marks and a piece.
_MINIMA = {"layers": 1, "width": 1, "window": 3, "pieces": 3}
_MAX_SETTING = 1 << 20


@dataclass(frozen=True)
class Settings:
    """The settings of a graph, read before it is loaded."""

    name: str
    layers: int
    width: int
    window: int  # pieces that a caption may have
    pieces: int  # that it knows
    marks: SpecialTokens
    sha256: str  # of the graph

    def to_json(self) -> str:
        """Return the settings as the text of `encoder.json`."""
        return json.dumps(dataclasses.asdict(self), indent=2) + "\n"


class OnnxEncoder(Encoder):
    """A transformer that `tools/export_encoder.py` wrote, run by ONNX Runtime; no torch."""

    def __init__(self, folder: Path, settings: Settings, how: str = _HOW) -> None:
        self.folder = folder
        self.settings = settings
        # What signatures say is what can be given back: a folder, for one that does not ship.
        self.name = str(folder)
        self.layers, self.width = settings.layers, settings.width
        self.window = settings.window
        self._how = how

    @staticmethod
    def exists_at(folder: Path) -> bool:
        """Whether a folder has the settings file of such an encoder."""
        return is_file(folder / ABOUT)

    @classmethod
    def load(cls, folder: Path) -> OnnxEncoder:
        """Load the encoder of a folder; its weights are read when first used."""
        return cls(folder, read_settings(folder / ABOUT))

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return (load_encoder, (str(self.folder),))

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the weights and of the vocabulary."""
        digest = hashlib.sha256(self._graph())
        digest.update(read_input(self.folder / VOCABULARY))
        return digest.hexdigest()[:12]

    def piece_names(self) -> Sequence[str]:
        """Return every piece as text; inside a word it begins with `##`."""
        return self._word_piece.pieces

    def _tokenize(self, captions: Sequence[str]) -> tuple[list[list[int]], int]:
        return self._word_piece.tokenize(captions, self.window)

    def _states(self, pieces: Ints, layers: Sequence[int]) -> Sequence[Floats]:
        states: list[Floats] = self._session.run(
            [f"states_{layer}" for layer in layers], {"ids": pieces}
        )
        return states

    @property
    def _weights(self) -> Path:
        return self.folder / f"{self.settings.name}.onnx"

    def _graph(self) -> bytes:
        return read_weights(self._weights, "encoder", self.settings.sha256, self._how)[0]

    @cached_property
    def _word_piece(self) -> WordPiece:
        path = self.folder / VOCABULARY
        word_piece = WordPiece(path, self.settings.marks)
        if len(word_piece.pieces) != self.settings.pieces:
            raise InputError(
                f"{path}: {len(word_piece.pieces)} pieces, where the weights are for "
                f"{self.settings.pieces}; {self._how}"
            )
        return word_piece

    @cached_property
    def _session(self) -> Any:
        return create_session(self._graph, self._weights, "encoder", "encoder", self._how)


def read_settings(path: Path) -> Settings:
    """Read and check `encoder.json`."""
    try:
        table = json.loads(read_input(path))
        marks = table.pop("marks")
        settings = Settings(
            **table, marks=SpecialTokens(**{**marks, "others": tuple(marks["others"])})
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        reason = " ".join(str(error).split())[:120]
        raise InputError(f"{path}: not what an encoder says of itself ({reason}); {_HOW}") from None
    _check(path, dataclasses.asdict(settings))
    return settings


def _check(path: Path, table: Mapping[str, Any]) -> None:
    wrong = [
        name
        for name, least in _MINIMA.items()
        if type(table[name]) is not int or not least <= table[name] <= _MAX_SETTING
    ]
    wrong += [
        name
        for name, form in (("name", r"[\w.-]{1,80}"), ("sha256", r"[0-9a-f]{64}"))
        if not isinstance(table[name], str) or not re.fullmatch(form, table[name])
    ]
    marks = table["marks"]
    wrong += [
        name for name, mark in marks.items() if name != "others" and not isinstance(mark, str)
    ]
    wrong += ["others"] * (not all(isinstance(mark, str) and mark for mark in marks["others"]))
    if wrong:
        raise InputError(f'{path}: "{wrong[0]}" is not what is written there; {_HOW}')


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
