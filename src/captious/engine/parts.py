"""A folder of parts: what each chunk became, in a file of its own, and a manifest of them all.

Whoever is killed leaves whole parts behind, and a note of each in the folder `unfinished`: the same
command goes on from there and ends with the same bytes. Other settings, or inputs that changed, are
noticed before anything is written.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

from captious.engine.chunks import Chunk
from captious.engine.sums import StreamSums
from captious.errors import InputError, OutputError
from captious.files.inputs import is_file, is_folder, open_input
from captious.files.json_text import json_text
from captious.files.text_files import read_text, written_whole
from captious.io.json import parse
from captious.shown import shown

MANIFEST, SUMS = "manifest.json", "sums.npz"
UNFINISHED, SETTINGS, NOTES = "unfinished", "settings.json", "parts.jsonl"
AT_ONCE = 1 << 20
ANOTHER = "name another folder, or remove this one"


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

    folder: Path
    settings: Mapping[str, Any]
    done: dict[int, Part]
    is_finished: bool
    has_sums: bool = True  # beside the file of every part

    @classmethod
    def begun(
        cls, folder: str | Path, settings: Mapping[str, Any], *, has_sums: bool = True
    ) -> Parts:
        """A new folder, or one whose work was stopped or is done: with the same settings."""
        folder = Path(folder)
        settings = json.loads(json_text(settings))  # as they are read back
        if is_file(folder / MANIFEST):
            manifest = _object(folder / MANIFEST)
            _check_settings(folder, manifest.get("settings"), settings)
            parts = [_part(folder / MANIFEST, row) for row in manifest.get("parts", ())]
            return cls(folder, settings, {part.number: part for part in parts}, True, has_sums)
        work = folder / UNFINISHED
        if is_file(work / SETTINGS):
            _check_settings(folder, _object(work / SETTINGS), settings)
            return cls(folder, settings, _noted(work / NOTES), False, has_sums)
        # Who was killed before its settings were written left an empty folder of notes.
        if is_folder(folder) and any(path.name != UNFINISHED for path in folder.iterdir()):
            raise InputError(f"{folder}: holds other files; {ANOTHER}")
        try:
            work.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{folder}: cannot be made ({error.strerror or error})") from None
        with written_whole(work / SETTINGS) as stream:
            stream.write(f"{json_text(settings, indent=2)}\n".encode())
        return cls(folder, settings, {}, False, has_sums)

    def has(self, chunk: Chunk) -> bool:
        """Whether a chunk's part is there already, whole; an error where the chunk has changed."""
        part = self.done.get(chunk.number)
        if part is None:
            return False
        if part.digest != chunk.digest:
            raise InputError(
                f"{chunk.place}: not what it was when {self.folder} was begun; {ANOTHER}"
            )
        needs_sums = self.has_sums and not self.is_finished
        if needs_sums and not is_file(self._sums(part.number)):
            return False
        return not part.file or _is_whole(self.folder / part.file, part.sha256)

    def add(self, part: Part, sums: StreamSums | None) -> None:
        """Note a part whose file is written."""
        (self.folder / UNFINISHED).mkdir(exist_ok=True)  # gone where a part of what was done is
        if sums is not None:
            sums.save(self._sums(part.number))
        self.done[part.number] = part
        with (self.folder / UNFINISHED / NOTES).open("ab") as stream:
            stream.write(f"{json_text(asdict(part))}\n".encode())
            stream.flush()
            os.fsync(stream.fileno())

    def sums(self, chunks: int) -> StreamSums:
        """The sums of all parts together."""
        if self.is_finished:
            return StreamSums.load(self.folder / SUMS)
        return reduce(add, (StreamSums.load(self._sums(number)) for number in range(chunks)))

    def finish(self, chunks: int, sums: StreamSums | None, about: Mapping[str, Any]) -> None:
        """Write the manifest, and leave nothing unfinished."""
        if not self.is_finished:
            if sums is not None:
                sums.save(self.folder / SUMS)
            parts = [asdict(self.done[number]) for number in range(chunks)]
            manifest = {**about, "settings": self.settings, "parts": parts}
            with written_whole(self.folder / MANIFEST) as stream:
                stream.write(f"{json_text(manifest, indent=1)}\n".encode())
        shutil.rmtree(self.folder / UNFINISHED, ignore_errors=True)

    def leave(self) -> None:
        """Leave nothing behind where nothing was done; what was done is gone on with."""
        if not self.done and not any(self.folder.glob("part-*")):
            shutil.rmtree(self.folder / UNFINISHED, ignore_errors=True)
            with suppress(OSError):
                self.folder.rmdir()

    def check_all_read(self, chunks: int) -> None:
        """Stop where an earlier process read more than there is now."""
        if any(number >= chunks for number in self.done):
            raise InputError(
                f"{self.folder}: was begun with more rows than there are now; {ANOTHER}"
            )

    def _sums(self, number: int) -> Path:
        return self.folder / UNFINISHED / f"sums-{number:06d}.npz"


def sha256_of(path: Path) -> str:
    """The hash of a file that was written."""
    hashed = hashlib.sha256()
    with open_input(path) as stream:
        while piece := stream.read(AT_ONCE):
            hashed.update(piece)
    return hashed.hexdigest()


def _is_whole(path: Path, sha256: str) -> bool:
    return is_file(path) and sha256_of(path) == sha256


def _check_settings(folder: Path, before: Any, now: Mapping[str, Any]) -> None:
    """Stop where a folder was begun in another way."""
    if not isinstance(before, dict):
        raise InputError(f"{folder}: its notes are damaged; {ANOTHER}")
    for name in [*before, *now]:
        if before.get(name) != now.get(name):
            was, is_now = (shown(each.get(name)) for each in (before, now))
            raise InputError(
                f"{folder}: was begun with {name} {was}, now it is {is_now}; {ANOTHER}"
            )


def _object(path: Path) -> dict[str, Any]:
    found = parse(read_text(path), str(path))
    if not isinstance(found, dict):
        raise InputError(f"{path}: not what was written here; {ANOTHER}")
    return found


def _noted(path: Path) -> dict[int, Part]:
    """The parts that were noted; a note that was cut off when its process died is none."""
    parts: dict[int, Part] = {}
    if is_file(path):
        for line in read_text(path).split("\n"):
            with suppress(json.JSONDecodeError):
                part = _part(path, json.loads(line))
                parts[part.number] = part
    return parts


def _part(path: Path, row: Any) -> Part:
    try:
        return Part(**row)
    except TypeError:
        raise InputError(f"{path}: not what was written here; {ANOTHER}") from None
