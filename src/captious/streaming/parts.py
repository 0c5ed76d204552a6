"""Folder of parts: one output file per chunk, and a manifest of them all.

A killed process leaves whole parts behind, and a note of each in the folder `unfinished`: the same
command resumes from there and ends with the same bytes. Other settings, or inputs that changed, are
noticed before anything is written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

from captious.errors import InputError, short_repr
from captious.io.atomic_files import atomic_write
from captious.io.inputs import is_file, is_folder, read_text, sha256_of
from captious.io.json import decode_json, json_text
from captious.io.part_folders import MANIFEST, UNFINISHED
from captious.io.remote_files import AnyPath, as_path, remove_folder
from captious.streaming.chunks import Chunk
from captious.streaming.folder_lock import ANOTHER_FOLDER_ADVICE, NOTE, SETTINGS
from captious.streaming.sums import StreamSums

SUMS = "sums.npz"


@dataclass(frozen=True)
class Part:
    """What a chunk became: its file, if any row was written, the rows that it read and wrote."""

    number: int
    digest: str  # of the chunk
    read: int
    written: int = 0
    file: str = ""
    sha256: str = ""
    counts: Mapping[str, Any] = field(default_factory=dict)  # whatever else the work counts


@dataclass(frozen=True, eq=False)
class Parts:
    """A folder in which parts are written; `done` are those of an earlier process."""

    folder: AnyPath
    settings: Mapping[str, Any]
    done: dict[int, Part]
    is_finished: bool
    has_sums: bool = True  # beside the file of every part

    @classmethod
    def open(
        cls, folder: str | Path, settings: Mapping[str, Any], *, has_sums: bool = True
    ) -> Parts:
        """Open a new folder, or one that was begun or finished with the same settings.

        The folder must be locked.
        """
        folder = as_path(folder)
        settings = json.loads(json_text(settings))  # as they are read back
        if is_file(folder / MANIFEST):
            manifest = _read_object(folder / MANIFEST)
            _check_settings(folder, manifest.get("settings"), settings)
            parts = [_parse_part(folder / MANIFEST, row) for row in manifest.get("parts", ())]
            return cls(folder, settings, {part.number: part for part in parts}, True, has_sums)
        work = folder / UNFINISHED
        if is_file(work / SETTINGS):
            _check_settings(folder, _read_object(work / SETTINGS), settings)
            return cls(folder, settings, _read_notes(work), False, has_sums)
        for note in work.glob(f"{NOTE}*"):
            note.unlink(missing_ok=True)  # left where a process was killed while it removed them
        with atomic_write(work / SETTINGS) as stream:
            stream.write(f"{json_text(settings, indent=2)}\n".encode())
        return cls(folder, settings, {}, False, has_sums)

    def has_part(self, chunk: Chunk) -> bool:
        """Whether a chunk's part is there already, whole; an error where the chunk has changed."""
        part = self.done.get(chunk.number)
        if part is None:
            return False
        if part.digest != chunk.digest:
            raise InputError(
                f"{chunk.place}: not what it was when {self.folder} was begun; "
                f"{ANOTHER_FOLDER_ADVICE}"
            )
        needs_sums = self.has_sums and not self.is_finished
        if needs_sums and not is_file(self._sums_path(part.number)):
            return False
        return not part.file or _is_intact(self.folder / part.file, part.sha256)

    def add(self, part: Part, sums: StreamSums | None) -> None:
        """Note a part whose file is written."""
        work = self.folder / UNFINISHED
        if not is_folder(work):
            work.mkdir()  # removed when the parts were finished, of which one is missing now
        if sums is not None:
            sums.save(self._sums_path(part.number))
        self.done[part.number] = part
        # A file each: not every file system can add a line to one.
        with atomic_write(work / f"{NOTE}{part.number:06d}.json") as stream:
            stream.write(f"{json_text(asdict(part))}\n".encode())

    def replace(self, part: Part) -> None:
        """Replace a part in memory; its note stays, from which a resumed run begins."""
        self.done[part.number] = part

    def sums(self, chunks: int) -> StreamSums:
        """The sums of all parts together."""
        if self.is_finished:
            return StreamSums.load(self.folder / SUMS)
        return reduce(add, (StreamSums.load(self._sums_path(number)) for number in range(chunks)))

    def finish(self, chunks: int, sums: StreamSums | None, about: Mapping[str, Any]) -> None:
        """Write the manifest and remove the folder `unfinished`."""
        if not self.is_finished:
            if sums is not None:
                sums.save(self.folder / SUMS)
            parts = [asdict(self.done[number]) for number in range(chunks)]
            manifest = {**about, "settings": self.settings, "parts": parts}
            with atomic_write(self.folder / MANIFEST) as stream:
                stream.write(f"{json_text(manifest, indent=1)}\n".encode())
        remove_folder(self.folder / UNFINISHED)

    def check_all_read(self, chunks: int) -> None:
        """Raise an error if an earlier process read more chunks than there are now."""
        if any(number >= chunks for number in self.done):
            raise InputError(
                f"{self.folder}: was begun with more rows than there are now; "
                f"{ANOTHER_FOLDER_ADVICE}"
            )

    def _sums_path(self, number: int) -> AnyPath:
        return self.folder / UNFINISHED / f"sums-{number:06d}.npz"


def _is_intact(path: AnyPath, sha256: str) -> bool:
    return is_file(path) and sha256_of(path) == sha256


def _check_settings(folder: AnyPath, before: Any, now: Mapping[str, Any]) -> None:
    """Raise an error if a folder was begun with other settings."""
    if not isinstance(before, dict):
        raise InputError(f"{folder}: its notes are damaged; {ANOTHER_FOLDER_ADVICE}")
    for name in [*before, *now]:
        if before.get(name) != now.get(name):
            was, is_now = (short_repr(each.get(name)) for each in (before, now))
            raise InputError(
                f"{folder}: was begun with {name} {was}, now it is {is_now}; "
                f"{ANOTHER_FOLDER_ADVICE}"
            )


def _read_object(path: AnyPath) -> dict[str, Any]:
    value = decode_json(read_text(path), str(path))
    if not isinstance(value, dict):
        raise InputError(f"{path}: not what was written here; {ANOTHER_FOLDER_ADVICE}")
    return value


def _read_notes(work: AnyPath) -> dict[int, Part]:
    """The parts in the notes of an unfinished folder."""
    notes = [_parse_part(path, _read_object(path)) for path in work.glob(f"{NOTE}*.json")]
    return {part.number: part for part in notes}


def _parse_part(path: AnyPath, row: Any) -> Part:
    try:
        return Part(**row)
    except TypeError:
        raise InputError(f"{path}: not what was written here; {ANOTHER_FOLDER_ADVICE}") from None
