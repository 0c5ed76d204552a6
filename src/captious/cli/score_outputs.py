"""Where scores are written: one file, or for several systems one each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from captious.cli.output import check_table_output
from captious.cli.overwrite_check import check_not_overwritten
from captious.corpus import Corpus
from captious.errors import InputError, OutputError
from captious.io.atomic_files import check_writable
from captious.io.formats import PARSERS, format_of, not_valid_text_error
from captious.result import Result

STAR = "*"  # in the name of a file to write, stands for the system's name
DEFAULT_EXTENSION = ".csv"


def plan_output_files(
    output: str | None, names: Sequence[str], inputs: Iterable[str]
) -> dict[str, str]:
    """The file of each system's scores, which can be written and is none of the inputs."""
    if output is None:
        return {}
    files = {names[0]: output} if len(names) == 1 else _file_per_system(output, names)
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
    """Stop before the work where captions cannot be written: text with half a character."""
    for name, file in files.items():
        if format_of(file).is_ascii:
            continue
        captions = (*corpora[name].candidates, *corpora[name].references.captions)
        try:
            "\n".join(captions).encode()
        except UnicodeEncodeError as error:
            raise not_valid_text_error(file, error) from None


def _file_per_system(output: str, names: Sequence[str]) -> dict[str, str]:
    if STAR not in output and (Path(output).is_file() or _ending(output) in PARSERS):
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
    """Write what was planned; a folder for several systems is made if there is none."""
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


def _ending(path: str) -> str:
    return Path(path.lower().removesuffix(".gz")).suffix
