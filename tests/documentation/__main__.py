"""Write what commands print into pages: `python -m tests.documentation PAGE...`.

Signatures are shown as `captious:[...]`, since every version has another. A block with `[...]` in
any other line is left as it is: it was chosen by hand.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.documentation import example_files
from tests.documentation.blocks import blocks_of
from tests.documentation.shell import ANYTHING, commands_of, run, transcript_of

SIGNATURE = f"captious:{ANYTHING}"


def fill_page(page: Path, folder: Path) -> str:
    """The page with what its commands print now."""
    text = page.read_text(encoding="utf-8")
    for block in blocks_of(page):
        if block.not_run or block.needs or block.data:
            continue
        if block.language == "python":
            exec(compile(block.text, block.place, "exec"), example_files.names())
        elif block.language == "sh":
            for command in commands_of(block.text):
                run(command, folder)
        elif block.language == "console" and ANYTHING not in block.text.replace(SIGNATURE, ""):
            new = ""
            for command, _ in transcript_of(block.text):
                _, printed, errors = run(command, folder)
                printed = re.sub(r"^captious:\d.*$", SIGNATURE, printed, flags=re.MULTILINE)
                new += f"$ {command}\n{(errors + printed).rstrip()}\n"
            text = text.replace(block.text, new)
    return text


def commands(page: Path) -> Iterator[str]:
    """What a reader of the page types."""
    for block in blocks_of(page):
        if block.language == "sh" and not block.not_run:
            yield from commands_of(block.text)
        elif block.language == "console" and not block.not_run:
            yield from (command for command, _ in transcript_of(block.text))


def main() -> None:
    """Fill each page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--commands", action="store_true", help="print the pages' commands alone")
    options = parser.parse_args()
    pages = [page.resolve() for page in options.pages]
    if options.commands:
        print("\n".join(command for page in pages for command in commands(page)))
        return
    os.environ["COLUMNS"] = "100"
    for page in pages:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "world"
            folder.mkdir()
            example_files.build(folder)
            os.chdir(folder)
            page.write_text(fill_page(page, folder), encoding="utf-8")


if __name__ == "__main__":
    main()
