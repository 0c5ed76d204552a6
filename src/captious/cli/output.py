"""What commands print and write: tables in any format, notes, and files checked before the work."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from captious.cli.terminal import has_colours, say, show
from captious.corpus import Corpus
from captious.errors import InputError, OutputError
from captious.io.atomic_files import atomic_write, check_writable
from captious.io.formats import PARSERS, format_of, not_valid_text_error
from captious.io.json import json_text
from captious.io.markup import TERMINAL
from captious.io.output_tables import TabularResult, render_table
from captious.io.remote_files import as_path, as_remote, without_query

if TYPE_CHECKING:
    from captious.registry import Selection
    from captious.result import Result
    from captious.training.loop import TrainingResult

# Options that name a file to write.
OUTPUT_OPTIONS = ("output", "plot", "scatter", "samples", "checkpoint", "report")
STAR = "*"  # in the name of a file to write, stands for the system's name
DEFAULT_EXTENSION = ".csv"


def show_tabled(result: TabularResult, format: str) -> None:
    """Print a result; on a terminal that can show it, the best of a table stands out."""
    if format == "text" and has_colours(sys.stdout):
        show(result.render_tables(TERMINAL), is_safe=True)
    else:
        show(result.to_text(format))


def print_table(
    format: str, header: Sequence[str], rows: Sequence[Sequence[str]], data: Any, text_columns: int
) -> None:
    """Print a table, or as JSON the data behind it."""
    if format == "json":
        show(json_text(data, indent=2))
    else:
        show(render_table(header, rows, format, text_columns))


def print_figures(options: argparse.Namespace, data: dict[str, Any], text_columns: int = 1) -> None:
    """Print named values, one in a line."""
    rows = [
        (name.replace("_", " "), f"{value:.4f}" if isinstance(value, float) else str(value))
        for name, value in data.items()
    ]
    print_table(options.format, ("what", "value"), rows, data, text_columns)


def print_trained(
    options: argparse.Namespace,
    trained: TrainingResult[Any],
    about: Mapping[str, str],
    measures: Mapping[str, float],
) -> None:
    """Print where weights were written, and the figures of the training."""
    data = {
        "output": options.output,
        **about,
        "words": len(trained.model.vocabulary.words),
        "epoch": trained.best,
        "epochs": len(trained.curve),
        "loss": trained.best_point["loss"],
        **{f"validation_{name}": value for name, value in measures.items()},
    }
    print_figures(options, data)


def note(options: argparse.Namespace, message: str) -> None:
    """Print one line that is not part of the result, unless --quiet."""
    if not options.quiet:
        say(message)


def note_selection(options: argparse.Namespace, selection: Selection) -> None:
    """Print notes on metrics: names that were corrected, and those left out of groups."""
    for remark in selection.notes:
        note(options, remark)
    if selection.left_out:
        left_out = ", ".join(selection.left_out)
        note(options, f"left out, not installed (see captious doctor): {left_out}")
    if selection.english_only:
        note(options, f"left out, English only: {', '.join(selection.english_only)}")


def typed_command(options: argparse.Namespace) -> str:
    """Return the command line as it was typed."""
    return shlex.join(["captious", *options.typed])


def check_npz(path: str) -> None:
    """Raise an error, before any work, if a file of arrays cannot be written."""
    if not path.lower().endswith(".npz"):
        raise InputError(f"{path}: name the file .npz")
    check_writable(path)


def check_table_output(path: str | None) -> None:
    """Raise an error, before any work, if a file of rows cannot be written."""
    if path is not None:
        format_of(path)
        check_writable(path)


def check_json_output(path: str | None) -> None:
    """Raise an error, before any work, if a file of JSON cannot be written."""
    if path is not None:
        if not path.lower().endswith((".json", ".json.gz")):
            raise InputError(f"{path}: name the file .json or .json.gz")
        check_writable(path)


def write_json(path: str | None, data: Any) -> None:
    """Write data as JSON, if a file was named."""
    if path is not None:
        with atomic_write(path) as stream:
            stream.write(json_text(data, indent=2).encode() + b"\n")


def check_inputs_not_overwritten(options: argparse.Namespace) -> None:
    """Stop where a file to be written is also given for something else."""
    named = {name: _possible_file_names(value) for name, value in vars(options).items()}
    for name in OUTPUT_OPTIONS:
        for written, (other, texts) in product(named.get(name, ()), named.items()):
            for given in texts:
                if other != name:
                    check_not_overwritten(given, written, name)


def check_not_overwritten(given: str, written: str, option: str) -> None:
    """Stop where a file that is given would be written by an option."""
    if _is_same_file(given, written):
        raise InputError(f"{given}: would be overwritten by --{option}; name another file to write")


def _possible_file_names(value: Any) -> list[str]:
    """Return the texts in an option's value that may be file names, also those of NAME=FILE."""
    values = value if isinstance(value, list) else [value]
    texts = [each for each in values if isinstance(each, str)]
    return texts + [file for _, sign, file in (text.partition("=") for text in texts) if sign]


