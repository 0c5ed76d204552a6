"""Files of systems as commands are given them: alone, or as in NAME=FILE."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from captious.errors import InputError
from captious.files.inputs import is_there
from captious.io.formats import NAMES
from captious.shown import shown

MARK = "="
_ENDING = re.compile(rf"(\.({'|'.join(NAMES)}))?(\.gz)?$", re.IGNORECASE)


def named_files(given: Sequence[str]) -> dict[str, str]:
    """The files by the systems' names: those that stand before them, or their own without ending.

    What is called so as a whole is a file, whatever its name looks like.
    """
    files: dict[str, str] = {}
    for text in given:
        name, file = name_and_file(text)
        if name in files:
            raise InputError(
                f"two systems are called {shown(name)}: {files[name]} and {file}; name them as in "
                f"first={files[name]} second={file}"
            )
        files[name] = file
    return files


def name_and_file(text: str) -> tuple[str, str]:
    """What a system is called, and its file."""
    name, mark, file = text.partition(MARK)
    if mark and name and file and not is_there(text):
        return name, file
    own = Path(text).name
    return _ENDING.sub("", own, count=1) or own, text
