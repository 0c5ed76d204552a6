"""Plain text: one caption a line, or after an image's name and a tab as Flickr's files have it."""

from __future__ import annotations

import re
from pathlib import Path

from captious.io.recognition import CANDIDATE, ID, REFERENCES
from captious.io.table import Table
from captious.io.text_files import decoded

LINE = "line"  # the name of the only column
_FLICKR = re.compile(r"([^\t]+)#\d+\t([^\t]*)")


def table_of(data: bytes, path: Path | str) -> Table:
    """The lines of a file; an empty one is an empty caption, but for what follows the last end."""
    # Not splitlines: a line separator inside a caption is part of it.
    lines = [line.removesuffix("\r") for line in decoded(data, path).split("\n")]
    if not lines[-1]:
        lines.pop()
    tokens = [_FLICKR.fullmatch(line) for line in lines]
    if lines and all(tokens):
        named = [match.groups() for match in tokens if match is not None]
        columns = {"image": [name for name, _ in named], "caption": [said for _, said in named]}
        roles = {ID: ("image",), CANDIDATE: ("caption",), REFERENCES: ("caption",)}
        return Table(path, columns, "line", range(1, len(lines) + 1), "Flickr's tokens", roles)
    roles = {CANDIDATE: (LINE,), REFERENCES: (LINE,)}
    return Table(path, {LINE: lines}, "line", range(1, len(lines) + 1), roles=roles)
