"""The public interface of a package, read from its source: what existing code may touch.

`python -m tests.pycocoevalcap.interface` writes that of the installed pycocoevalcap beside it.
"""

from __future__ import annotations

import ast
import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

KEPT = Path(__file__).with_name("toolkit_interface.json")
PACKAGE = "pycocoevalcap"

Function = list[str]  # its arguments in order; with "=" behind those that need not be given
Module = dict[str, Any]


def interface(folder: Path) -> dict[str, Module]:
    """Every module's functions, classes and constants; a class has methods and attributes."""
    modules = {}
    for path in sorted(folder.rglob("*.py")):
        name = ".".join(path.relative_to(folder).with_suffix("").parts)
        if not name.endswith("__init__"):
            modules[name] = _module(ast.parse(path.read_text(encoding="utf-8")))
    return modules


def installed() -> Path | None:
    """The folder of the installed toolkit."""
    found = importlib.util.find_spec(PACKAGE)
    places = list(found.submodule_search_locations or []) if found else []
    return Path(places[0]) if places else None


def _module(tree: ast.Module) -> Module:
    return {
        "functions": {each.name: _arguments(each) for each in _public(tree, ast.FunctionDef)},
        "classes": {
            each.name: {
                "methods": {
                    method.name: _arguments(method) for method in _public(each, ast.FunctionDef)
                },
                "attributes": sorted(set(_attributes(each))),
            }
            for each in _public(tree, ast.ClassDef)
        },
        "constants": sorted(
            target.id
            for each in tree.body
            if isinstance(each, ast.Assign)
            for target in each.targets
            if isinstance(target, ast.Name) and not target.id.startswith("_")
        ),
        "imported": sorted(
            name.name
            for each in tree.body
            if isinstance(each, ast.ImportFrom) and each.level
            for name in each.names
        ),
    }


def _public(of: ast.Module | ast.ClassDef, kind: Any) -> Iterator[Any]:
    """Definitions whose names do not begin with an underscore, and `__init__` and operators."""
    for each in of.body:
        if isinstance(each, kind) and (
            not each.name.startswith("_") or each.name in ("__init__", "__iadd__")
        ):
            yield each


def _arguments(function: ast.FunctionDef) -> Function:
    names = [argument.arg for argument in function.args.args if argument.arg != "self"]
    optional = len(function.args.defaults)
    return [name + "=" * (place >= len(names) - optional) for place, name in enumerate(names)]


def _attributes(of: ast.ClassDef) -> Iterator[str]:
    for node in ast.walk(of):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
            and not node.attr.startswith("_")
        ):
            yield node.attr


if __name__ == "__main__":
    place = installed()
    if place is None:
        raise SystemExit("pycocoevalcap is not installed: pip install pycocoevalcap==1.2")
    KEPT.write_text(json.dumps(interface(place), indent=1, sort_keys=True) + "\n", "utf-8")
