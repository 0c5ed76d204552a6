"""A captioner: all that writes captions of image vectors, in one `.npz`, no pickle."""

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
from captious.errors import InputError
from captious.images.scaling import ImageScaling
from captious.images.vectors import ImageVectors, SingleArray
from captious.io.files import read_bytes, written_whole
from captious.text.vocabulary import Vocabulary

FORMAT = 1
SCALING = ("scaling.mean", "scaling.deviation")  # the names of its arrays


@dataclass(frozen=True, eq=False)
class Captioner:
    """How images are scaled, the network, its words, and how it was trained."""

    scaling: ImageScaling
    decoder: Decoder
    vocabulary: Vocabulary
    notes: dict[str, Any] = field(default_factory=dict)

    def seen(self, images: ImageVectors) -> ImageVectors:
        """Image vectors as the decoder sees them; they must be of the kind it was trained on."""
        if images.width != self.decoder.shape.width:
            raise InputError(
                f"{images.source}: vectors of {images.width} numbers, but the captioner was "
                f"trained on {self.decoder.shape.width}; take vectors of the same image encoder"
            )
        return self.scaling.apply(images)

    def save(self, path: str | Path) -> None:
        """Write everything; equal captioners give equal files."""
        arrays = {**self.decoder.arrays(), **_named(self.scaling)}
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
        scaling = ImageScaling(*(arrays.pop(name) for name in SCALING))
        decoder = Decoder(shape)
        decoder.load(arrays)
        notes = about["notes"]
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise InputError(f"{path}: not a captioner's file ({error})") from None
    if not sound or shape.vocabulary != len(vocabulary):
        raise InputError(f"{path}: damaged, or of another version; train it again")
    decoder.parts.eval()
    return Captioner(scaling, decoder, vocabulary, notes)


def _named(scaling: ImageScaling) -> dict[str, SingleArray]:
    return dict(zip(SCALING, (scaling.mean, scaling.deviation), strict=True))


def fingerprint(arrays: Mapping[str, SingleArray]) -> str:
    """A hash of all weights."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        digest.update(f"{name}{arrays[name].shape}".encode())
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()
