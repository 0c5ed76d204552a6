"""Options of metrics that read images, shared by several commands."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from captious.cli.options import AddOption
from captious.images.folder import ImageFolder
from captious.images.sources import holds_vectors
from captious.registry import DEFAULT, Selection, UnusedOptionError, select
from captious.text.languages import ENGLISH, language_code

DEFAULT_IMAGE_METRIC = "captious_image"  # what looks at images that were given to no metric


def declare_image_options(add_option: AddOption) -> None:
    """Add the options of images, and of what looks at them."""
    seen = (
        "for captious_image, leic and clipscore: image files, or vectors of images; for a detector "
        "of objects: image files"
    )
    add_option("--images", seen, metavar="DIR|NPZ")
    whole = "for captious_image: vectors of the second view, if --images is an NPZ"
    add_option("--whole", whole, metavar="NPZ")
    add_option("--critic", "for leic: your own critic, from captious critic train", metavar="NPZ")
    add_option("--clip", "for clipscore: name or folder of a CLIP model, for transformers")
    add_option(
        "--caption-vectors",
        "for clipscore: vectors of captions, instead of a CLIP model",
        metavar="NPZ",
    )


def ignore_image_size_warnings() -> None:
    """Pillow warns of what is an error here anyway."""
    warnings.filterwarnings("ignore", "Image size .* exceeds limit")


def image_parameters(options: argparse.Namespace, all_bad: bool = False) -> dict[str, Any]:
    """The parameters that were given, for all metrics that take them.

    With `all_bad`, an error names all images of a folder that cannot be used, and not the first
    alone.
    """
    ignore_image_size_warnings()
    names = ("images", "whole", "critic", "clip")
    given = {name: getattr(options, name) for name in names} | {"captions": options.caption_vectors}
    parameters = {name: value for name, value in given.items() if value is not None}
    for name in ("images", "whole"):
        if name in parameters and not holds_vectors(parameters[name]):
            parameters[name] = ImageFolder(parameters[name], all_bad=all_bad)
    return parameters


def select_with_images(
    names: str | None, parameters: Mapping[str, Any], language: str = ENGLISH
) -> Selection:
    """The metrics that were named, and one that sees where images were given to none of them."""
    try:
        return select(names, parameters, language)
    except UnusedOptionError as error:
        # What would be added knows English alone.
        if error.option != "images" or language_code(language) != ENGLISH:
            raise
    asked = DEFAULT if names is None else (names,)
    selection = select([*asked, DEFAULT_IMAGE_METRIC], parameters, language)
    note = f"{DEFAULT_IMAGE_METRIC} is added, because no chosen metric uses --images"
    return replace(selection, notes=(*selection.notes, note))
