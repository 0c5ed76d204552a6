"""Objects that images have, from a file: what annotators or a detector saw there."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from captious.errors import InputError
from captious.files.inputs import last_written, read_input
from captious.io.objects import Objects, read_objects
from captious.metrics.parameters import parameter
from captious.samples import References
from captious.shown import shown
from captious.signature import Resource


def objects_parameter() -> Any:
    """The parameter `objects` of a metric."""
    return parameter(
        None, "a file of the objects in each image: rows of id and objects, or COCO's instances"
    )


def objects_in(path: str | Path) -> Objects:
    """The names of each image's objects, read once for as long as the file does not change."""
    return _read_once(Path(path), last_written(path))


def objects_of(path: str | Path, references: References, metric: str) -> list[list[str]]:
    """The names of the objects of each image that has references."""
    named = objects_in(path)
    if references.image_names is None:
        raise InputError(
            f"{metric}: a file of objects knows images by their ids, and these have none; give "
            "candidates and references by id"
        )
    for name in references.image_names:
        if name not in named:
            raise InputError(
                f"{path}: no image {shown(name)}; give its objects, or an empty list where it has "
                "none"
            )
    return [named[name] for name in references.image_names]


def named_objects(path: str | Path | None) -> dict[str, Any]:
    """The file with its hash, as signatures give it."""
    if path is None:
        return {}
    return {"objects": Resource.of(path, "objects", sha256(read_input(path)).hexdigest()[:8])}


@lru_cache(maxsize=2)
def _read_once(path: Path, written: int) -> Objects:
    return read_objects(path)
