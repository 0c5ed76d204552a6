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
# Of a class that derives from another package's, the name alone: it cannot be had without that.
NAMES_ALONE = {"captious.integrations.CaptionMetric"}
# How a thing becomes a table, which only this package needs to know.
FOR_TABLES = {
    "as_tables",
    "brief",
    "formats_with_notes",
    "notes_above",
    "notes_below",
    "render_tables",
}


def listing() -> list[str]:
    """All lines."""
    python = [line for name in MODULES for line in _of_module(import_module(name))]
    return [*python, *_metrics(), *_commands()]


def _of_module(module: ModuleType) -> Iterator[str]:
    for name in sorted(module.__all__):
        path = f"{module.__name__}.{name}"
        value = None if path in NAMES_ALONE else getattr(module, name)
        if isinstance(value, type):
            yield from _of_class(path, value)
        else:
            yield path + (_parameters(value) if inspect.isroutine(value) else "")


def _of_class(path: str, kind: type) -> Iterator[str]:
    yield path + ("" if issubclass(kind, BaseException) else _parameters(kind))
    ours = [base for base in kind.__mro__ if base.__module__.startswith("captious.")]
    members = {name for base in ours for name in vars(base)}
    if dataclasses.is_dataclass(kind):
        members |= {each.name for each in dataclasses.fields(kind)}
    for name in sorted(members - FOR_TABLES):
        if name.startswith("_") and name != "__call__":
            continue
        value = inspect.getattr_static(kind, name, None)
        value = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
        yield f"{path}.{name}" + (_parameters(value) if inspect.isfunction(value) else "")


def _parameters(function: Any) -> str:
    """Names in their order, as a call has them."""
    words: list[str] = []
    kinds = inspect.Parameter
    marks: dict[Any, str] = {kinds.VAR_POSITIONAL: "*", kinds.VAR_KEYWORD: "**"}
    for each in inspect.signature(function).parameters.values():
        if each.name in ("self", "cls") or each.name.startswith("_"):
            continue
        if each.kind is kinds.KEYWORD_ONLY and not any(word.startswith("*") for word in words):
            words.append("*")
        omitted = "=" * (each.default is not kinds.empty)
        words.append(f"{marks.get(each.kind, '')}{each.name}{omitted}")
    return f"({', '.join(words)})"


def _metrics() -> Iterator[str]:
    """Addresses: what metrics are called, their parameters, and their columns of scores."""
    for group, members in GROUPS.items():
        yield f"group {group}: {' '.join(members)}"
    for name, metric in METRICS.items():
        parameters = ", ".join(sorted(metric.parameters()))
        yield f"metric {name}({parameters}): {' '.join(metric.columns)}"


def _commands(parser: argparse.ArgumentParser | None = None) -> Iterator[str]:
    """What is typed: commands, what they are given, their options."""
    parser = parser or make_parser(*COMMANDS)
    words = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from _commands(child)
        elif action.help != argparse.SUPPRESS:
            words.append(" ".join(action.option_strings) or str(action.metavar or action.dest))
    yield f"command {parser.prog}: {', '.join(sorted(words))}"


def main() -> None:
    """Write the file."""
    LISTING.write_text("\n".join(listing()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
