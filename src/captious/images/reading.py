"""Reading of image files, whole or as thumbnails; errors name the file and the reason."""

from __future__ import annotations

import base64
import io
import logging
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from captious._internal.locks import ForkSafeLock
from captious.errors import InputError, MissingDependencyError
from captious.io.inputs import read_input

if TYPE_CHECKING:
    from PIL.Image import Image


MAX_PIXELS = 80_000_000  # in one image: 240 MB of colours
# On a side: to bring a side to a network's few hundred pixels takes memory in proportion to it,
# of a tall picture 1 KB for each row.
MAX_SIDE_PIXELS = 200_000
MAX_FILE_BYTES = 400_000_000  # in one file
# No others: some of Pillow's formats start programs (EPS) or are no pictures.
_FORMATS = ("JPEG", "MPO", "PNG", "WEBP", "GIF", "BMP", "TIFF", "PPM", "AVIF")
THUMBNAIL_SIDE_PIXELS = 240  # of the longer side, at most
THUMBNAIL_QUALITY = 60  # of 100: a photograph has some 9 kB in a page
_warnings_lock = ForkSafeLock()


class BadImageError(InputError):
    """Error: an image file cannot be used. Callers can ask to skip such files."""


class BadImagesError(BadImageError):
    """Error: several image files cannot be used; `faults` has the reason by name."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        self.faults = dict(faults)
        more = f" (and {len(faults) - 1} more bad images)" if len(faults) > 1 else ""
        super().__init__(f"{next(iter(faults.values()))}{more}")

    def __reduce__(self) -> tuple[type[BadImagesError], tuple[dict[str, str]]]:
        return (BadImagesError, (self.faults,))


def read_image_bytes(path: Path) -> bytes:
    """Return the bytes of a file, or raise if it is empty or too large."""
    try:
        content = read_input(path, MAX_FILE_BYTES, unpack=False, level=logging.DEBUG)
    except InputError as error:
        raise BadImageError(str(error)) from None
    if not content:
        raise BadImageError(f"{path}: the file is empty; copy or download it again")
    return content


def decode_image(content: bytes, path: Path) -> Image:
    """Decode the image in a file's bytes: upright, RGB, on a white background."""
    pillow = _import_pillow()
    try:
        with _ignore_pillow_warnings():
            image = pillow.Image.open(io.BytesIO(content), formats=_formats(pillow))
        _check_size(image, path)
        # An MPO is a camera's JPEG with a preview behind it: the first picture is the picture.
        frames = 1 if image.format == "MPO" else getattr(image, "n_frames", 1)
        if frames > 1:
            raise BadImageError(
                f"{path}: animated, or of several pages ({frames} pictures); "
                "save the one that the caption is about"
            )
        image.load()
        with _ignore_pillow_warnings():
            image = pillow.ImageOps.exif_transpose(image)
        return _convert_to_rgb(image, path, pillow)
    except BadImageError:
        raise
    except (pillow.Image.DecompressionBombError, pillow.Image.DecompressionBombWarning):
        raise BadImageError(_size_message(path, "too many")) from None
    except pillow.UnidentifiedImageError:
        raise BadImageError(
            f"{path}: not a readable image (known: {', '.join(_formats(pillow))})"
        ) from None
    except Exception as error:  # a damaged file makes Pillow's readers raise almost anything
        reason = " ".join(str(error).split())[:120]
        if "truncated" in reason.lower() or isinstance(error, EOFError):
            raise BadImageError(f"{path}: cut off ({reason}); copy or download it again") from None
        raise BadImageError(f"{path}: not a readable image ({reason})") from None


@contextmanager
def _ignore_pillow_warnings() -> Iterator[None]:
    """Suppress Pillow's warnings about metadata of readable images, which do not name the file.

    Warning filters belong to the whole process, so only one thread at a time may change them.
    """
    with _warnings_lock, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def read_image(path: str | Path) -> Image:
    """Read and decode an image file."""
    return decode_image(read_image_bytes(Path(path)), Path(path))


def _check_size(image: Image, path: Path) -> None:
    pixels = image.width * image.height
    if pixels > MAX_PIXELS or max(image.size) > MAX_SIDE_PIXELS:
        raise BadImageError(_size_message(path, f"{image.width} by {image.height}"))
    if not pixels:
        raise BadImageError(f"{path}: an image without pixels")


def _size_message(path: Path, size: str) -> str:
    return (
        f"{path}: enormous ({size} pixels; at most {MAX_PIXELS / 1e6:.0f} million, and "
        f"{MAX_SIDE_PIXELS:,} on a side); make it smaller"
    )


def _convert_to_rgb(image: Any, path: Path, pillow: Any) -> Image:
    """Convert to three channels of eight bits; transparent pixels become white."""
    if image.mode.startswith("I;16"):
        # Pillow would cut 16 bits off at 255 instead of scaling them.
        image = image.point(lambda value: value / 256).convert("L")
    elif image.mode in ("I", "F"):
        raise BadImageError(f"{path}: pixels of 32 bits; save it with 8 bits a channel")
    if image.has_transparency_data:
        image = image.convert("RGBA")
        page = pillow.Image.new("RGBA", image.size, "white")
        image = pillow.Image.alpha_composite(page, image)
    coloured: Image = image.convert("RGB")
    return coloured


def _formats(pillow: Any) -> list[str]:
    pillow.Image.init()
    return [name for name in _FORMATS if name in pillow.Image.OPEN]


def _import_pillow() -> Any:
    try:
        import PIL
        import PIL.Image
        import PIL.ImageOps
    except ImportError:
        raise MissingDependencyError(
            "reading images needs Pillow: pip install 'captious[image]'"
        ) from None
    return PIL


def make_thumbnail(path: str | Path) -> str:
    """Return an image file, made small and without metadata, as a `data:` URL."""
    image = read_image(path)
    image.thumbnail((THUMBNAIL_SIDE_PIXELS, THUMBNAIL_SIDE_PIXELS))
    image.info = {}  # pixels only: no place, no author
    kind = "webp" if _writes_webp() else "jpeg"
    stream = io.BytesIO()
    image.save(stream, kind, quality=THUMBNAIL_QUALITY)
    return f"data:image/{kind};base64,{base64.b64encode(stream.getvalue()).decode('ascii')}"


def _writes_webp() -> bool:
    from PIL import features

    return bool(features.check("webp"))
