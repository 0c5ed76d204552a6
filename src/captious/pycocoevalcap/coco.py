"""The part of pycocotools' COCO that concerns captions, without that dependency."""

from __future__ import annotations

import copy
import time
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable
from itertools import chain
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError, short_repr
from captious.io.formats import FORMATS, read_table
from captious.io.inputs import read_text
from captious.io.json import decode_json
from captious.pycocoevalcap.console import print_line

Entry = dict[str, Any]
Ids = Hashable | Collection[Hashable]


class COCO:
    """Images and their captions, from a COCO captions file or from `dataset` and `createIndex`."""

    @check_arguments
    def __init__(self, annotation_file: str | Path | None = None) -> None:
        self.dataset: dict[str, Any] = {}
        self.anns: dict[Hashable, Entry] = {}
        self.imgs: dict[Hashable, Entry] = {}
        self.cats: dict[Hashable, Entry] = {}
        self.imgToAnns: dict[Hashable, list[Entry]] = defaultdict(list)
        self.catToImgs: dict[Hashable, list[Hashable]] = defaultdict(list)
        if annotation_file is not None:
            print_line("loading annotations into memory...")
            start = time.perf_counter()
            self.dataset = _read_dataset(Path(annotation_file))
            print_line(f"Done (t={time.perf_counter() - start:0.2f}s)")
            self.createIndex()

    def createIndex(self) -> None:  # noqa: N802 - the toolkit's name
        """Fill `anns`, `imgs`, `cats`, `imgToAnns` and `catToImgs` from `dataset`.

        Annotations without ids are numbered; without a list of images, those that have captions
        are all.
        """
        print_line("creating index...")
        annotations = _check_entries(self.dataset.get("annotations", []), "annotation", "image_id")
        self.imgToAnns, self.catToImgs = defaultdict(list), defaultdict(list)
        for number, annotation in enumerate(annotations, 1):
            annotation.setdefault("id", number)
            for name in ("id", "category_id"):
                if not isinstance(annotation.get(name), Hashable):
                    raise InputError(
                        f"annotation {number}: {name!r} is a number or a text, not "
                        f"{short_repr(annotation[name])}"
                    )
            self.imgToAnns[annotation["image_id"]].append(annotation)
            if "category_id" in annotation:
                self.catToImgs[annotation["category_id"]].append(annotation["image_id"])
        self.anns = {annotation["id"]: annotation for annotation in annotations}
        if "images" not in self.dataset:
            self.dataset["images"] = [{"id": image} for image in self.imgToAnns]
        self.imgs = _index_by_id(self.dataset["images"], "image")
        self.cats = _index_by_id(self.dataset.get("categories", []), "category")
        print_line("index created!")

    def info(self) -> None:
        """Print the file's `info` entries."""
        about = self.dataset.get("info", {})
        for name, value in about.items() if isinstance(about, dict) else [("info", about)]:
            print(f"{name}: {value}")

    @check_arguments
    def getAnnIds(  # noqa: N802 - the toolkit's name
        self,
        imgIds: Ids = (),  # noqa: N803 - the toolkit's names
        catIds: Ids = (),  # noqa: N803
        areaRng: Collection[float] = (),  # noqa: N803
        iscrowd: bool | None = None,
    ) -> list[Hashable]:
        """The ids of annotations: of some images, of some categories, of some area, or all."""
        images, categories = _as_list(imgIds), _as_list(catIds)
        chosen: Iterable[Entry] = self.dataset.get("annotations", [])
        if images:
            chosen = chain.from_iterable(
                self.imgToAnns[image] for image in images if image in self.imgToAnns
            )
        if categories:
            chosen = [each for each in chosen if each.get("category_id") in categories]
        if len(areaRng):
            if len(areaRng) != 2 or not all(isinstance(end, Real) for end in areaRng):
                raise InputError(f"areaRng: the least and the most, not {short_repr(areaRng)}")
            least, most = areaRng
            chosen = [each for each in chosen if least < each.get("area", least) < most]
        if iscrowd is not None:
            chosen = [each for each in chosen if each.get("iscrowd") == iscrowd]
        return [annotation["id"] for annotation in chosen]

    @check_arguments
    def getCatIds(  # noqa: N802 - the toolkit's name
        self,
        catNms: Ids = (),  # noqa: N803 - the toolkit's names
        supNms: Ids = (),  # noqa: N803
        catIds: Ids = (),  # noqa: N803
    ) -> list[Hashable]:
        """The ids of categories: of some names, of some kinds, of some ids, or all."""
        wanted = {"name": catNms, "supercategory": supNms, "id": catIds}
        filters = [(field, _as_list(of)) for field, of in wanted.items() if _as_list(of)]
        return [
            category["id"]
            for category in self.dataset.get("categories", [])
            if all(category.get(field) in of for field, of in filters)
        ]

    @check_arguments
    def getImgIds(  # noqa: N802 - the toolkit's name
        self,
        imgIds: Ids = (),  # noqa: N803 - the toolkit's names
        catIds: Ids = (),  # noqa: N803
    ) -> list[Hashable]:
        """The ids of images: some, those that have all of some categories, or all."""
        images, categories = _as_list(imgIds), _as_list(catIds)
        if not images and not categories:
            return list(self.imgs)
        sets = [set(self.catToImgs[category]) for category in categories]
        return list(set.intersection(*([set(images)] if images else []), *sets))

    @check_arguments
    def loadAnns(self, ids: Ids = ()) -> list[Entry]:  # noqa: N802 - the toolkit's name
        """The annotations of one id or several."""
        return _look_up(self.anns, ids, "annotation")

    @check_arguments
    def loadCats(self, ids: Ids = ()) -> list[Entry]:  # noqa: N802 - the toolkit's name
        """The categories of one id or several."""
        return _look_up(self.cats, ids, "category")

    @check_arguments
    def loadImgs(self, ids: Ids = ()) -> list[Entry]:  # noqa: N802 - the toolkit's name
        """The images of one id or several."""
        return _look_up(self.imgs, ids, "image")

    @check_arguments
    def showAnns(self, anns: list[Entry], draw_bbox: bool = False) -> None:  # noqa: N802
        """Print captions."""
        for annotation in _check_entries(anns, "annotation", "caption"):
            print(annotation["caption"])

    @check_arguments
    def loadRes(self, resFile: str | Path | list[Entry]) -> COCO:  # noqa: N802, N803
        """Results, from a file or a list of annotations, for some of these images."""
        print_line("Loading and preparing results...")
        start = time.perf_counter()
        if isinstance(resFile, str | Path):
            annotations = _read_dataset(Path(resFile))["annotations"]
        else:
            annotations = _check_entries(resFile, "result", "image_id", "caption")
        if not annotations:
            raise InputError("no results: there is nothing to evaluate")
        for annotation in annotations:
            if annotation["image_id"] not in self.imgs:
                image = short_repr(annotation["image_id"])
                raise InputError(f"image_id {image}: has a result but no captions")
        described = {annotation["image_id"] for annotation in annotations}
        results = COCO()
        results.dataset = {
            "info": copy.deepcopy(self.dataset.get("info", {})),
            "images": [image for name, image in self.imgs.items() if name in described],
            "annotations": [
                {**annotation, "id": number} for number, annotation in enumerate(annotations, 1)
            ],
        }
        print_line(f"DONE (t={time.perf_counter() - start:0.2f}s)")
        results.createIndex()
        return results


