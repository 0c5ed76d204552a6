"""Small pictures for a page."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import pytest

from captious.images.reading import BadImageError

Image = pytest.importorskip("PIL.Image")

from captious.images.reading import THUMBNAIL_SIDE_PIXELS, make_thumbnail  # noqa: E402


def picture(address: str) -> Any:
    kind, _, packed = address.partition(";base64,")
    assert kind in ("data:image/webp", "data:image/jpeg")
    image = Image.open(io.BytesIO(base64.b64decode(packed)))
    image.load()
    return image


def test_thumbnail_limits_the_longer_side_and_keeps_small_images(tmp_path: Path) -> None:
    Image.new("RGB", (960, 480), "red").save(tmp_path / "wide.png")
    Image.new("RGB", (12, 30), "red").save(tmp_path / "small.png")
    assert picture(make_thumbnail(tmp_path / "wide.png")).size == (
        THUMBNAIL_SIDE_PIXELS,
        THUMBNAIL_SIDE_PIXELS // 2,
    )
    assert picture(make_thumbnail(tmp_path / "small.png")).size == (12, 30)


def test_thumbnail_is_upright_and_without_metadata(
    tmp_path: Path,
) -> None:
    image = Image.new("RGB", (40, 20), "blue")
    image.paste("red", (0, 0, 20, 20))
    notes = Image.Exif()
    notes[0x0112] = 6  # turned by 90 degrees
    notes[0x010F] = "Maker of Cameras"
    profile = b"a profile of colours"
    image.save(tmp_path / "turned.jpg", exif=notes, comment=b"taken at home", icc_profile=profile)
    address = make_thumbnail(tmp_path / "turned.jpg")
    shown = picture(address)
    assert shown.size == (20, 40)
    red, _, blue = shown.getpixel((10, 5))
    assert red > blue
    content = base64.b64decode(address.partition(",")[2])
    for secret in (b"Maker", b"taken at home", profile, b"Exif"):
        assert secret not in content


def test_thumbnail_of_bad_image_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "bad.jpg").write_bytes(b"no picture")
    with pytest.raises(BadImageError, match=r"bad\.jpg"):
        make_thumbnail(tmp_path / "bad.jpg")
