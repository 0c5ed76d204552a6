"""Read the rows of a folder of parts, which a stream wrote, as if they were one file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from captious.errors import InputError
from captious.io.formats import read_table
from captious.io.input_tables import InputTable, concat_tables
from captious.io.inputs import is_file, is_folder, read_text, sha256_of
from captious.io.json import decode_json
from captious.io.remote_files import AnyPath, as_path

MANIFEST, UNFINISHED = "manifest.json", "unfinished"
SIGNATURE = "signature"


@dataclass(frozen=True)
class PartFolder:
    """A finished folder and its manifest; files that differ from it are errors."""

    folder: AnyPath
    manifest: Mapping[str, Any]

    @classmethod
    def open(cls, folder: str | Path) -> PartFolder:
        """Open a finished folder."""
        folder = as_path(folder)
        check_finished(folder)
        path = folder / MANIFEST
        manifest = decode_json(read_text(path), str(path))
        if not isinstance(manifest, dict):
            raise _damaged_manifest_error(path)
        return cls(folder, manifest)

    @property
    def scores(self) -> tuple[str, ...]:
        """The columns of scores; none where rows were only filtered."""
        corpus = self.manifest.get("corpus", {})
        return tuple(corpus) if isinstance(corpus, dict) else ()

    @property
    def columns(self) -> dict[str, Any]:
        """The columns that the user named for roles."""
        settings = self.manifest.get("settings")
        columns = settings.get("columns") if isinstance(settings, dict) else None
        return columns if isinstance(columns, dict) else {}

    def table(self) -> InputTable:
        """The rows of all parts."""
        parts = [read_table(path) for path in self._files()]
        if not parts:
            raise InputError(f"{self.folder}: no samples; its parts have no rows")
        signature = self.manifest.get(SIGNATURE)
        metadata = {SIGNATURE: signature} if isinstance(signature, str) else {}
        return replace(
            concat_tables(str(self.folder), parts), path=str(self.folder), metadata=metadata
        )

    def _files(self) -> list[AnyPath]:
        rows = self.manifest.get("parts")
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise _damaged_manifest_error(self.folder / MANIFEST)
        files = []
        for row in rows:
            name, sha256 = row.get("file"), row.get("sha256")
            if name == "":  # none of its rows was kept
                continue
            if not isinstance(name, str) or Path(name).name != name:
                raise _damaged_manifest_error(self.folder / MANIFEST)
            path = self.folder / name
            if not is_file(path) or sha256_of(path) != sha256:
                raise InputError(
                    f"{path}: not as {self.folder / MANIFEST} says that it was written; give the "
                    "command that wrote it again, which repairs it"
                )
            files.append(path)
        return files


def is_part_folder(path: str | Path) -> bool:
    """Whether a stream wrote this folder, or is writing it."""
    folder = as_path(path)
    return is_file(folder / MANIFEST) or is_folder(folder / UNFINISHED)


def check_finished(folder: AnyPath) -> None:
    """Raise an error for a folder that does not have all of its parts."""
    if not is_file(folder / MANIFEST):
        raise InputError(
            f"{folder}: not finished; run the command that writes it again, which resumes where it "
            "stopped"
        )


def read_rows(path: str | Path, format: str | None = None) -> InputTable:
    """The rows of a file, or of a folder of parts."""
    if is_folder(path) and is_part_folder(path):
        return PartFolder.open(path).table()
    return read_table(path, format)


def _damaged_manifest_error(path: AnyPath) -> InputError:
    return InputError(f"{path}: not a manifest of parts; score the captions again")
