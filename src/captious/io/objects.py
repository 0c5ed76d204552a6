"""Objects of images: which there are in each, from a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from captious.errors import InputError, short_repr
from captious.io.formats import read_table
from captious.io.input_tables import InputTable, describe, parse_json_cell
from captious.io.inputs import read_text
from captious.io.json import decode_json

IMAGE = ("id", "image_id", "image")
OBJECTS = ("objects", "classes")

Objects = dict[str, list[str]]


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
                return _of_instances(path, value)
            return {
                image: _names(names, f"{path}: image {short_repr(image)}")
                for image, names in value.items()
            }
    return _of_rows(read_table(path))


def _of_rows(table: InputTable) -> Objects:
    images = table.columns[table.require(*IMAGE)]
    column = table.columns[table.require(*OBJECTS)]
    objects: Objects = {}
    for row, (image, names) in enumerate(zip(images, column, strict=True)):
        where = table.place(row)
        text = _image(image, where)
        if text in objects:
            raise InputError(
                f"{where}: image {short_repr(text)} occurs twice; give its objects once"
            )
        objects[text] = _names(parse_json_cell(names), where)
    return objects


def _of_instances(path: Path, value: Mapping[str, Any]) -> Objects:
    """From COCO's instance annotations; images that have none are listed beside them."""
    where = f"{path}: instances"
    categories: dict[Any, str] = {}
    for each in _rows(value, "categories", where):
        categories[_hashable(each.get("id"), where)] = _text(each.get("name"), where)
    objects: Objects = {}
    if "images" in value:
        for each in _rows(value, "images", where):
            objects[_image(each.get("id"), where)] = []
    for each in _rows(value, "annotations", where):
        category = _hashable(each.get("category_id"), where)
        if category not in categories:
            raise InputError(
                f"{where}: category {short_repr(category)} is not among the categories"
            )
        objects.setdefault(_image(each.get("image_id"), where), []).append(categories[category])
    return objects


def _rows(value: Mapping[str, Any], name: str, where: str) -> list[dict[str, Any]]:
    rows = value.get(name)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{where}: expected a list of objects in {name!r}")
    return rows


def _image(value: Any, where: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InputError(f"{where}: an image is a text or a number, not {describe(value)}")
    return str(value)


def _hashable(value: Any, where: str) -> str | int:
    if not isinstance(value, str | int):
        raise InputError(f"{where}: a category is a number or a text, not {describe(value)}")
    return value


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{where}: a name is a text, not {describe(value)}")
    return value


def _names(value: Any, where: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise InputError(f"{where}: objects are a list of names, not {describe(value)}")
    return value
