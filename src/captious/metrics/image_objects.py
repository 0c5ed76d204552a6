"""Objects in images: read from a file, or found by a detector."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from captious._internal.checks.bounds import CONFIDENCE
from captious.errors import InputError, short_repr
from captious.images.detector import THRESHOLD, load_detector, objects_in_images
from captious.images.sources import ImageSource, holds_vectors, image_folder
from captious.io.formats import read_table
from captious.io.input_tables import InputTable, describe, parse_json_cell
from captious.io.inputs import modification_time, read_input, read_text
from captious.io.json import decode_json
from captious.metrics.image_inputs import image_signature
from captious.metrics.parameters import parameter
from captious.samples import References
from captious.signature import Resource

DETECTOR = "detector"  # as `objects`, in place of a file
ID_COLUMNS = ("id", "image_id", "image")
OBJECTS_COLUMNS = ("objects", "classes")
Objects = dict[str, list[str]]  # names by image id


def objects_parameter() -> Any:
    """The parameter `objects` of a metric."""
    return parameter(
        None,
        "a file of the objects in each image: rows of id and objects, or COCO's instances; or "
        f"`{DETECTOR}`, which looks at images",
    )


def threshold_parameter() -> Any:
    """The parameter `threshold` of a metric."""
    return parameter(THRESHOLD, "how sure a detector must be of an object", bounds=CONFIDENCE)


@dataclass(frozen=True)
class ObjectSource:
    """Source of the objects of images: a file, a detector, or none."""

    metric: str
    objects: str | Path | None
    images: ImageSource | None = None
    threshold: float = THRESHOLD

    @property
    def uses_detector(self) -> bool:
        """Whether a detector looks at images."""
        return self.objects == DETECTOR

    def check(self) -> None:
        """Raise an error for an unusable file, or if something that a detector needs is missing."""
        if self.uses_detector:
            if self.images is None or holds_vectors(self.images):
                raise InputError(
                    f"{self.metric}: a detector looks at image files; give a folder of images "
                    "(--images, images=)"
                )
            load_detector().fingerprint  # noqa: B018 - missing weights raise here
        elif self.objects is not None:
            _load_objects(self.objects)

    def unused_reason(self, parameter: str) -> str:
        """Return why a parameter has no effect; "" if it has one."""
        if parameter in ("images", "threshold") and not self.uses_detector:
            return f"is for a detector; give objects={DETECTOR} with it"
        return ""

    def possible_names(self) -> Iterable[Iterable[str]]:
        """Return the names that objects can have."""
        if self.uses_detector:
            return [load_detector().classes]
        return [] if self.objects is None else _load_objects(self.objects).values()

    def object_names(self, references: References) -> list[list[str]]:
        """The names of the objects of each image that has references."""
        assert self.objects is not None
        if (image_names := references.image_names) is None:
            source = "a detector finds" if self.uses_detector else "a file of objects knows"
            raise InputError(
                f"{self.metric}: {source} images by their ids, and these have none; give "
                "candidates and references by id"
            )
        if self.uses_detector:
            named = self._detect(references)
        else:
            named = _load_objects(self.objects)
            for name in image_names:
                if name not in named:
                    raise InputError(
                        f"{self.objects}: no image {short_repr(name)}; give its objects, or "
                        "an empty "
                        "list where it has none"
                    )
        return [named[name] for name in image_names]

    def signature_arguments(self) -> dict[str, Any]:
        """The file, or the detector and what it looks at, with hashes, as signatures give them."""
        arguments: dict[str, Any] = {"images": None, "threshold": None}
        if self.uses_detector:
            assert self.images is not None
            arguments = {
                "images": image_signature(self.images),
                "threshold": self.threshold,
                "detector": Resource(load_detector().name, load_detector().fingerprint),
            }
        elif self.objects is not None:
            hash = sha256(read_input(self.objects)).hexdigest()[:8]
            arguments["objects"] = Resource.of(self.objects, "objects", hash)
        return arguments

    def _detect(self, references: References) -> Objects:
        """Detect the objects, once for all metrics that use them."""
        assert self.images is not None and references.image_names is not None
        folder, names = image_folder(self.images), references.image_names
        analysis = references.analysis
        return analysis.get_or_compute(
            ("objects detected", load_detector().signature, str(folder.path), self.threshold),
            lambda: objects_in_images(folder, names, self.threshold, cache=analysis.cache),
        )


def _load_objects(path: str | Path) -> Objects:
    """The names of each image's objects, read once for as long as the file does not change."""
    return _read_cached(Path(path), modification_time(path))


@lru_cache(maxsize=2)
def _read_cached(path: Path, written: int) -> Objects:
    return read_objects(path)


def read_objects(path: str | Path) -> Objects:
    """The objects of each image, by its id as text.

    A file has rows of `id` and `objects`, a list of names; or it is JSON: an object from id to
    names, or instance annotations as COCO has them.
    """
    path = Path(path)
    if path.name.removesuffix(".gz").endswith(".json"):
        value = decode_json(read_text(path), str(path))
        if isinstance(value, dict):
            if "annotations" in value:
                return _objects_of_instances(path, value)
            return {
                image: _object_names(names, f"{path}: image {short_repr(image)}")
                for image, names in value.items()
            }
    return _objects_of_rows(read_table(path))


def _objects_of_rows(table: InputTable) -> Objects:
    images = table.columns[table.require(*ID_COLUMNS)]
    column = table.columns[table.require(*OBJECTS_COLUMNS)]
    objects: Objects = {}
    for row, (image, names) in enumerate(zip(images, column, strict=True)):
        where = table.place(row)
        text = _image_id(image, where)
        if text in objects:
            raise InputError(
                f"{where}: image {short_repr(text)} occurs twice; give its objects once"
            )
        objects[text] = _object_names(parse_json_cell(names), where)
    return objects


def _objects_of_instances(path: Path, value: Mapping[str, Any]) -> Objects:
    """From COCO's instance annotations; images that have none are listed beside them."""
    where = f"{path}: instances"
    categories: dict[Any, str] = {}
    for each in _list_of_objects(value, "categories", where):
        categories[_category_id(each.get("id"), where)] = _category_name(each.get("name"), where)
    objects: Objects = {}
    if "images" in value:
        for each in _list_of_objects(value, "images", where):
            objects[_image_id(each.get("id"), where)] = []
    for each in _list_of_objects(value, "annotations", where):
        category = _category_id(each.get("category_id"), where)
        if category not in categories:
            raise InputError(
                f"{where}: category {short_repr(category)} is not among the categories"
            )
        objects.setdefault(_image_id(each.get("image_id"), where), []).append(categories[category])
    return objects


def _list_of_objects(value: Mapping[str, Any], name: str, where: str) -> list[dict[str, Any]]:
    rows = value.get(name)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{where}: expected a list of objects in {name!r}")
    return rows


def _image_id(value: Any, where: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InputError(f"{where}: an image is a text or a number, not {describe(value)}")
    return str(value)


def _category_id(value: Any, where: str) -> str | int:
    if not isinstance(value, str | int):
        raise InputError(f"{where}: a category is a number or a text, not {describe(value)}")
    return value


def _category_name(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{where}: a name is a text, not {describe(value)}")
    return value


def _object_names(value: Any, where: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise InputError(f"{where}: objects are a list of names, not {describe(value)}")
    return value
