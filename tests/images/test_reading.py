"""Reading images: sound ones upright and in colour, others an error that names the file."""

from __future__ import annotations

import os
import random
import sys
import warnings
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from captious.errors import MissingDependencyError
from captious.images import reading
from captious.images.reading import BadImageError, decode_image, read_image
from tests.made_up.toy_images import Image, noise, png_that_says, saved

PATH = Path("some.jpg")


def colours(content: bytes) -> Any:
    return np.asarray(decode_image(content, PATH)).tolist()


@pytest.mark.parametrize("kind", ["PNG", "BMP", "TIFF", "PPM"])
def test_pixels_are_read_unchanged(kind: str) -> None:
    assert colours(saved(noise(), kind)) == np.asarray(noise()).tolist()


def test_a_jpeg_is_turned_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was held on its side
    assert decode_image(saved(noise(48, 32), "JPEG", exif=exif), PATH).size == (32, 48)


def test_transparent_pixels_become_white() -> None:
    clear = Image.new("RGBA", (1, 1), (10, 20, 30, 0))
    half = Image.new("RGBA", (1, 1), (0, 0, 0, 51))
    assert colours(saved(clear, "PNG")) == [[[255, 255, 255]]]
    assert colours(saved(half, "PNG")) == [[[204, 204, 204]]]
    palette = Image.new("P", (1, 1), 0)
    assert colours(saved(palette, "PNG", transparency=0)) == [[[255, 255, 255]]]


def test_grey_images_of_8_and_16_bits() -> None:
    assert colours(saved(Image.new("L", (1, 1), 128), "PNG")) == [[[128] * 3]]
    deep = Image.fromarray(np.array([[128 * 256]], np.uint16))
    assert colours(saved(deep, "PNG")) == [[[128] * 3]]
    with pytest.raises(BadImageError, match="32 bits"):
        decode_image(saved(Image.new("F", (1, 1)), "TIFF"), PATH)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "BMP", "TIFF", "WEBP"])
def test_truncated_file_is_an_error(kind: str) -> None:
    content = saved(noise(200, 200), kind)
    with pytest.raises(BadImageError, match=r"^some\.jpg: (cut off|not a readable)"):
        decode_image(content[: len(content) // 2], PATH)


def test_truncated_jpeg_is_reported_as_truncated() -> None:
    content = saved(noise(200, 200), "JPEG")
    with pytest.raises(BadImageError, match=r"some\.jpg: cut off .*download it again"):
        decode_image(content[:-2000], PATH)


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG", "TIFF"])
def test_animated_image_is_an_error(kind: str) -> None:
    frames = [noise(seed=seed) for seed in range(3)]
    content = saved(frames[0], kind, save_all=True, append_images=frames[1:])
    with pytest.raises(BadImageError, match=r"some\.jpg: animated.*3 pictures"):
        decode_image(content, PATH)


def test_a_gif_of_one_picture_is_read() -> None:
    assert decode_image(saved(noise(), "GIF"), PATH).size == (48, 32)


@pytest.mark.parametrize(
    "size", [(9500, 9000), (10_000, 10_000), (30_000, 30_000), (79_999_999, 1), (1, 79_999_999)]
)
@pytest.mark.parametrize("action", ["error", "ignore"])
def test_enormous_image_is_refused_before_decoding(
    size: tuple[int, int], action: Literal["error", "ignore"]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter(action)
        with pytest.raises(BadImageError, match=r"some\.jpg: enormous.*at most 80 million"):
            decode_image(png_that_says(*size), PATH)


def test_enormous_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large.png"
    path.write_bytes(saved(noise(), "PNG"))
    monkeypatch.setattr(reading, "MAX_FILE_BYTES", 100)
    with pytest.raises(BadImageError, match=r"large\.png: enormous"):
        read_image(path)


def test_other_files_are_errors(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    with pytest.raises(BadImageError, match=r"a\.jpg: cannot be read"):
        read_image(path)
    path.write_bytes(b"")
    with pytest.raises(BadImageError, match=r"a\.jpg: the file is empty"):
        read_image(path)
    for content in (b"a dog", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n"):
        path.write_bytes(content)
        with pytest.raises(BadImageError, match=r"a\.jpg: not a readable image \(known: JPEG"):
            read_image(path)
    with pytest.raises(BadImageError, match="cannot be read"):
        read_image(tmp_path)
    with pytest.raises(BadImageError, match="not a file name"):
        read_image("a\0b.jpg")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP", "TIFF", "BMP"])
def test_any_damage_is_a_bad_image_error(kind: str) -> None:
    content = saved(noise(), kind)
    chance = random.Random(0)
    bad = 0
    for _ in range(150):
        damaged = bytearray(content)
        for _ in range(chance.choice((1, 3, 20))):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        try:
            assert decode_image(bytes(damaged), PATH).mode == "RGB"
        except BadImageError as error:
            bad += 1
            assert str(error).startswith("some.jpg: ") and "\n" not in str(error)
    assert bad


def test_without_pillow_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingDependencyError, match=r"captious\[image\]"):
        decode_image(b"x", PATH)


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_image_with_broken_metadata_is_read(kind: str, tmp_path: Path) -> None:
    notes = b"Exif\0\0II*\0\x08\0\0\0\xff\xff" + b"\xff" * 60
    content = saved(noise(), kind, exif=notes)
    # Warnings are errors here: Pillow's would say nothing of which file it means.
    assert decode_image(content, Path("a.jpg")).size == noise().size


def test_any_changed_byte_is_an_image_or_an_error() -> None:
    rng = np.random.default_rng(7)
    for kind in ("JPEG", "PNG", "GIF", "TIFF", "BMP", "PPM", "WEBP"):
        sound = saved(noise(), kind)
        for _ in range(60):
            damaged = bytearray(sound)
            for place in rng.integers(len(sound), size=3):
                damaged[place] = rng.integers(256)
            content = bytes(damaged[: rng.integers(1, len(sound) + 200)])
            try:
                decode_image(content, Path("some.jpg"))
            except BadImageError as error:
                assert str(error).startswith("some.jpg: ") and "\n" not in str(error)


@pytest.mark.skipif(os.name != "posix", reason="kinds of files that only POSIX has")
def test_folder_without_regular_files_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "folder.jpg").mkdir()
    (tmp_path / "loop.jpg").symlink_to("loop.jpg")
    (tmp_path / "zero.jpg").symlink_to("/dev/zero")
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "up").symlink_to(tmp_path, target_is_directory=True)
    os.mkfifo(tmp_path / "pipe.jpg")
    (tmp_path / "sound.png").write_bytes(saved(noise(), "PNG"))
    from captious.images.sources import bad_images

    names = ["folder", "loop", "zero", "pipe", "sound"]
    faults = bad_images(tmp_path, names)
    assert list(faults) == names[:4]
    assert all(f"{name}.jpg: cannot be read" in faults[name] for name in faults)
