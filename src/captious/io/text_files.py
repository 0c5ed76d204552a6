"""Reading text with errors that say where, and writing files whole or not at all."""

from __future__ import annotations

from pathlib import Path

from captious.errors import InputError
from captious.io.inputs import read_input


def read_bytes(path: str | Path) -> bytes:
    """A file's contents, unpacked if it is named `.gz`."""
    return read_input(path)


def read_text(path: str | Path) -> str:
    """A file's text, which must be UTF-8."""
    return decode_utf8(read_bytes(path), path)


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


def read_fields(path: Path, number: int) -> list[tuple[int, list[str]]]:
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
