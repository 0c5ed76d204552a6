"""Running the commands of the page, and writing what they show."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from textwrap import fill

from command_line_page.sections import SECTIONS, Run, Section

INTRODUCTION = """# The command line

What is typed, and what the terminal shows. `python tools/build_command_line_page.py` ran the
commands in a folder with the files of [examples/](../examples/README.md), and others made from
these, and wrote this page; a test runs them again.

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
# Arguments, and the file that standard input comes from if any, to all that a command shows.
Show = Callable[[list[str], Path | None], str]


def shown(run: Run, show: Show, folder: Path) -> str:
    """A command and what it shows, without the folders of this computer."""
    words = shlex.split(run.command)[1:]
    piped = None
    if "<" in words:
        *words, _, name = words
        piped = folder / name
    text = show(words, piped)
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