def _is_same_file(given: str, written: str) -> bool:
    """Return whether two names lead to one existing file, also through links."""
    if as_remote(given) is not None or as_remote(written) is not None:
        return without_query(given) == without_query(written)
    try:
        return as_path(given).samefile(as_path(written))  # type: ignore[union-attr]
    except (OSError, ValueError):  # a name that no file can have, either
        return False


def plan_output_files(
    output: str | None, names: Sequence[str], inputs: Iterable[str]
) -> dict[str, str]:
    """Return the output file of each system, after checking that it can be written."""
    if output is None:
        return {}
    files = {names[0]: output} if len(names) == 1 else _name_files(output, names)
    for file in files.values():
        for given in inputs:
            check_not_overwritten(given, file, "output")
    new = Path(output)
    if len(names) > 1 and STAR not in output and not new.is_dir():
        check_writable(output)  # a folder can be made there if a file can
    else:
        for file in files.values():
            check_table_output(file)
    return files


def check_captions(files: Mapping[str, str], corpora: Mapping[str, Corpus]) -> None:
    """Raise an error for captions with lone surrogates, which only JSON can hold."""
    for name, file in files.items():
        if format_of(file).is_ascii:
            continue
        captions = (*corpora[name].candidates, *corpora[name].references.captions)
        try:
            "\n".join(captions).encode()
        except UnicodeEncodeError as error:
            raise not_valid_text_error(file, error) from None


def _name_files(output: str, names: Sequence[str]) -> dict[str, str]:
    if STAR not in output and (Path(output).is_file() or _extension(output) in PARSERS):
        raise InputError(
            f"--output {output}: several systems are written to a folder, a file each; name a "
            f"folder, or a file with a star for the system's name: scores/{STAR}.csv"
        )
    pattern = output if STAR in output else str(Path(output) / f"{STAR}{DEFAULT_EXTENSION}")
    if pattern.count(STAR) > 1 or STAR not in Path(pattern).name:
        raise InputError(f"--output {output}: put one star into the file name, for the system")
    files = {name: pattern.replace(STAR, _safe_file_name(name)) for name in names}
    if len(set(map(str.lower, files.values()))) < len(files):
        raise InputError(
            f"--output {output}: two systems would be written to one file; give them names: "
            "NAME=FILE"
        )
    return files


def write_scores(files: Mapping[str, str], results: Mapping[str, Result], **how: Any) -> None:
    """Write scores to the planned files; make their folder if there is none."""
    if len(files) > 1:
        for folder in {Path(file).parent for file in files.values()}:
            try:
                folder.mkdir(exist_ok=True)
            except OSError as error:
                raise OutputError(f"{folder}: cannot be made ({error.strerror})") from None
    for name, file in files.items():
        results[name].save(file, **how)


def _safe_file_name(name: str) -> str:
    return re.sub(r"[^\w.+ -]", "_", name).lstrip(".") or "_"


def _extension(path: str) -> str:
    return Path(path.lower().removesuffix(".gz")).suffix
