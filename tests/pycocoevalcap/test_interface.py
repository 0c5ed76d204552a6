"""Every public name of pycocoevalcap 1.2 is there, with its arguments in their order."""

from __future__ import annotations

import importlib
import inspect
import json
from typing import Any

import pytest

from captious.pycocoevalcap.coco import COCO
from tests.pycocoevalcap.interface import KEPT, PACKAGE, Function, installed, interface

TOOLKIT: dict[str, Any] = json.loads(KEPT.read_text("utf-8"))
SCRIPTS = {"example.coco_eval_example"}  # run, not imported
# Names of Java archives and of folders for them, for which there is no use here.
NOT_OFFERED = {
    "METEOR_JAR", "STANFORD_CORENLP_3_4_1_JAR", "SPICE_JAR", "TEMP_DIR", "CACHE_DIR",
    "CORENLP", "SPICELIB", "JAR", "SPICEDIR",
}  # fmt: skip
ARGUMENTS = {
    "cider.cider.Cider": {}, "eval.COCOEvalCap": {"coco": COCO(), "cocoRes": COCO()},
}  # fmt: skip


def ours(module: str) -> Any:
    return importlib.import_module(f"captious.pycocoevalcap.{module}")


def assert_takes(function: Any, expected: Function, where: str) -> None:
    """Our arguments begin with the toolkit's, and none beyond them must be given."""
    parameters = [
        each
        for each in inspect.signature(function).parameters.values()
        if each.name != "self" and each.kind is each.POSITIONAL_OR_KEYWORD
    ]
    names = [each.name + "=" * (each.default is not inspect.Parameter.empty) for each in parameters]
    assert names[: len(expected)] == expected, where
    assert all(name.endswith("=") for name in names[len(expected) :]), where


@pytest.mark.skipif(installed() is None, reason="needs pycocoevalcap")
def test_the_list_is_the_installed_toolkits() -> None:
    folder = installed()
    assert folder is not None
    assert folder.name == PACKAGE
    assert interface(folder) == TOOLKIT


@pytest.mark.parametrize("module", sorted(set(TOOLKIT) - SCRIPTS))
def test_every_name_is_there(module: str) -> None:
    theirs, here = TOOLKIT[module], ours(module)
    for name, arguments in theirs["functions"].items():
        assert_takes(getattr(here, name), arguments, f"{module}.{name}")
    for name, members in theirs["classes"].items():
        kind = getattr(here, name)
        for method, arguments in members["methods"].items():
            if method == "__init__" and not arguments:
                kind()
            else:
                assert_takes(getattr(kind, method), arguments, f"{module}.{name}.{method}")
        made = kind(**ARGUMENTS.get(f"{module}.{name}", {}))
        missing = [each for each in members["attributes"] if not hasattr(made, each)]
        assert not missing, f"{module}.{name}"
    for name in {*theirs["constants"], *theirs["imported"]} - NOT_OFFERED:
        assert name.startswith("__") or hasattr(here, name), f"{module}.{name}"


def test_the_evaluation_exports_the_toolkits_classes() -> None:
    here = ours("eval")
    for name in ("Bleu", "Meteor", "Rouge", "Cider", "Spice", "PTBTokenizer"):
        assert getattr(here, name).__module__.startswith("captious.pycocoevalcap.")


def test_coco_has_what_pycocotools_has_for_captions() -> None:
    theirs = pytest.importorskip("pycocotools.coco").COCO
    masks = {"annToMask", "annToRLE", "download", "loadNumpyAnnotations"}
    for name, member in vars(theirs).items():
        if callable(member) and not name.startswith("_") and name not in masks:
            arguments = inspect.signature(member).parameters
            assert list(inspect.signature(getattr(COCO, name)).parameters) == list(arguments), name
