"""Small pictures for a page: upright, without what cameras note, as a `data:` address."""

from __future__ import annotations

import base64
import io
from pathlib import Path

from captious.images.reading import read_image

SIDE = 240  # pixels of the longer side, at most
QUALITY = 60  # of 100: a photograph has some 9 kB in a page


def thumbnail(path: str | Path) -> str:
    """An image file, made small; a BadImageError if it cannot be used."""
    image = read_image(path)
    image.thumbnail((SIDE, SIDE))
    image.info = {}  # its pixels alone: where it was taken, and by whom, stays where it is
    kind = "webp" if _writes_webp() else "jpeg"
    stream = io.BytesIO()
    image.save(stream, kind, quality=QUALITY)
    return f"data:image/{kind};base64,{base64.b64encode(stream.getvalue()).decode('ascii')}"


def _writes_webp() -> bool:
    from PIL import features

    return bool(features.check("webp"))
