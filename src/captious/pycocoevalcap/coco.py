"""As much of pycocotools' COCO as caption evaluation needs, for those who do without it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from pathlib import Path
from typing import Any

from captious.checks.arguments import checked
from captious.errors import InputError
from captious.io.formats import read_table
from captious.shown import shown

Annotation = dict[str, Any]


class COCO:
    """Captions by image, from a COCO captions file."""

    @checked
    def __init__(self, annotation_file: str | Path | None = None) -> None:
        self.imgToAnns: dict[Hashable, list[Annotation]] = defaultdict(list)
        if annotation_file is not None:
            self._add(_annotations(annotation_file))

    def getImgIds(self) -> list[Hashable]:  # noqa: N802 - the toolkit's name
        """The images that have captions."""
        return list(self.imgToAnns)

    @checked
    def loadRes(self, resFile: str | Path | list[Annotation]) -> COCO:  # noqa: N802, N803
        """Results, from a file or a list of annotations, for some of these images."""
        annotations = resFile if isinstance(resFile, list) else _annotations(resFile)
        for place, annotation in enumerate(annotations, 1):
            given = annotation if isinstance(annotation, dict) else {}
            _check(f"result {place}", given.get("image_id"), given.get("caption"))
        results = COCO()
        results._add(annotations)
        unknown = next((image for image in results.imgToAnns if image not in self.imgToAnns), None)
        if unknown is not None:
            raise InputError(f"image_id {shown(unknown)}: has a result but no captions")
        return results

    def _add(self, annotations: list[Annotation]) -> None:
        for annotation in annotations:
            self.imgToAnns[annotation["image_id"]].append(annotation)


def _check(place: str, image: object, caption: object) -> None:
    if not isinstance(image, int | str) or not isinstance(caption, str):
        raise InputError(f"{place}: needs an 'image_id' and a 'caption' of text")


def _annotations(path: str | Path) -> list[Annotation]:
    table = read_table(path)
    columns = [table.columns[table.require(name)] for name in ("image_id", "caption")]
    for row, (image, caption) in enumerate(zip(*columns, strict=True)):
        _check(table.place(row), image, caption)
    return [
        {"image_id": image, "caption": caption} for image, caption in zip(*columns, strict=True)
    ]
