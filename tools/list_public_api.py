"""Write tests/public_api.txt: every public name with its parameters, one a line.

    python tools/list_public_api.py

docs/public_api.md says what is promised of them; tests/test_public_names.py compares. Types and
values of defaults are left out: a parameter that may be omitted ends with `=`.
"""

from __future__ import annotations

import argparse
import dataclasses
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from captious.cli.main import COMMANDS, make_parser
from captious.metrics.declarations import GROUPS, METRICS

LISTING = Path(__file__).resolve().parents[1] / "tests" / "public_api.txt"
MODULES = (
    "captious",
    "captious.integrations",
    "captious.meta",
    "captious.pregen",
    "captious.reward",
    "captious.signature",
)
# Listed by name only: the base class is in an optional package.
NAME_ONLY = {"captious.integrations.CaptionMetric"}
# Methods for rendering as a table, which are internal.
TABLE_METHODS = {
    "as_tables",
    "brief",
    "formats_with_notes",
    "notes_above",
    "notes_below",
    "render_tables",
}


def list_lines() -> list[str]:
    """Return all lines of the listing."""
    python = [line for name in MODULES for line in _list_module(import_module(name))]
    return [*python, *_list_metrics(), *_list_commands()]


def _list_module(module: ModuleType) -> Iterator[str]:
    for name in sorted(module.__all__):
        path = f"{module.__name__}.{name}"
        value = None if path in NAME_ONLY else getattr(module, name)
        if isinstance(value, type):
            yield from _list_class(path, value)
        else:
            yield path + (_format_parameters(value) if inspect.isroutine(value) else "")


def _list_class(path: str, kind: type) -> Iterator[str]:
    yield path + ("" if issubclass(kind, BaseException) else _format_parameters(kind))
    own_bases = [base for base in kind.__mro__ if base.__module__.startswith("captious.")]
    members = {name for base in own_bases for name in vars(base)}
    if dataclasses.is_dataclass(kind):
        members |= {field.name for field in dataclasses.fields(kind)}
    for name in sorted(members - TABLE_METHODS):
        if name.startswith("_") and name != "__call__":
            continue
        value = inspect.getattr_static(kind, name, None)
        value = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
        yield f"{path}.{name}" + (_format_parameters(value) if inspect.isfunction(value) else "")


def _format_parameters(function: Any) -> str:
    """Return the names of parameters in order, written as in a call."""
    words: list[str] = []
    kinds = inspect.Parameter
    stars: dict[Any, str] = {kinds.VAR_POSITIONAL: "*", kinds.VAR_KEYWORD: "**"}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in ("self", "cls") or parameter.name.startswith("_"):
            continue
        if parameter.kind is kinds.KEYWORD_ONLY and not any(word.startswith("*") for word in words):
            words.append("*")
        omitted = "=" * (parameter.default is not kinds.empty)
        words.append(f"{stars.get(parameter.kind, '')}{parameter.name}{omitted}")
    return f"({', '.join(words)})"


def _list_metrics() -> Iterator[str]:
    """Yield metric addresses: names, parameters and columns of scores."""
    for group, members in GROUPS.items():
        yield f"group {group}: {' '.join(members)}"
    for name, metric in METRICS.items():
        parameters = ", ".join(sorted(metric.parameters()))
        yield f"metric {name}({parameters}): {' '.join(metric.columns)}"


def _list_commands(parser: argparse.ArgumentParser | None = None) -> Iterator[str]:
    """Yield commands with their arguments and options."""
    parser = parser or make_parser(*COMMANDS)
    words = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from _list_commands(child)
        elif action.help != argparse.SUPPRESS:
            words.append(" ".join(action.option_strings) or str(action.metavar or action.dest))
    yield f"command {parser.prog}: {', '.join(sorted(words))}"


def main() -> None:
    """Write the file."""
    LISTING.write_text("\n".join(list_lines()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
