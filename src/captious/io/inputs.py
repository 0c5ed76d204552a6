"""Open and read input files: ordinary files of a plausible size, and nothing else."""

from __future__ import annotations

import gzip
import hashlib
import io
import logging
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from captious._internal.logs import logger
from captious.errors import InputError
from captious.io.remote_files import as_remote, without_query

# A file is read whole, and parsed it takes several times its size: this much fits into no usual
# memory. COCO's captions are 66 MB, a hundred million captions some 8 GB.
MAX_FILE_BYTES = 8 << 30
# A packed file may become this large however small it is; beyond, only so many times as large as
# it was. Captions and scores pack by 3 to 60 times; a file that packs by 1000 repeats one thing.
MAX_UNPACKED_BYTES = 256 << 20
MAX_UNPACKED_RATIO = 200
BYTES_PER_READ = 1 << 20  # of a file that is hashed or unpacked
GZIP_MAGIC = b"\x1f\x8b"
STANDARD_INPUT = "standard input"

_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def exists(path: str | Path) -> bool:
    """Whether there is a file, a folder or anything else of this name, however odd the name is."""
    return _stat(path) is not None


def is_file(path: str | Path) -> bool:
    """Whether there is an ordinary file of this name, however odd the name is."""
    if (remote := as_remote(path)) is not None:
        return remote.is_file()
    status = _stat(path)
    return status is not None and stat.S_ISREG(status.st_mode)


def is_folder(path: str | Path) -> bool:
    """Whether there is a folder of this name, however odd the name is."""
    if (remote := as_remote(path)) is not None:
        return remote.is_dir()
    status = _stat(path)
    return status is not None and stat.S_ISDIR(status.st_mode)


def modification_time(path: str | Path) -> int:
    """When a file was last written, in nanoseconds; 0 where there is none."""
    status = _stat(path)
    return 0 if status is None else status.st_mtime_ns


def _stat(path: str | Path) -> os.stat_result | None:
    try:
        return Path(path).stat()
    except (OSError, ValueError):  # nothing there, a name too long, or one with a null character
        return None


def is_gzipped(path: str | Path) -> bool:
    """Whether a file is gzipped, by its name."""
    return without_query(path).lower().endswith(".gz")


@contextmanager
def open_input(path: str | Path, level: int = logging.INFO) -> Iterator[IO[bytes]]:
    """Open an ordinary file's bytes, as they are on the disk; errors are one line.

    `level` is the log's, lower for files that come in thousands.
    """
    try:
        with _open(path) as stream:
            logger.log(level, "reads %s (%s bytes)", path, f"{_size_of_stream(stream):,}")
            yield stream
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    except MemoryError:
        raise InputError(f"{path}: too large for this computer's memory") from None


def _size_of_stream(stream: IO[bytes]) -> int:
    """The size in bytes of a file that was just opened."""
    if isinstance(stream, io.BufferedReader) and not isinstance(stream.raw, io.FileIO):
        size = stream.seek(0, os.SEEK_END)  # of another file system
        stream.seek(0)
        return size
    return os.fstat(stream.fileno()).st_size


def _open(path: str | Path) -> IO[bytes]:
    if (remote := as_remote(path)) is not None:
        return remote.open()
    try:
        # Checked first: opening a pipe waits for a writer, and opening a device may do anything.
        _check_kind(path, Path(path).stat().st_mode)
        stream = open(path, "rb", opener=_open_without_blocking)  # noqa: SIM115
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        # A null character, or half a character, in the name.
        raise InputError(f"{str(path)!r}: not a file name ({error})") from None
    try:
        _check_kind(path, os.fstat(stream.fileno()).st_mode)
    except BaseException:
        stream.close()
        raise
    return stream


