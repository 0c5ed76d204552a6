"""Which files a stream is read from: files, folders and patterns, in one order."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from captious.errors import InputError
from captious.io.formats import STANDARD
from captious.io.inputs import is_file, is_folder, is_packed
from captious.io.part_folders import check_finished, is_part_folder
from captious.io.remote_files import FILE_SCHEME, AnyPath, as_path, as_remote, without_query

STREAMABLE_FORMATS = ("jsonl", "csv", "tsv", "parquet")
_WILDCARDS = "*?["


@dataclass(frozen=True)
class Source:
    """A file that is read a chunk at a time; `-` is standard input.

    `unpacked` is where its contents were put, for processes that cannot read the file itself.
    """

    path: str
    format: str
    is_packed: bool = False
    unpacked: str = ""

    @property
    def is_stream(self) -> bool:
        """Whether it can only be read from its beginning on."""
        return not self.unpacked and (self.is_packed or self.path == STANDARD)

    @property
    def file(self) -> str:
        """The file to be read."""
        return self.unpacked or self.path


def resolve_sources(names: Sequence[str], format: str | None = None) -> list[Source]:
    """The files that names stand for; those of a folder or a pattern are sorted by name.

    `format` is that of standard input, and of files whose name says none.
    """
    named = (
        str(as_path(name)) if str(name).startswith(FILE_SCHEME) else str(name) for name in names
    )
    sources = [source for name in named for source in _resolve(name, format)]
    seen: set[str] = set()
    for source in sources:
        if source.path in seen:
            raise InputError(f"{source.path}: named twice; name every file once")
        seen.add(source.path)
    return sources


def _resolve(name: str, format: str | None) -> Iterator[Source]:
    if name == STANDARD:
        if format is None:
            raise InputError(
                "standard input: name its format with --input-format: "
                f"{', '.join(STREAMABLE_FORMATS)}"
            )
        yield _source(name, format)
    elif (remote := as_remote(name)) is not None and remote.is_pattern:
        yield from _resolve_files(name, sorted(remote.matching()))
    elif is_folder(name):
        if is_part_folder(name):
            check_finished(as_path(name))
        yield from _resolve_files(name, sorted(as_path(name).iterdir()))
    elif remote is None and any(mark in name for mark in _WILDCARDS) and not Path(name).exists():
        found = glob.glob(name, recursive=True)  # noqa: PTH207, which knows no absolute pattern
        yield from _resolve_files(name, sorted(map(Path, found)))
    else:
        yield _source(name, format)


def _resolve_files(name: str, paths: Sequence[AnyPath]) -> Iterator[Source]:
    """Those of several files that can be streamed; others beside them are none of ours."""
    found = [path for path in paths if _format_of(path) in STREAMABLE_FORMATS and is_file(path)]
    if not found:
        raise InputError(f"{name}: no files named {_endings()} in it")
    yield from (_source(str(path), None) for path in found)


def _source(path: str, format: str | None) -> Source:
    found = _format_of(path)
    found = found if found in STREAMABLE_FORMATS else format or found
    if found not in STREAMABLE_FORMATS:
        raise InputError(
            f"{path}: cannot be read a chunk at a time; write its rows as {_endings()}"
        )
    if found == "parquet" and (is_packed(path) or path == STANDARD):
        raise InputError(f"{path}: Parquet is read from a file that is not packed")
    return Source(path, found, is_packed(path))


def _format_of(path: str | Path) -> str:
    return Path(without_query(path).lower().removesuffix(".gz")).suffix.removeprefix(".")


def _endings() -> str:
    return ", ".join(f".{name}" for name in STREAMABLE_FORMATS)