def _read_dataset(path: Path) -> dict[str, Any]:
    """A file's whole contents; a table, or a list of rows, is all annotations."""
    suffix = Path(str(path).lower().removesuffix(".gz")).suffix
    if suffix in FORMATS and suffix != ".json":
        table = read_table(path)
        rows = zip(*table.columns.values(), strict=True)
        contents: Any = [dict(zip(table.columns, row, strict=True)) for row in rows]
    else:
        contents = decode_json(read_text(path), str(path))
    if isinstance(contents, list):
        contents = {"annotations": contents}
    if not isinstance(contents, dict) or "annotations" not in contents:
        raise InputError(f"{path}: expected COCO's captions, an object with 'annotations'")
    _check_entries(contents["annotations"], f"{path}: annotation", "image_id", "caption")
    return contents


def _check_entries(entries: Any, what: str, *fields: str) -> list[Entry]:
    """Check a list of dicts with these fields, each of them an id or a text."""
    if not isinstance(entries, list):
        raise InputError(f"{what}s: a list, not {short_repr(entries)}")
    kinds: dict[str, Any] = {"caption": str}
    for number, entry in enumerate(entries, 1):
        given = entry if isinstance(entry, dict) else {}
        if not all(isinstance(given.get(name), kinds.get(name, Integral | str)) for name in fields):
            needed = " and ".join(
                f"a {name!r} of text" if name in kinds else f"an {name!r}" for name in fields
            )
            raise InputError(f"{what} {number}: needs {needed}")
    return entries


def _index_by_id(entries: Any, what: str) -> dict[Hashable, Entry]:
    return {entry["id"]: entry for entry in _check_entries(entries, what, "id")}


def _as_list(ids: Ids) -> list[Hashable]:
    """Return one or several ids as a list; a text is one id."""
    try:
        several = [ids] if isinstance(ids, str) or not isinstance(ids, Collection) else [*ids]
        set(several)
    except TypeError:
        raise InputError(f"one id or a list of them, not {short_repr(ids)}") from None
    return several


def _look_up(entries: dict[Hashable, Entry], ids: Ids, what: str) -> list[Entry]:
    for each in _as_list(ids):
        if each not in entries:
            raise InputError(f"{what} {short_repr(each)}: there is none of this id")
    return [entries[each] for each in _as_list(ids)]
