"""Image files: damaged ones, and sound ones of odd sizes, colours and formats."""

from __future__ import annotations

import io
import json
from pathlib import Path
from random import Random
from typing import Any

from captious.images.reading import read_image
from tests.fuzz.file_damage import damage_file
from tests.fuzz.file_kind import Command, FileKind, Files, Reader
from tests.fuzz.kind import Kind

FORMATS = {"a.png": "PNG", "b.jpg": "JPEG", "c.gif": "GIF", "d.webp": "WEBP", "e.tiff": "TIFF",
           "f.bmp": "BMP"}  # fmt: skip
MODES = ("1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "YCbCr", "I", "F", "I;16", "PA")
SIZES = ((1, 1), (1, 500), (500, 1), (2, 2), (7, 3), (64, 64), (3000, 2))


def _picture_bytes(kind: str, mode: str, size: tuple[int, int], **options: Any) -> bytes:
    from PIL import Image

    stream = io.BytesIO()
    Image.linear_gradient("L").resize(size).convert(mode).save(stream, kind, **options)
    return stream.getvalue()


def _pictures() -> Files:
    return {name: _picture_bytes(kind, "RGB", (12, 9)) for name, kind in FORMATS.items()}


def _score_pictures() -> Files:
    rows = [{"id": 1, "candidate": "a dog", "references": ["a dog", "a cat"], "image": "a.png"},
            {"id": 2, "candidate": "a cat", "references": ["a dog"], "image": "b.jpg"}]  # fmt: skip
    pictures = {f"photos/{name}": _pictures()[name] for name in ("a.png", "b.jpg")}
    return {**pictures, "rows.json": json.dumps(rows).encode()}


def damage_picture(name: str, content: bytes, random: Random) -> bytes:
    """Damaged bytes, or another picture altogether."""
    if random.random() < 0.6:
        return damage_file(name, content, random)
    kind = random.choice(sorted(FORMATS.values()))
    options: dict[str, Any] = {}
    if kind in ("GIF", "WEBP", "TIFF", "PNG") and random.random() < 0.3:
        from PIL import Image

        options = {"save_all": True, "append_images": [Image.new("RGB", (12, 9))] * 2}
    try:
        return _picture_bytes(kind, random.choice(MODES), random.choice(SIZES), **options)
    except (OSError, ValueError, KeyError, RuntimeError):
        return content  # a mode or a size that the format cannot hold


def _read_all(folder: Path) -> None:
    for name in FORMATS:
        read_image(folder / name)


KINDS: list[Kind] = [
    FileKind("pictures", 2.0, _pictures, [Reader(_read_all)], damage=damage_picture,
             needs=("PIL",)),
    FileKind(
        "pictures-scored",
        0.25,
        _score_pictures,
        [
            Command("score @rows.json --metrics captious_image --images @photos --no-cache"),
            Command("score @rows.json --metrics captious_image --images @photos --no-cache "
                    "--skip-bad-images --format json"),
        ],
        spared=("rows.json",),
        damage=damage_picture,
        needs=("PIL", "onnxruntime"),
    ),
]  # fmt: skip
