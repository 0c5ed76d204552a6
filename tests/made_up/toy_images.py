"""Small pictures and an encoder that sees nothing but their mean colour."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import numpy as np
import pytest

from captious.images.encoder import ImageEncoder
from captious.images.preprocessing import Recipe

pytest.importorskip("PIL")
from PIL import Image as Image


class MeanColour(ImageEncoder):
    name = "toy"
    recipe = Recipe(4, 4, (0.0,) * 3, (255.0,) * 3)
    fingerprint = "toy"
    seen = 0

    def _run(self, pixels: np.ndarray) -> np.ndarray:
        self.seen += len(pixels)
        colours: np.ndarray = pixels.mean(axis=(2, 3))
        return colours


def noise(width: int = 48, height: int = 32, seed: int = 0) -> Image.Image:
    colours = np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)
    return Image.fromarray(colours)


def saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **options)
    return stream.getvalue()


def png_that_says(width: int, height: int) -> bytes:
    """A PNG of one pixel whose header promises more."""
    content = bytearray(saved(Image.new("RGB", (1, 1)), "PNG"))
    content[16:24] = struct.pack(">II", width, height)
    content[29:33] = struct.pack(">I", zlib.crc32(content[12:29]))
    return bytes(content)
