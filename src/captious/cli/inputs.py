"""What commands read: candidates and references, named systems, images, captions to train on."""

from __future__ import annotations

import argparse
import glob
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from captious.cli.options import OptionContainer
from captious.cli.output import check_npz
from captious.errors import InputError
from captious.io.atomic_files import check_writable
from captious.io.caption_tables import ReadOptions
from captious.io.column_roles import parse_columns_option
from captious.io.formats import NAMES, PARSERS, STANDARD
from captious.io.part_folders import is_part_folder
from captious.io.remote_files import as_remote
from captious.registry import DEFAULT, Selection, UnusedOptionError, select
from captious.text.languages import ENGLISH, language_code

DEFAULT_IMAGE_METRIC = "captious_image"  # reads images that no chosen metric reads
NAME_SEPARATOR = "="  # between a system's name and its file
_WILDCARDS = "*?["


def add_caption_arguments(
    container: OptionContainer, candidates: str, references: str, number: str = "?"
) -> None:
    """Add candidates, references and the options of reading both."""
    # Not required by the parser: `check_candidates` knows why they may be missing.
    container.add_argument(
        "candidates",
        nargs=number,
        metavar="CANDIDATES",
        help=f"{candidates}, in a file of any form (see docs/files.md); - is standard input",
    )
    container.add_argument(
        "--references",
        nargs="+",
        metavar="FILE",
        help=f"{references}; several files are joined (default: CANDIDATES)",
    )
    container.add_argument(
        "--columns",
        metavar="NAMES",
        help="which columns to read, where names are not recognized: "
        "id=...,candidate=...,references=... (several: ref1+ref2, or ref*)",
    )
    container.add_argument(
        "--split", metavar="NAME", help="only rows of this split, such as val, of files with splits"
    )
    container.add_argument(
        "--repeated",
        action="store_true",
        help="allow several candidates per id: each is a sample; intervals resample images",
    )
    container.add_argument(
        "--input-format",
        choices=NAMES,
        help="format of standard input, and of files without a known extension (default: "
        "by content)",
    )


def check_candidates(options: argparse.Namespace) -> None:
    """Raise InputError if no candidates were named, or --references took them all."""
    if not options.candidates:
        command = f"{options.parser.prog} CANDIDATES --references FILE..."
        if options.references:
            cause = "--references takes every file after it; put the candidates first"
        else:
            cause = "name a file, or - for standard input"
        raise InputError(f"no candidates: {cause}: {command}")


def read_options(options: argparse.Namespace) -> ReadOptions:
    """Return how to read captions, as the options say; each guess beyond them is a warning."""
    return ReadOptions(
        {} if options.columns is None else parse_columns_option(options.columns),
        options.split,
        options.input_format,
        options.repeated,
        by=getattr(options, "by", None),
    )


def add_image_options(container: OptionContainer) -> None:
    """Add images, and the models and vectors of metrics that read images."""
    container.add_argument(
        "--images",
        metavar="DIR|NPZ",
        help="for captious_image, leic and clipscore: a folder of image files, or vectors of "
        "images; for a detector of objects: a folder",
    )
    container.add_argument(
        "--whole",
        metavar="NPZ",
        help="for captious_image, if --images is an NPZ: vectors of its second view, the whole "
        "image squeezed to a square",
    )
    container.add_argument(
        "--critic", metavar="NPZ", help="for leic: your own critic, from captious critic train"
    )
    container.add_argument(
        "--clip",
        metavar="MODEL",
        help="for clipscore: name or folder of a CLIP model, for transformers",
    )
    container.add_argument(
        "--caption-vectors",
        metavar="NPZ",
        help="for clipscore: vectors of captions, instead of a CLIP model",
    )


def ignore_image_size_warnings() -> None:
    """Silence a warning of Pillow about what is an error here anyway."""
    warnings.filterwarnings("ignore", "Image size .* exceeds limit")


def image_parameters(options: argparse.Namespace, report_all_bad: bool = False) -> dict[str, Any]:
    """Return the image options that were given, as parameters of metrics.

    With `report_all_bad`, an error names all images of a folder that cannot be used, not only the
    first.
    """
    ignore_image_size_warnings()
    names = ("images", "whole", "critic", "clip")
    given = {name: getattr(options, name) for name in names} | {"captions": options.caption_vectors}
    parameters = {name: value for name, value in given.items() if value is not None}
    if not parameters:
        return {}
    from captious.images.folder import ImageFolder
    from captious.images.sources import holds_vectors

    for name in ("images", "whole"):
        if name in parameters and not holds_vectors(parameters[name]):
            parameters[name] = ImageFolder(parameters[name], all_bad=report_all_bad)
    return parameters


