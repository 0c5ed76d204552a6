"""A captioner: decoder, vocabulary and how it was trained, in one `.npz`, no pickle."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from captious.captioners.decoder import Decoder, Shape
from captious.captioners.image_vectors import ImageVectors, SingleArray
from captious.captioners.vocabulary import Vocabulary
from captious.errors import InputError
from captious.io.files import read_bytes, written_whole

FORMAT = 1


@dataclass(frozen=True, eq=False)
class Captioner:
    """All that writes captions."""

    decoder: Decoder
    vocabulary: Vocabulary
    notes: dict[str, Any] = field(default_factory=dict)  # how it was trained

    def check(self, images: ImageVectors) -> None:
        """Stop where the vectors are not of the kind that the captioner was trained on."""
        if images.width != self.decoder.shape.width:
            raise InputError(
                f"{images.source}: vectors of {images.width} numbers, but the captioner was "
                f"trained on {self.decoder.shape.width}; take vectors of the same image encoder"
            )

    def save(self, path: str | Path) -> None:
        """Write everything; equal captioners give equal files."""
        arrays = self.decoder.arrays()
        about = {
            "format": FORMAT,
            "shape": asdict(self.decoder.shape),
            "words": self.vocabulary.words,
            "fingerprint": fingerprint(arrays),
            "notes": self.notes,
        }
        text = json.dumps(about, ensure_ascii=False, sort_keys=True)
        with written_whole(path) as stream:
            np.savez(stream, about=np.array(text), **dict[str, Any](arrays))


def load_captioner(path: str | Path) -> Captioner:
    """Read a captioner, checked against the fingerprint that it carries."""
    try:
        with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(str(arrays.pop("about")))
        sound = about["format"] == FORMAT and fingerprint(arrays) == about["fingerprint"]
        shape, vocabulary = Shape(**about["shape"]), Vocabulary(tuple(about["words"]))
        notes = about["notes"]
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise InputError(f"{path}: not a captioner's file ({error})") from None
    if not sound or shape.vocabulary != len(vocabulary):
        raise InputError(f"{path}: damaged, or of another version; train it again")
    decoder = Decoder(shape)
    decoder.load(arrays)
    decoder.parts.eval()
    return Captioner(decoder, vocabulary, notes)


def fingerprint(arrays: Mapping[str, SingleArray]) -> str:
    """A hash of all weights."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        digest.update(f"{name}{arrays[name].shape}".encode())
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()
