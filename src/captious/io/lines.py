"""Plain text: one caption a line, or after an image's name and a tab as Flickr's files have it."""

from __future__ import annotations

import re
from pathlib import Path

from captious.io.column_roles import CANDIDATE, ID, REFERENCES
from captious.io.input_tables import InputTable
from captious.io.text_files import decode_utf8

LINE = "line"  # the name of the only column
_FLICKR = re.compile(r"([^\t]+)#\d+\t([^\t]*)")


def table_of(data: bytes, path: Path | str) -> InputTable:
    """The lines of a file; an empty one is an empty caption, but for what follows the last end."""
    # Not splitlines: a line separator inside a caption is part of it.
    lines = [line.removesuffix("\r") for line in decode_utf8(data, path).split("\n")]
    if not lines[-1]:
        lines.pop()
    tokens = [_FLICKR.fullmatch(line) for line in lines]
    if lines and all(tokens):
        named = [match.groups() for match in tokens if match is not None]
        columns = {"image": [name for name, _ in named], "caption": [said for _, said in named]}
        roles = {ID: ("image",), CANDIDATE: ("caption",), REFERENCES: ("caption",)}
        return InputTable(path, columns, "line", range(1, len(lines) + 1), "Flickr's tokens", roles)
    roles = {CANDIDATE: (LINE,), REFERENCES: (LINE,)}
    return InputTable(path, {LINE: lines}, "line", range(1, len(lines) + 1), roles=roles)
