"""Running the commands of the page, and writing what they show."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from textwrap import fill
from typing import Any

from command_line_page.sections import SECTIONS, Run, Section

INTRODUCTION = """# The command line

What is typed, and what the terminal shows. `python tools/build_command_line_page.py` ran the
commands in a folder with the files of [examples/](../examples/README.md) and wrote this page; a
test runs them again.

**Colour.** Errors, warnings, notes and headings have colours on a terminal, and nowhere else.
`NO_COLOR` in the environment turns them off; `FORCE_COLOR` turns them on, for files and pipes too.
A terminal whose `TERM` is `dumb` has none.

**Completion.** `captious completion bash`, `zsh` or `fish` prints a script by which the shell
completes commands, options, their values, files, and names of metrics with commas between. The
script runs no Python. It is made by shtab, which `pip install 'captious[completion]'` brings.

```sh
captious completion bash > ~/.local/share/bash-completion/completions/captious
captious completion zsh > ~/.zfunc/_captious      # with fpath+=~/.zfunc before compinit in .zshrc
captious completion fish > ~/.config/fish/completions/captious.fish
```
"""
WIDTH = 100  # letters of a line of words
SYSTEMS = ("careful", "hasty")
Show = Callable[[list[str]], str]  # arguments to all that a command shows


def prepare(folder: Path, examples: Path) -> None:
    """The files that the commands read: the examples, made-up ratings, and grey pictures."""
    shutil.copytree(examples, folder, dirs_exist_ok=True)
    captions = {name: _rows(folder / f"{name}.jsonl", "candidate") for name in SYSTEMS}
    references = _rows(folder / "references.jsonl", "references")
    with (folder / "ratings.jsonl").open("w", encoding="utf-8") as stream:
        for place, (image, texts) in enumerate(references.items()):
            for system, rating in zip(SYSTEMS, (4, 2), strict=True):
                row: dict[str, Any] = {
                    "candidate": captions[system][image],
                    "references": texts,
                    "image": image,
                }
                row |= {"rating": rating + place % 2, "mine": rating + place % 3}
                stream.write(json.dumps(row) + "\n")
    (folder / "photos").mkdir(exist_ok=True)
    for place, image in enumerate(references):
        grey = bytes([8 * place] * 64 * 64)
        (folder / "photos" / f"{image}.ppm").write_bytes(
            b"P6 64 64 255\n" + bytes(value for value in grey for _ in range(3))
        )


def _rows(path: Path, column: str) -> dict[str, Any]:
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["id"]: row[column] for row in rows}


def shown(run: Run, show: Show, folder: Path) -> str:
    """A command and what it shows, without the folders of this computer."""
    text = show(shlex.split(run.command)[1:])
    for place in (folder, folder.resolve()):
        text = text.replace(f"{place}/", "")
    text = re.sub(r"\S*captious/resources/", ".../", text)
    return f"```console\n$ {run.command}\n{text.rstrip()}\n```\n"


def heading(section: Section) -> str:
    """A section's title and words."""
    return f"## {section.title}\n\n{fill(section.words, WIDTH)}\n"


def page(show: Show, folder: Path) -> str:
    """The whole page, with what commands show in a folder."""
    parts = [INTRODUCTION]
    for section in SECTIONS:
        parts += [heading(section), *(shown(run, show, folder) for run in section.runs)]
    return "\n".join(parts)