@contextmanager
def open_unpacked(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file's bytes, unpacked if it is named `.gz`, to be read a part at a time."""
    with open_input(path) as stream:
        if not is_gzipped(path):
            yield stream
            return
        with check_gzip(path), gzip.GzipFile(fileobj=stream, mode="rb") as unpacked:
            yield cast(IO[bytes], unpacked)


def read_input(
    path: str | Path,
    max_bytes: int = MAX_FILE_BYTES,
    *,
    unpack: bool = True,
    level: int = logging.INFO,
) -> bytes:
    """Read a file, unpacked if it is named `.gz`, unless it has more than `max_bytes`."""
    with open_input(path, level) as stream:
        size = _size_of_stream(stream)
        if size > max_bytes:
            raise InputError(_too_large_message(path, max_bytes))
        if unpack and is_gzipped(path):
            return _unpack(
                path, stream, min(max_bytes, max(MAX_UNPACKED_BYTES, MAX_UNPACKED_RATIO * size))
            )
        # A file of /proc says that it has no size, and some of them have no end.
        data = stream.read(size + 1)
        return data if len(data) <= size else _read_bounded(path, stream, max_bytes, start=data)


def sha256_of(path: str | Path) -> str:
    """The hash of a file's bytes, as they are on the disk."""
    digest = hashlib.sha256()
    with open_input(path) as stream:
        while piece := stream.read(BYTES_PER_READ):
            digest.update(piece)
    return digest.hexdigest()


def read_text(path: str | Path) -> str:
    """A file's text, which must be UTF-8."""
    return decode_utf8(read_input(path), path)


def decode_utf8(data: bytes, path: str | Path, lines_before: int = 0) -> str:
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


def read_tab_separated(path: Path, number: int) -> list[tuple[int, list[str]]]:
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
def open_standard_input() -> Iterator[IO[bytes]]:
    """Open standard input, unpacked if it is gzipped, to be read a part at a time."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None or stream.closed:
        raise InputError(f"{STANDARD_INPUT}: closed; pipe captions into it, or name a file")
    try:
        if stream.peek(len(GZIP_MAGIC)).startswith(GZIP_MAGIC):
            with check_gzip(STANDARD_INPUT), gzip.GzipFile(fileobj=stream, mode="rb") as unpacked:
                yield cast(IO[bytes], unpacked)
        else:
            yield stream
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{STANDARD_INPUT}: cannot be read ({reason})") from None


def read_standard_input(max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """Read standard input, unpacked if it is gzipped, as its first bytes say."""
    if sys.stdin is None or sys.stdin.closed:
        raise InputError(f"{STANDARD_INPUT}: closed; pipe captions into it, or name a file")
    stream = getattr(sys.stdin, "buffer", None)
    try:
        if stream is None:  # a program of the user's has put text in its place
            data = sys.stdin.read().encode("utf-8", "surrogateescape")
        else:
            data = _read_bounded(STANDARD_INPUT, stream, max_bytes)
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{STANDARD_INPUT}: cannot be read ({reason})") from None
    except MemoryError:
        raise InputError(f"{STANDARD_INPUT}: too large for this computer's memory") from None
    if data.startswith(GZIP_MAGIC):
        allowed = min(max_bytes, max(MAX_UNPACKED_BYTES, MAX_UNPACKED_RATIO * len(data)))
        return _unpack(STANDARD_INPUT, io.BytesIO(data), allowed)
    return data


def _unpack(path: str | Path, stream: IO[bytes], max_bytes: int) -> bytes:
    with check_gzip(path), gzip.GzipFile(fileobj=stream, mode="rb") as packed:
        return _read_bounded(path, cast(IO[bytes], packed), max_bytes, how="unpacked, ")


def _read_bounded(
    path: str | Path, stream: IO[bytes], max_bytes: int, *, start: bytes = b"", how: str = ""
) -> bytes:
    """Read a stream a part at a time, and stop when it has more than `max_bytes`."""
    parts, size = [start], len(start)
    while part := stream.read(BYTES_PER_READ):
        parts.append(part)
        size += len(part)
        if size > max_bytes:
            raise InputError(_too_large_message(path, max_bytes, how))
    return b"".join(parts)


@contextmanager
def check_gzip(path: str | Path) -> Iterator[None]:
    """Report in one line what is wrong with a gzip file."""
    try:
        yield
    except EOFError:
        raise InputError(f"{path}: the gzip file is cut off; copy or download it again") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise InputError(
            f"{path}: not a valid gzip file ({error}); copy or download it again"
        ) from None


def _check_kind(path: str | Path, mode: int) -> None:
    kind = next((name for is_kind, name in _KINDS if is_kind(mode)), None)
    if kind is not None:
        raise InputError(f"{path}: cannot be read ({kind}); give an ordinary file")


def _open_without_blocking(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _too_large_message(path: str | Path, max_bytes: int, how: str = "") -> str:
    size = f"{max_bytes / 1e6:,.0f} MB" if max_bytes >= 1e6 else f"{max_bytes:,} bytes"
    return f"{path}: enormous ({how}more than {size}); make it smaller"
