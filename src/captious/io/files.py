"""Reading text with errors that say where, and writing files whole or not at all."""

from __future__ import annotations

import gzip
import os
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from captious.errors import InputError, OutputError


def read_bytes(path: str | Path) -> bytes:
    """A file's contents, unpacked if it is named `.gz`."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from None
    except ValueError as error:  # a null character in the name
        raise InputError(f"{str(path)!r}: not a file name ({error})") from None
    if not is_packed(path):
        return data
    try:
        return gzip.decompress(data)
    except EOFError:
        raise InputError(f"{path}: the gzip file is cut off; copy or download it again") from None
    except (OSError, zlib.error) as error:
        raise InputError(
            f"{path}: not a sound gzip file ({error}); copy or download it again"
        ) from None


def is_packed(path: str | Path) -> bool:
    """Whether a file is gzipped, by its name."""
    return str(path).lower().endswith(".gz")


def read_text(path: str | Path) -> str:
    """A file's text, which must be UTF-8."""
    data = read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{path}: line {line}: not UTF-8 (byte 0x{data[error.start]:02x}); "
            "save the file as UTF-8"
        ) from None


@contextmanager
def written_whole(path: str | Path) -> Iterator[IO[bytes]]:
    """A stream whose contents become the file when the block ends well, and vanish otherwise."""
    target = Path(path).resolve()  # what a link points to is written, not the link
    handle, temporary = _temporary_beside(target)
    try:
        with os.fdopen(handle, "wb") as stream:
            if is_packed(target):
                # No name and no time of day inside, so that equal scores give equal files.
                with gzip.GzipFile("", "wb", fileobj=stream, mtime=0) as packed:
                    yield cast(IO[bytes], packed)
            else:
                yield stream
        # A temporary file is the owner's alone; a result has the usual permissions.
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(target)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror or error})") from None
    finally:
        temporary.unlink(missing_ok=True)


def check_writable(path: str | Path) -> None:
    """Stop before the work, not after it, where a file could not be written."""
    handle, temporary = _temporary_beside(Path(path).resolve())
    os.close(handle)
    temporary.unlink()


def _temporary_beside(target: Path) -> tuple[int, Path]:
    """An empty file in the folder of the target, under a name that nobody else has."""
    if target.is_dir():
        raise OutputError(f"{target}: is a folder; name a file in it")
    if target.exists() and not os.access(target, os.W_OK):
        raise OutputError(f"{target}: cannot be written (it is read-only); choose another name")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:80]}.", dir=target.parent)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OutputError(
            f"{target}: cannot be written ({reason}); choose a folder that exists and is writable"
        ) from None
    return handle, Path(name)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
