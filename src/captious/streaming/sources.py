"""Sources of a stream: files, folders and patterns, in one order."""

from __future__ import annotations

import glob
import shutil
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from captious.errors import InputError
from captious.io.atomic_files import atomic_write
from captious.io.formats import STANDARD
from captious.io.inputs import is_file, is_folder, is_gzipped, open_standard_input, open_unpacked
from captious.io.part_folders import check_finished, is_part_folder
from captious.io.remote_files import (
    FILE_SCHEME,
    AnyPath,
    as_path,
    as_remote,
    remove_folder,
    without_query,
)

STREAMABLE_FORMATS = ("jsonl", "csv", "tsv", "parquet")
_WILDCARDS = "*?["


@dataclass(frozen=True)
class Source:
    """A file that is read a chunk at a time; `-` is standard input.

    `unpacked` is where its contents were put, for processes that cannot read the file itself.
    """

    path: str
    format: str
    is_gzipped: bool = False
    unpacked: str = ""

    @property
    def is_stream(self) -> bool:
        """Whether it can only be read from its beginning on."""
        return not self.unpacked and (self.is_gzipped or self.path == STANDARD)

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
        yield from _resolve_files(name, sorted(remote.matching_files()))
    elif is_folder(name):
        if is_part_folder(name):
            check_finished(as_path(name))
        yield from _resolve_files(name, sorted(as_path(name).iterdir()))
    elif remote is None and any(mark in name for mark in _WILDCARDS) and not Path(name).exists():
        paths = glob.glob(name, recursive=True)  # noqa: PTH207, which knows no absolute pattern
        yield from _resolve_files(name, sorted(map(Path, paths)))
    else:
        yield _source(name, format)


def _resolve_files(name: str, paths: Sequence[AnyPath]) -> Iterator[Source]:
    """Those of several files that can be streamed; others beside them are ignored."""
    files = [path for path in paths if _format_of(path) in STREAMABLE_FORMATS and is_file(path)]
    if not files:
        raise InputError(f"{name}: no files named {_endings()} in it")
    yield from (_source(str(path), None) for path in files)


def _source(path: str, format: str | None) -> Source:
    own_format = _format_of(path)
    if own_format in STREAMABLE_FORMATS or not format:
        format = own_format
    if format not in STREAMABLE_FORMATS:
        raise InputError(
            f"{path}: cannot be read a chunk at a time; write its rows as {_endings()}"
        )
    if format == "parquet" and (is_gzipped(path) or path == STANDARD):
        raise InputError(f"{path}: Parquet is read from a file that is not packed")
    return Source(path, format, is_gzipped(path))


def _format_of(path: str | Path) -> str:
    return Path(without_query(path).lower().removesuffix(".gz")).suffix.removeprefix(".")


def _endings() -> str:
    return ", ".join(f".{name}" for name in STREAMABLE_FORMATS)


def open_source(source: Source) -> AbstractContextManager[IO[bytes]]:
    """Open a source, unpacked."""
    return open_standard_input() if source.file == STANDARD else open_unpacked(source.file)


@contextmanager
def unpack_sources(sources: Sequence[Source], folder: AnyPath) -> Iterator[list[Source]]:
    """Unpack packed files and standard input where every machine of a cluster can read them.

    Neither can be read from the middle, as a remote worker has to. They are unpacked beside the
    folder of parts, for as long as the block lasts; messages still call them by their own names.
    """
    beside = folder.with_name(f"{folder.name}.unpacked")
    if not any(source.is_stream for source in sources):
        yield list(sources)
        return
    beside.mkdir(parents=True, exist_ok=True)
    try:
        yield [
            _unpack(source, beside / f"{number:06d}.{source.format}")
            if source.is_stream
            else source
            for number, source in enumerate(sources)
        ]
    finally:
        remove_folder(beside)


def _unpack(source: Source, file: AnyPath) -> Source:
    with open_source(source) as stream, atomic_write(file) as contents:
        shutil.copyfileobj(stream, contents)
    return replace(source, unpacked=str(file))
