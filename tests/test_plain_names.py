"""Names and docstrings use the words that a reader would search for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

from tests.places import ROOT

PACKAGE = ROOT / "src" / "captious"

# A participle says neither who does something nor that it is done now: a function is a verb, a
# class a noun.
PARTICIPLES = {"asked", "claimed", "foretold", "gathered", "heard", "kept", "made", "poured"}
PARTICIPLES |= {"guarded", "looked", "noted", "opened", "raised", "reached", "recognized"}
PARTICIPLES |= {
    "rendered",
    "restored",
    "said",
    "shown",
    "sifted",
    "tabled",
    "taken",
    "told",
    "tried",
}
PARTICIPLES |= {"tried", "unguarded", "worked"}
# A limit is called MAX_ or MIN_, a time-out TIMEOUT with its unit.
CONSTANT = re.compile(r"_?(?:(?:MOST|FEWEST|LEAST|WORTH)(?:_|$)|PATIENCE$)")
INDEFINITE = re.compile(r"\b(?:whoever|somebody|anybody|nobody)\b", re.IGNORECASE)
Documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
Named = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def problems(tree: ast.Module) -> Iterator[str]:
    """Yield each name and first line of a docstring that is not plain."""
    for node in ast.walk(tree):
        if isinstance(node, Documented):
            first_line = (ast.get_docstring(node) or "").partition("\n")[0]
            if INDEFINITE.search(first_line):
                yield first_line
        if isinstance(node, Named) and first_word(node.name) in PARTICIPLES:
            yield node.name
    assignments = (node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign))
    for node in chain.from_iterable(map(ast.walk, assignments)):
        is_name = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        if is_name and CONSTANT.match(ast.unparse(node)):
            yield ast.unparse(node)


def first_word(name: str) -> str:
    """The first word of a name in snake case or camel case, in lower case."""
    return re.split(r"_|(?<=[a-z])(?=[A-Z])", name.lstrip("_"))[0].lower()


def problems_in(path: Path) -> list[str]:
    """All problems of a module or of the modules of a package, with their places."""
    found = []
    for module in [path] if path.is_file() else sorted(path.rglob("*.py")):
        place = module.relative_to(ROOT).as_posix()
        tree = ast.parse(module.read_text(encoding="utf-8"))
        found += [f"{place}: {problem}" for problem in problems(tree)]
        if first_word(module.stem) in PARTICIPLES:
            found.append(f"{place}: the module's name")
    return found


PATHS = [
    path for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
]
PATHS += [ROOT / "tools", ROOT / "benchmarks", ROOT / "tests" / "fuzz", ROOT / "tests" / "kills"]


@pytest.mark.parametrize("path", sorted(PATHS), ids=lambda path: path.name)
def test_names_and_docstrings_are_plain(path: Path) -> None:
    found = problems_in(path)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "source",
    [
        "def told_to(): ...",
        "class KeptStates: ...",
        "class A:\n    def _said(self): ...",
        "MOST_BYTES = 1",
        "_FEWEST: int = 3",
        "PATIENCE, OTHER = 1, 2",
        '"""What nobody reads."""',
        'def score():\n    """Score for whoever asks.\n\n    More.\n    """',
    ],
)
def test_quaint_words_are_found(source: str) -> None:
    assert len(list(problems(ast.parse(source)))) == 1


@pytest.mark.parametrize("source", ["def makes(): ...", "ALMOST_ALL = 1", "def f():\n    MOST = 1"])
def test_plain_words_are_accepted(source: str) -> None:
    assert not list(problems(ast.parse(source)))
