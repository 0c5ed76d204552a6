"""What metrics that see images are given: options that several commands share."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from captious.cli.options import Add
from captious.cli.progress import image_bar
from captious.images.folder import ImageFolder
from captious.images.sources import holds_vectors


def declare_images(add: Add) -> None:
    """Add the options of images, and of what looks at them."""
    seen = "for captious_image, leic and clipscore: image files, or vectors of images"
    add("--images", seen, metavar="DIR|NPZ")
    whole = "for captious_image: vectors of the second view, where --images has those of one"
    add("--whole", whole, metavar="NPZ")
    add("--critic", "for leic: a critic of your own, by captious critic train", metavar="NPZ")
    add("--clip", "for clipscore: a CLIP's name or folder, for transformers")
    add("--caption-vectors", "for clipscore: captions' vectors, without a CLIP", metavar="NPZ")


@contextmanager
def seen_images(options: argparse.Namespace, all_bad: bool = False) -> Iterator[dict[str, Any]]:
    """The parameters that were given, for all metrics that take them.

    While images are looked at, a bar tells how far the work is. With `all_bad`, an error names all
    images of a folder that cannot be used, and not the first alone.
    """
    # Pillow warns of what is an error here anyway.
    warnings.filterwarnings("ignore", "Image size .* exceeds limit")
    names = ("images", "whole", "critic", "clip")
    given = {name: getattr(options, name) for name in names} | {"captions": options.caption_vectors}
    parameters = {name: value for name, value in given.items() if value is not None}
    with image_bar(options) as looking:
        for name in ("images", "whole"):
            if name in parameters and not holds_vectors(parameters[name]):
                folder = ImageFolder(parameters[name], progress=looking, all_bad=all_bad)
                parameters[name] = folder
        yield parameters
