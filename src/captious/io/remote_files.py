"""Files of other file systems, named by URIs such as `s3://bucket/folder/name`, through pyarrow.

`as_path` turns a name into a `RemotePath` or a `pathlib.Path`, which share the methods that are
needed. The query of a URI (`?region=eu-west-1`) is for the file system and belongs to no name.
"""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote, unquote, urlsplit

from captious.errors import CaptiousError, InputError, MissingDependencyError, OutputError

_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")  # two letters or more: C: is a drive
FILE_SCHEME = "file://"
BUFFER_BYTES = 1 << 20
WILDCARDS = "*["  # in the name of several files; a question mark has another meaning


class RemotePath(str):
    """The URI of a file or a folder, with those methods of `pathlib.Path` that are needed."""

    __slots__ = ()

    @property
    def without_query(self) -> str:
        """The URI without the query, which is for the file system."""
        return self.partition("?")[0].rstrip("/")

    @property
    def name(self) -> str:
        """The last name in it."""
        return unquote(self.without_query.rpartition("/")[2])

    @property
    def suffix(self) -> str:
        """The ending of the name."""
        return Path(self.name).suffix

    def __truediv__(self, name: str) -> RemotePath:
        """The file or folder of this name in a folder."""
        return self._with_path(f"{self.without_query}/{quote(name)}")

    def with_name(self, name: str) -> RemotePath:
        """The file or folder of this name beside it."""
        return self._with_path(f"{self.without_query.rpartition('/')[0]}/{quote(name)}")

    def _with_path(self, path: str) -> RemotePath:
        return RemotePath(path + "".join(self.partition("?")[1:]))

    def is_file(self) -> bool:
        """Whether there is such a file."""
        return str(self._file_info().type.name) == "File"

    def is_dir(self) -> bool:
        """Whether there is anything below this name."""
        return str(self._file_info().type.name) == "Directory"

    def _file_info(self) -> Any:
        system, path = self._file_system()
        with report_in_one_line(self, InputError, "looked at"):
            return system.get_file_info(path)

    def iterdir(self) -> Iterator[RemotePath]:
        """The files and folders in a folder."""
        return (self / name for name in self._names(recursive=False))

    def glob(self, pattern: str) -> Iterator[RemotePath]:
        """The files in a folder, and below it, whose names fit a pattern."""
        regex = re.compile(_glob_to_regex(pattern))
        names = self._names(recursive="/" in pattern or "**" in pattern)
        return (self / name for name in names if regex.fullmatch(name))

    @property
    def is_pattern(self) -> bool:
        """Whether it stands for several files."""
        return any(mark in self.without_query for mark in WILDCARDS)

    def matching_files(self) -> Iterator[RemotePath]:
        """The files that a pattern stands for."""
        names = self.without_query.split("/")
        first = next(place for place, name in enumerate(names) if any(map(name.count, WILDCARDS)))
        folder = self._with_path("/".join(names[:first]))
        return folder.glob(unquote("/".join(names[first:])))

    def _names(self, recursive: bool) -> list[str]:
        system, path = self._file_system()
        with report_in_one_line(self, InputError, "listed"):
            from pyarrow.fs import FileSelector

            infos = system.get_file_info(FileSelector(path, True, recursive))
        return sorted(info.path[len(path) :].lstrip("/") for info in infos)

    def mkdir(self, parents: bool = True, exist_ok: bool = True) -> None:
        """Make a folder, where file systems have such things."""
        system, path = self._file_system()
        with report_in_one_line(self, OutputError, "made"):
            system.create_dir(path, recursive=parents)

    def unlink(self, missing_ok: bool = False) -> None:
        """Remove a file."""
        system, path = self._file_system()
        if missing_ok and not self.is_file():
            return
        with report_in_one_line(self, OutputError, "removed"):
            system.delete_file(path)

    def remove_folder(self) -> None:
        """Remove a folder, if it is there, and all that is in it."""
        system, path = self._file_system()
        if self.is_dir():
            with report_in_one_line(self, OutputError, "removed"):
                system.delete_dir(path)

    def open(self) -> IO[bytes]:
        """Open a file for reading; reading a part of it fetches only that part."""
        return io.BufferedReader(self.arrow_file(), BUFFER_BYTES)

    def arrow_file(self) -> Any:
        """The same as pyarrow's own readers take it."""
        system, path = self._file_system()
        with report_in_one_line(self, InputError, "read"):
            return system.open_input_file(path)

    def upload(self, contents: IO[bytes]) -> None:
        """Write a file, which appears when all of its contents have arrived."""
        system, path = self._file_system()
        with (
            report_in_one_line(self, OutputError, "written"),
            # Unasked, pyarrow would pack what is packed already, by its name.
            system.open_output_stream(path, compression=None) as stream,
        ):
            shutil.copyfileobj(contents, stream, BUFFER_BYTES)

    def check_reachable(self) -> None:
        """Raise an error if the file system is unknown."""
        self._file_system()

    def _file_system(self) -> tuple[Any, str]:
        system, path = _file_system(str(self._with_path(self.without_query)))
        return system, path.rstrip("/")


AnyPath = Path | RemotePath


def as_path(name: str | Path) -> AnyPath:
    """A file or folder by its name; `file:///...` is one of this machine."""
    remote = as_remote(name)
    if remote is not None:
        return remote
    if str(name).startswith(FILE_SCHEME):
        from urllib.request import url2pathname  # imports all of HTTP

        return Path(url2pathname(urlsplit(str(name)).path))
    return Path(name)


def as_remote(name: str | Path) -> RemotePath | None:
    """A name as a `RemotePath` if it is a URI of another file system, else None."""
    if not isinstance(name, str) or not _URI.match(name) or name.startswith(FILE_SCHEME):
        return None
    return RemotePath(name)


def without_query(name: str | Path) -> str:
    """A name without the query of a URI."""
    remote = as_remote(name)
    return str(name) if remote is None else remote.without_query


def remove_folder(folder: AnyPath) -> None:
    """Remove a folder and all that is in it."""
    if isinstance(folder, RemotePath):
        folder.remove_folder()
    else:
        shutil.rmtree(folder, ignore_errors=True)


@lru_cache(maxsize=64)
def _file_system(uri: str) -> tuple[Any, str]:
    _, _, rest = uri.partition("://")
    user, at, _ = rest.partition("/")[0].rpartition("@")
    if at and ":" in user:
        raise InputError(
            f"{uri.replace(user, '...')}: a password in a name; put it where the file system looks "
            "for it, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        )
    try:
        from pyarrow.fs import FileSystem
    except ImportError:
        raise MissingDependencyError(
            f"{uri}: other file systems need pyarrow: pip install 'captious[parquet]'"
        ) from None
    with report_in_one_line(uri, InputError, "reached"):
        system, path = FileSystem.from_uri(uri)
    return system, str(path)


@contextmanager
def report_in_one_line(uri: str, kind: type[CaptiousError], what: str) -> Iterator[None]:
    """Report in one line an error of a file system, which may be a page long."""
    try:
        yield
    except CaptiousError:
        raise
    except (OSError, ValueError, TypeError, NotImplementedError, ImportError) as error:
        reason = " ".join(str(error).split())[:300]
        raise kind(f"{uri}: cannot be {what} ({reason})") from None


def _glob_to_regex(pattern: str) -> str:
    """A pattern of names as a regular expression."""
    marks = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}
    parts = re.split(r"(\*\*/|\*\*|\*|\[[^]/]+\])", pattern)
    return "".join(
        marks.get(part) or (part if part.startswith("[") and part[-1:] == "]" else re.escape(part))
        for part in parts
    )
