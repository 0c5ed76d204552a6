"""Systems as they are named on the command line: a file, a folder, a pattern, each with a name."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from pathlib import Path

from captious.errors import InputError
from captious.io.formats import PARSERS, STANDARD
from captious.io.part_folders import is_part_folder
from captious.io.remote_files import as_remote

NAME_SEPARATOR = "="  # between a system's name and its file
_WILDCARDS = "*?["


def parse_systems(arguments: Sequence[str], *, in_parts: bool = False) -> dict[str, list[str]]:
    """The files of each system, by its name; only with `in_parts` may these be several.

    A name is given, as NAME=FILE, or is that of the file. Equal names are told apart by folders.
    """
    split = [_name_and_path(argument) for argument in arguments]
    unnamed = [_resolve(path) for name, path in split if not name]
    for name, path in split:
        if not name and unnamed.count(_resolve(path)) > 1:
            raise InputError(
                f"{path}: given twice; each system once, or with names: A={path} B={path}"
            )
    names = _make_unique([(name, path, name or _default_name(path)) for name, path in split])
    return {
        name: _expand(path) if in_parts else [_one_file(path)]
        for name, (_, path) in zip(names, split, strict=True)
    }


def _name_and_path(argument: str) -> tuple[str, str]:
    """What stands before and behind the sign, unless a file has it in its own name."""
    name, sign, path = argument.partition(NAME_SEPARATOR)
    if not sign or as_remote(argument) is not None or _exists(argument):
        return "", argument
    if not name.strip() or not path:
        raise InputError(f"{argument}: write NAME{NAME_SEPARATOR}FILE")
    return name.strip(), path


def _make_unique(named: Sequence[tuple[str, str, str]]) -> list[str]:
    names = [name for *_, name in named]
    folders = [[] if given else list(Path(path).parts[:-1]) for given, path, _ in named]
    while len(set(names)) < len(names):
        equal = [row for row, name in enumerate(names) if names.count(name) > 1 and folders[row]]
        if not equal:
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(
                f"two systems are called {twice}; give them different names: "
                f"NAME{NAME_SEPARATOR}FILE"
            )
        for row in equal:
            names[row] = f"{folders[row].pop()}/{names[row]}"
    return names


def _default_name(path: str) -> str:
    """A file's name without its endings, a folder's name, what is fixed in a pattern's."""
    if path == STANDARD:
        return "standard input"
    if (remote := as_remote(path)) is not None:
        return _without_ending(remote.name)
    if Path(path).is_dir():
        return Path(path).resolve().name or path
    parts = [_without_ending(part) for part in Path(path).parts]
    return next(filter(None, map(_fixed_part, reversed(parts))), path)


def _fixed_part(part: str) -> str:
    """What of a name in a pattern is the same for all files."""
    if not any(letter in part for letter in _WILDCARDS):
        return part
    return "".join(letter for letter in part if letter not in "*?[]").strip(" .-_")


def _without_ending(part: str) -> str:
    stem = part.removesuffix(".gz")
    ending = Path(stem).suffix
    return stem.removesuffix(ending) if ending.lower() in PARSERS else part


def _one_file(path: str) -> str:
    if Path(path).is_dir() and not is_part_folder(path):
        raise InputError(f"{path}: a folder; name its files: {Path(path) / '*'}")
    return path


def _expand(path: str) -> list[str]:
    """The files that an argument means."""
    if path == STANDARD:
        return [path]
    if Path(path).is_dir() and not is_part_folder(path):
        files = sorted(str(each) for each in Path(path).iterdir() if _is_readable(each))
        if not files:
            raise InputError(f"{path}: a folder without files of captions ({', '.join(PARSERS)})")
        return files
    if any(letter in path for letter in _WILDCARDS) and not _exists(path):
        # Path.glob takes no pattern that begins at the root.
        files = sorted(filter(_is_file, glob.glob(path, recursive=True)))  # noqa: PTH207
        if not files:
            raise InputError(f"{path}: no file has such a name")
        return files
    return [path]


def _is_readable(path: Path) -> bool:
    ending = Path(path.name.lower().removesuffix(".gz")).suffix
    return ending in PARSERS and not path.name.startswith(".") and path.is_file()


def _is_file(path: str) -> bool:
    return Path(path).is_file()


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _resolve(path: str) -> str:
    try:
        return str(Path(path).resolve())
    except (OSError, ValueError, RuntimeError):
        return path
