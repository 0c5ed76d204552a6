"""Which of many images a sample's image name, or its id, means."""

from __future__ import annotations

import re
from collections.abc import Iterable

from captious.errors import InputError

ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".ppm", ".avif")
_COCO = re.compile(r"(?:COCO_\w+?_)?(\d{12})", re.ASCII)  # COCO pads an image's number to 12 digits


class NameIndex:
    """Names of image files, found by the name, by the name without its ending, or by COCO's number.

    >>> NameIndex(["COCO_val2014_000000000042.jpg", "dog.png"]).find("42")
    'COCO_val2014_000000000042.jpg'
    """

    def __init__(self, names: Iterable[str], source: str = "images") -> None:
        self.source = source
        self._exact: set[str] = set()
        self._others: dict[str, list[str]] = {}  # shorter forms of a name
        for name in names:
            self._exact.add(name)
            for form in _forms(name):
                self._others.setdefault(form, []).append(name)

    def find(self, wanted: str) -> str:
        """The name that is meant, or an error that says what is wrong."""
        if wanted in self._exact:
            return wanted
        for form in (wanted, *_forms(wanted)):
            names = self._others.get(form, [])
            if len(names) == 1:
                return names[0]
            if names:
                raise InputError(
                    f"{self.source}: image {wanted!r} may be {names[0]!r} or {names[1]!r}; "
                    "keep one of them, or name the file in the column 'image'"
                )
        raise InputError(
            f"{self.source}: no image {wanted!r}; files are found by a sample's image or id, "
            "with or without an ending such as .jpg"
        )


def _forms(name: str) -> list[str]:
    """Shorter forms by which a file may be called: without folder, ending, or COCO's padding."""
    bare = re.split(r"[/\\]", name)[-1]
    stem = next((bare[: -len(end)] for end in ENDINGS if bare.lower().endswith(end)), bare)
    number = _COCO.fullmatch(stem)
    forms = [bare, stem, *([str(int(number[1]))] if number else [])]
    return list(dict.fromkeys(forms))
