"""The blocks of code of a page, and what the comment before a block says of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.places import DOCS, EXAMPLES, ROOT

PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md")), EXAMPLES / "README.md"]
RUN = ("python", "console", "sh")
SHOWN = ("text", "json", "toml", "yaml")  # outputs, files, settings

_BLOCK = re.compile(
    r"(?:^<!-- (?P<mark>not run|needs|data): (?P<reason>.+?) -->\n)?"
    r"^(?P<margin> *)```(?P<language>\w*)\n(?P<text>.*?)^(?P=margin)```$",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Block:
    """Code between fences, and why it is not run; or a package or real data that it needs."""

    place: str
    language: str
    text: str
    not_run: str = ""
    needs: str = ""
    data: str = ""


def blocks_of(page: Path) -> Iterator[Block]:
    """All of a page, in order."""
    text = page.read_text(encoding="utf-8")
    for found in _BLOCK.finditer(text):
        line = text.count("\n", 0, found.start("margin")) + 1
        marks = {str(found["mark"]).replace(" ", "_"): found["reason"]} if found["mark"] else {}
        place = f"{page.relative_to(ROOT)}:{line}"
        yield Block(place, found["language"], found["text"], **marks)
