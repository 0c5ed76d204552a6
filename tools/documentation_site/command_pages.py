"""A page for each command, from its parser: description, arguments, examples."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from textwrap import dedent

from captious.cli.main import COMMANDS, GROUPS, make_parser

FOLDER = "reference/commands"


def command_pages() -> dict[str, str]:
    """Every page by its place on the site."""
    commands = _commands_of(make_parser(*COMMANDS))
    pages = {f"{FOLDER}/{name}.md": _page(commands[name]) for name in COMMANDS}
    return {f"{FOLDER}/index.md": _overview(), **pages}


def _overview() -> str:
    lines = ["# All commands", "", "Written from the commands themselves: `captious help COMMAND`"]
    lines += ["shows the same in a terminal.", ""]
    for group, commands in GROUPS.items():
        lines += [f"## {group.capitalize()}", "", "| command | does |", "| --- | --- |"]
        lines += [f"| [`captious {name}`]({name}.md) | {what} |" for name, what in commands.items()]
        lines.append("")
    return "\n".join(lines)


def _page(parser: argparse.ArgumentParser) -> str:
    return "\n".join([f"# {parser.prog}", "", *_section(parser)])


def _section(parser: argparse.ArgumentParser, depth: int = 2) -> Iterator[str]:
    """Describe a command: purpose, usage and arguments; then its subcommands likewise."""
    if parser.description:
        yield from (" ".join(parser.description.split()), "")
    yield from ("```text", parser.format_usage().strip(), "```", "")
    yield from _arguments(parser)
    if parser.epilog:
        _, _, examples = parser.epilog.partition("\n")
        yield from ("**Examples**", "", "```sh", dedent(examples).strip(), "```", "")
    for part in _commands_of(parser).values():
        yield from (f"{'#' * depth} {part.prog}", "", *_section(part, depth + 1))


def _arguments(parser: argparse.ArgumentParser) -> Iterator[str]:
    shown = [each for each in parser._actions if not _is_help(each) and not _choices(each)]
    if shown:
        yield from ("| argument | meaning |", "| --- | --- |")
        yield from (f"| {_name(each)} | {_meaning(each)} |" for each in shown)
        yield ""


def _name(action: argparse.Action) -> str:
    value = "" if action.nargs == 0 else _value(action)
    names = [f"`{name} {value}`".replace(" `", "`") for name in action.option_strings]
    return _cell(", ".join(names) or f"`{value}`")


def _value(action: argparse.Action) -> str:
    if action.metavar is not None:
        return action.metavar if isinstance(action.metavar, str) else " ".join(action.metavar)
    return "|".join(map(str, action.choices)) if action.choices else action.dest.upper()


def _meaning(action: argparse.Action) -> str:
    text = " ".join((action.help or "").replace("%%", "%").split())
    required = " **Required.**" if action.option_strings and action.required else ""
    text = _cell(text.replace("*", "\\*").replace("<", "&lt;") + required)
    return re.sub(r"docs/(\w+\.md)", r"[\1](../../\1)", text)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _is_help(action: argparse.Action) -> bool:
    return isinstance(action, argparse._HelpAction)


def _choices(action: argparse.Action) -> bool:
    return isinstance(action, argparse._SubParsersAction)


def _commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the subcommands of a parser by name."""
    return {
        name: command
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for name, command in action.choices.items()
    }