def select_with_images(
    names: str | None, parameters: Mapping[str, Any], language: str = ENGLISH
) -> Selection:
    """Select metrics by name; add one that reads images if --images would else be unused."""
    try:
        return select(names, parameters, language)
    except UnusedOptionError as error:
        # The metric that would be added is English only.
        if error.option != "images" or language_code(language) != ENGLISH:
            raise
    named = DEFAULT if names is None else (names,)
    selection = select([*named, DEFAULT_IMAGE_METRIC], parameters, language)
    note = f"{DEFAULT_IMAGE_METRIC} is added, because no chosen metric uses --images"
    return replace(selection, notes=(*selection.notes, note))


def parse_systems(arguments: Sequence[str], *, in_parts: bool = False) -> dict[str, list[str]]:
    """Return the files of each system by its name: one, or with `in_parts` several.

    A name is given, as NAME=FILE, or is that of the file. Equal names are told apart by folders.
    """
    split = [_split_name(argument) for argument in arguments]
    unnamed = [_resolve(path) for name, path in split if not name]
    for name, path in split:
        if not name and unnamed.count(_resolve(path)) > 1:
            raise InputError(
                f"{path}: given twice; each system once, or with names: A={path} B={path}"
            )
    names = _make_unique([(name, path, name or _default_name(path)) for name, path in split])
    return {
        name: _expand_paths(path) if in_parts else [_check_single_file(path)]
        for name, (_, path) in zip(names, split, strict=True)
    }


def _split_name(argument: str) -> tuple[str, str]:
    """Split NAME=PATH, unless a file of that whole name exists."""
    name, sign, path = argument.partition(NAME_SEPARATOR)
    if not sign or as_remote(argument) is not None or _path_exists(argument):
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
    """Return a system's name: of a file, a folder, or the fixed part of a pattern."""
    if path == STANDARD:
        return "standard input"
    if (remote := as_remote(path)) is not None:
        return _strip_extension(remote.name)
    if Path(path).is_dir():
        return Path(path).resolve().name or path
    parts = [_strip_extension(part) for part in Path(path).parts]
    return next(filter(None, map(_fixed_part, reversed(parts))), path)


def _fixed_part(part: str) -> str:
    """Return the part of a pattern that has no wildcards."""
    if not any(letter in part for letter in _WILDCARDS):
        return part
    return "".join(letter for letter in part if letter not in "*?[]").strip(" .-_")


def _strip_extension(part: str) -> str:
    stem = part.removesuffix(".gz")
    ending = Path(stem).suffix
    return stem.removesuffix(ending) if ending.lower() in PARSERS else part


def _check_single_file(path: str) -> str:
    if Path(path).is_dir() and not is_part_folder(path):
        raise InputError(f"{path}: a folder; name its files: {Path(path) / '*'}")
    return path


def _expand_paths(path: str) -> list[str]:
    """Return the files that an argument names: itself, a folder's, or those of a pattern."""
    if path == STANDARD:
        return [path]
    if Path(path).is_dir() and not is_part_folder(path):
        files = sorted(str(each) for each in Path(path).iterdir() if _is_readable(each))
        if not files:
            raise InputError(f"{path}: a folder without files of captions ({', '.join(PARSERS)})")
        return files
    if any(letter in path for letter in _WILDCARDS) and not _path_exists(path):
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


def _path_exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


def _resolve(path: str) -> str:
    try:
        return str(Path(path).resolve())
    except (OSError, ValueError, RuntimeError):
        return path


def load_training_data(
    options: argparse.Namespace,
) -> tuple[Mapping[str, list[str]], Mapping[str, list[str]]]:
    """Read the captions to train on and those for early stopping, after checking the outputs."""
    # For training alone: other commands need not wait for these imports.
    from captious._internal.backends.pytorch import import_torch
    from captious.io.training_captions import read_training_and_validation

    check_npz(options.output)
    import_torch()
    if options.checkpoint is not None:
        check_writable(options.checkpoint)
    return read_training_and_validation(options.captions, options.images, options.validation)
