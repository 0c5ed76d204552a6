"""Image preprocessing: a centre crop (`crop`), or the whole image resized (`whole`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from captious.errors import InputError, short_repr

if TYPE_CHECKING:
    from PIL.Image import Image

VIEWS = ("crop", "whole")
_FILTERS = {"nearest": 0, "lanczos": 1, "bilinear": 2, "bicubic": 3, "box": 4, "hamming": 5}

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Recipe:
    """Preprocessing of images for a network; colours range from 0 to 255."""

    side: int  # of the square that the network reads
    resized: float  # length of the shorter side before the centre is cropped
    mean: tuple[float, ...]
    deviation: tuple[float, ...]
    interpolation: str = "bicubic"
    as_torchvision: bool = False  # sides are rounded down and margins to even, not the reverse

    def __post_init__(self) -> None:
        if self.interpolation not in _FILTERS:
            raise InputError(f"unknown interpolation {self.interpolation!r}")

    @classmethod
    def of_torchvision(
        cls,
        side: int,
        resized: float,
        mean: Iterable[float],
        deviation: Iterable[float],
        interpolation: str = "bicubic",
    ) -> Recipe:
        """Create preprocessing of torchvision, timm or CLIP, whose colours range from 0 to 1."""
        mean, deviation = (
            tuple(255 * float(part) for part in parts) for parts in (mean, deviation)
        )
        return cls(side, resized, mean, deviation, interpolation, as_torchvision=True)

    def pixels(self, image: Image, view: str = "crop") -> Floats:
        """Return an image as the network reads it: channels, rows, columns."""
        square = self._crop_center(image) if view == "crop" else self._resize_whole(image)
        colours = np.asarray(square, dtype=np.float32)
        mean, deviation = (np.array(part, np.float32) for part in (self.mean, self.deviation))
        return np.ascontiguousarray(((colours - mean) / deviation).transpose(2, 0, 1))

    def _crop_center(self, image: Image) -> Image:
        shorter = min(image.size)
        sides = [side * self.resized / shorter for side in image.size]
        width, height = (int(side) if self.as_torchvision else round(side) for side in sides)
        margins = (width - self.side, height - self.side)
        left, top = (round(each / 2) if self.as_torchvision else each // 2 for each in margins)
        # One step resizes and cuts, so that a very long picture never becomes a very large one.
        across, down = image.width / width, image.height / height
        box = (
            max(0.0, left * across),
            max(0.0, top * down),
            min(float(image.width), (left + self.side) * across),
            min(float(image.height), (top + self.side) * down),
        )
        return image.resize((self.side, self.side), _FILTERS[self.interpolation], box)

    def _resize_whole(self, image: Image) -> Image:
        return image.resize((self.side, self.side), _FILTERS[self.interpolation])


def check_view(view: str) -> str:
    """Return the name of a view, or raise for an unknown one."""
    if view not in VIEWS:
        raise InputError(
            f"no view {short_repr(view)} of an image; choose one of: {', '.join(VIEWS)}"
        )
    return view
