"""Reading text with errors that say where, and writing files whole or not at all."""

from __future__ import annotations

import gzip
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, cast

from captious.errors import CaptiousError, InputError, OutputError
from captious.io.inputs import is_packed, read_input
from captious.io.remote_files import RemotePath, remote_at
from captious.io.temporary_files import TemporaryFile


def read_bytes(path: str | Path) -> bytes:
    """A file's contents, unpacked if it is named `.gz`."""
    return read_input(path)


def read_text(path: str | Path) -> str:
    """A file's text, which must be UTF-8."""
    return decoded(read_bytes(path), path)


def decoded(data: bytes, path: str | Path, lines_before: int = 0) -> str:
    """The text that a file's bytes are, without a mark of UTF-8 at its beginning.

    Where they are the rest of a file, so many lines stood before them, for messages.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1 + lines_before
        raise InputError(
            f"{path}: line {line}: not UTF-8 (byte 0x{data[error.start]:02x}); "
            "save the file as UTF-8"
        ) from None


def read_fields(path: Path, number: int) -> list[tuple[int, list[str]]]:
    """Lines of fields between tabs, each with the line's number."""
    rows = []
    for line, text in enumerate(read_text(path).split("\n"), 1):
        if text.strip():
            fields = text.rstrip("\r").split("\t")
            if len(fields) != number:
                raise InputError(
                    f"{path}: line {line}: {len(fields)} fields between tabs, not {number}; "
                    "download the file again"
                )
            rows.append((line, fields))
    return rows


@contextmanager
def written_whole(path: str | Path) -> Iterator[IO[bytes]]:
    """A stream whose contents become the file when the block ends well, and vanish otherwise.

    A pipe or a device is not replaced: it gets the contents, all at once when the block ends well.
    """
    try:
        with _written(path) as stream:
            if is_packed(path):
                # No name and no time of day inside, so that equal scores give equal files.
                with gzip.GzipFile("", "wb", fileobj=stream, mtime=0) as packed:
                    yield cast(IO[bytes], packed)
            else:
                yield stream
    except CaptiousError:
        raise
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror or error})") from None


def check_writable(path: str | Path) -> None:
    """Stop before the work, not after it, where a file could not be written."""
    if (remote := remote_at(path)) is not None:
        remote.check_reached()
        return
    target = _target(path)
    if not _takes_streams(path):
        _temporary(target).discard()


def _written(path: str | Path) -> AbstractContextManager[IO[bytes]]:
    """A stream to whatever kind of file it is."""
    if (remote := remote_at(path)) is not None:
        return _uploaded(remote)
    target = _target(path)
    return _poured(path) if _takes_streams(path) else _replaced(target)


@contextmanager
def _uploaded(remote: RemotePath) -> Iterator[IO[bytes]]:
    """A stream into a file of this machine without a name, which another file system gets whole."""
    with tempfile.TemporaryFile() as gathered:
        yield gathered
        gathered.seek(0)
        remote.fill(gathered)


@contextmanager
def _replaced(target: Path) -> Iterator[IO[bytes]]:
    """A stream into a temporary file, which takes the target's place."""
    temporary = _temporary(target)
    try:
        with temporary.stream() as stream:
            yield stream
        temporary.become_target()
    finally:
        temporary.discard()


@contextmanager
def _poured(path: str | Path) -> Iterator[IO[bytes]]:
    """A stream into a file without a name, whose contents a pipe or a device gets."""
    with tempfile.TemporaryFile() as gathered:
        yield gathered
        gathered.seek(0)
        with os.fdopen(os.open(path, os.O_WRONLY), "wb") as stream:
            shutil.copyfileobj(gathered, stream)


def _target(path: str | Path) -> Path:
    """What is written: not a link, but what it points to."""
    if not str(path):
        raise OutputError("the name of the file to write is empty; name a file")
    try:
        target = Path(path).resolve()
        if target.is_dir():
            raise OutputError(f"{path}: is a folder; name a file in it")
        if target.exists() and not os.access(target, os.W_OK):
            raise OutputError(f"{path}: cannot be written (it is read-only); choose another name")
    except CaptiousError:
        raise
    except (OSError, ValueError, RuntimeError) as error:  # too long, a null character, a circle
        reason = getattr(error, "strerror", None) or error
        raise OutputError(f"{path}: not a name to write to ({reason})") from None
    return target


def _takes_streams(path: str | Path) -> bool:
    """Whether this is a pipe or a device."""
    try:
        mode = Path(path).stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode)


def _temporary(target: Path) -> TemporaryFile:
    try:
        return TemporaryFile(target)
    except OSError as error:
        raise OutputError(
            f"{target}: cannot be written ({error.strerror}); "
            "choose a folder that exists and is writable"
        ) from None
