"""Reading one image file; what cannot be used is an error that names the file and says why."""

from __future__ import annotations

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

MOST_PIXELS = 80_000_000  # in one image: 240 MB of colours
# On a side: to bring a side to a network's few hundred pixels takes memory in proportion to it,
# of a tall picture 1 KB for each row.
MOST_PIXELS_ON_A_SIDE = 200_000
MOST_BYTES = 400_000_000  # in one file
# No others: some of Pillow's formats start programs (EPS) or are no pictures.
_FORMATS = ("JPEG", "MPO", "PNG", "WEBP", "GIF", "BMP", "TIFF", "PPM", "AVIF")
_remarks = ForkSafeLock()


class BadImageError(InputError):
    """An image file that cannot be used; it can be skipped where that is asked for."""


class BadImagesError(BadImageError):
    """All of the image files that cannot be used: `faults` says of each name what is wrong."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        self.faults = dict(faults)
        more = f" (and {len(faults) - 1} more bad images)" if len(faults) > 1 else ""
        super().__init__(f"{next(iter(faults.values()))}{more}")

    def __reduce__(self) -> tuple[type[BadImagesError], tuple[dict[str, str]]]:
        return (BadImagesError, (self.faults,))


def read_image_bytes(path: Path) -> bytes:
    """A file's bytes, unless there are none or far too many."""
    try:
        content = read_input(path, MOST_BYTES, unpack=False, level=logging.DEBUG)
    except InputError as error:
        raise BadImageError(str(error)) from None
    if not content:
        raise BadImageError(f"{path}: the file is empty; copy or download it again")
    return content


def decoded(content: bytes, path: Path) -> Image:
    """The picture in a file's bytes: upright, in red, green and blue, on white."""
    pillow = _pillow()
    try:
        with _without_remarks():
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
        with _without_remarks():
            image = pillow.ImageOps.exif_transpose(image)
        return _in_colour(image, path, pillow)
    except BadImageError:
        raise
    except (pillow.Image.DecompressionBombError, pillow.Image.DecompressionBombWarning):
        raise BadImageError(_enormous(path, "too many")) from None
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
def _without_remarks() -> Iterator[None]:
    """Keep Pillow from remarking, without a file's name, on notes about a picture that is sound.

    Filters of warnings belong to the whole process, so that one thread at a time may change them.
    """
    with _remarks, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def read_image(path: str | Path) -> Image:
    """The picture in a file."""
    return decoded(read_image_bytes(Path(path)), Path(path))


def _check_size(image: Image, path: Path) -> None:
    pixels = image.width * image.height
    if pixels > MOST_PIXELS or max(image.size) > MOST_PIXELS_ON_A_SIDE:
        raise BadImageError(_enormous(path, f"{image.width} by {image.height}"))
    if not pixels:
        raise BadImageError(f"{path}: an image without pixels")


def _enormous(path: Path, size: str) -> str:
    return (
        f"{path}: enormous ({size} pixels; at most {MOST_PIXELS / 1e6:.0f} million, and "
        f"{MOST_PIXELS_ON_A_SIDE:,} on a side); make it smaller"
    )


def _in_colour(image: Any, path: Path, pillow: Any) -> Image:
    """Three channels of eight bits; what is transparent shows white, as on a page."""
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


def _pillow() -> Any:
    try:
        import PIL
        import PIL.Image
        import PIL.ImageOps
    except ImportError:
        raise MissingDependencyError(
            "reading images needs Pillow: pip install 'captious[image]'"
        ) from None
    return PIL
