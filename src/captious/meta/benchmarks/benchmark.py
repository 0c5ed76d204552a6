"""Benchmark: a set of judgements, the files it is distributed in, and where to get them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError, short_repr
from captious.io.inputs import is_file, is_folder
from captious.meta.judgements import Judgements

RATINGS, PREFERENCES, SYSTEMS = "ratings", "preferences", "systems"


@dataclass(frozen=True)
class Files:
    """The files of a benchmark in the folder that the user named, beside it or below it."""

    folder: Path
    folders: tuple[str, ...]  # where a benchmark's files usually lie under a common folder
    source: str

    def find(self, name: str) -> Path:
        """A file, plain or gzipped, or an error that says where to get it."""
        path = self.find_any(name)
        if path is None:
            raise InputError(
                f"{self.folder}: no {name} (or {name}.gz) here or in "
                f"{', '.join(f'{folder}/' for folder in self.folders)}; get it from {self.source}"
            )
        return path

    def find_any(self, name: str) -> Path | None:
        """A file, plain or gzipped, where there is one."""
        for place in self._places():
            for path in (place / name, place / f"{name}.gz"):
                if is_file(path):
                    return path
        return None

    def find_folder(self, name: str) -> Path | None:
        """A folder inside one of the places, where there is one."""
        return next((p / name for p in self._places() if is_folder(p / name)), None)

    def _places(self) -> list[Path]:
        below = [self.folder / name for name in self.folders]
        # References may lie in a sister folder: COCO's captions beside the pairs about them.
        beside = [self.folder.resolve().parent / name for name in self.folders]
        return [self.folder, *below, *beside]


@dataclass(frozen=True)
class Benchmark:
    """A set of judgements by name.

    `kind` is `ratings`, `preferences`, or `systems`: ratings of whole systems, where each caption
    carries what people said of its system, and `groups` names the system.
    """

    name: str
    title: str
    kind: str
    files: tuple[str, ...]
    folders: tuple[str, ...]
    source: str  # who distributes the files, in words, with the address
    reader: Callable[..., Judgements]
    options: tuple[str, ...] = ()  # what `load` takes beside the folder
    is_mean: bool = False  # its figures are means over groups, each by itself
    # Choices of a protocol: those that all papers make, and others of the protocol `standard`.
    common_choices: Mapping[str, Any] = field(default_factory=dict, hash=False)
    standard_choices: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @check_arguments
    def load(self, folder: str | Path, **options: Any) -> Judgements:
        """The judgements as distributed, from the folder of the files or from its parent."""
        unknown = [name for name in options if name not in self.options]
        if unknown:
            raise InputError(
                f"{self.name} has no option {short_repr(unknown[0])}; "
                f"its options are: {', '.join(self.options) or 'none'}"
            )
        return self.reader(Files(Path(folder), self.folders, self.source), **options)
