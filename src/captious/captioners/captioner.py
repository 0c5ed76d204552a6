"""A captioner: image scaling, decoder and vocabulary, in one `.npz` without pickle."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from captious.captioners.decoder import Decoder, Shape
from captious.errors import InputError
from captious.images.vectors import MIN_DEVIATION, ImageScaling, ImageVectors, SingleArray
from captious.io.array_files import (
    DECIMALS,
    ArrayFile,
    Member,
    fingerprint,
    json_table,
    record_from_table,
)
from captious.text.vocabulary import Vocabulary

FORMAT = 1
SCALING = ("scaling.mean", "scaling.deviation")  # the names of its arrays
ABOUT = Member("about", json_table(format=int, shape=dict, words=list, fingerprint=str, notes=dict))
FILE = ArrayFile("a captioner's file", "train it again", (ABOUT,))


@dataclass(frozen=True, eq=False)
class Captioner:
    """Image scaling, network, vocabulary, and notes on training."""

    scaling: ImageScaling
    decoder: Decoder
    vocabulary: Vocabulary
    notes: dict[str, Any] = field(default_factory=dict)

    def scale_images(self, images: ImageVectors) -> ImageVectors:
        """Scale image vectors for the decoder; they must be of the kind it was trained on."""
        if images.width != self.decoder.shape.width:
            raise InputError(
                f"{images.source}: vectors of {images.width} numbers, but the captioner was "
                f"trained on {self.decoder.shape.width}; take vectors of the same image encoder"
            )
        return self.scaling.apply(images)

    def save(self, path: str | Path) -> None:
        """Write an `.npz`; equal captioners give equal files."""
        arrays = {**self.decoder.arrays(), **_scaling_arrays(self.scaling)}
        table = {
            "format": FORMAT,
            "shape": asdict(self.decoder.shape),
            "words": self.vocabulary.words,
            "fingerprint": fingerprint(arrays),
            "notes": self.notes,
        }
        FILE.write(path, {"about": table, **arrays})


def load_captioner(path: str | Path) -> Captioner:
    """Read a captioner, checked against the fingerprint that it carries."""
    with FILE.open(path) as file:
        table = file.read(ABOUT)["about"]
        try:
            shape = record_from_table(Shape, table["shape"])
            vocabulary = Vocabulary(tuple(table["words"]))
        except InputError as error:
            raise file.error(str(error)) from None
        mean, deviation = SCALING
        arrays = file.read(
            *(Member(name, DECIMALS, dims) for name, dims in shape.arrays().items()),
            Member(mean, DECIMALS, (shape.width,)),
            Member(deviation, DECIMALS, (shape.width,), MIN_DEVIATION),
        )
    sound = table["format"] == FORMAT and fingerprint(arrays) == table["fingerprint"]
    if not sound or shape.vocabulary != len(vocabulary):
        raise InputError(f"{path}: damaged, or of another version; {FILE.remedy}")
    scaling = ImageScaling(*(arrays.pop(name) for name in SCALING))
    decoder = Decoder(shape)
    decoder.load(arrays)
    decoder.parts.eval()
    return Captioner(scaling, decoder, vocabulary, table["notes"])


def _scaling_arrays(scaling: ImageScaling) -> dict[str, SingleArray]:
    return dict(zip(SCALING, (scaling.mean, scaling.deviation), strict=True))
