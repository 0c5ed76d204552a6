"""The loops from their sources, whatever is compiled, and how to score with them."""

import importlib
import importlib.util
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from captious._internal.loops import LOOPS

Loops = Mapping[str, ModuleType]


@cache
def usual_loops() -> Loops:
    """Every loop as the package has it: compiled where there was a compiler."""
    return {name: importlib.import_module(f"captious._internal.loops.{name}") for name in LOOPS}


@cache
def plain_loops() -> Loops:
    """Every loop as plain Python; where one uses another, that one is plain, too."""
    loops: dict[str, ModuleType] = {}
    with pytest.MonkeyPatch.context() as patch:
        for name, usual in usual_loops().items():
            _load(name, usual, loops, patch)
    return loops


def _load(
    name: str, usual: ModuleType, loops: dict[str, ModuleType], patch: pytest.MonkeyPatch
) -> None:
    """Load a loop, after those that its source imports."""
    if name in loops:
        return
    source = Path(str(usual.__file__)).parent / f"{name}.py"
    for other in LOOPS:
        if f"from captious._internal.loops.{other} import" in source.read_text(encoding="utf-8"):
            _load(other, usual_loops()[other], loops, patch)
    spec = importlib.util.spec_from_file_location(f"uncompiled_{name}", source)
    assert spec is not None
    assert spec.loader is not None
    loops[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loops[name])
    patch.setitem(sys.modules, usual.__name__, loops[name])


def uncompiled(module: ModuleType) -> ModuleType:
    """The same loop as plain Python."""
    return plain_loops()[module.__name__.rpartition(".")[2]]


@contextmanager
def in_use(loops: Loops) -> Iterator[None]:
    """Let the whole package call these loops: they get the very arrays that it makes for them."""
    with pytest.MonkeyPatch.context() as patch:
        for name, usual in usual_loops().items():
            if loops[name] is usual:
                continue
            for caller in [*sys.modules.values()]:
                for called, thing in [*vars(caller).items()] if _is_caller(caller) else []:
                    if getattr(thing, "__module__", None) == usual.__name__:
                        patch.setattr(caller, called, getattr(loops[name], called))
        yield


def _is_caller(module: ModuleType) -> bool:
    name = getattr(module, "__name__", "")
    return name.startswith("captious.") and not name.startswith("captious._internal.loops")
