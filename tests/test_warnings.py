"""Warnings point at the caller's line, and are given once for that line."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import captious
from captious.errors import CaptiousWarning, warn
from captious.integrations import BatchScorer, CaptionReward
from captious.reward import Reward
from tests.places import ROOT

FEW = (["a dog", "a cat"], [["a dog"], ["a cat"]])
LOOP = """
import captious
def scored():
    captious.score(["a dog", "a cat"], [["a dog"], ["a cat"]], ["cider_d", "spider"])
for _ in range(3):
    scored()
"""


def line_here() -> int:
    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    return frame.f_back.f_lineno


def test_a_warning_points_at_the_caller() -> None:
    with pytest.warns(CaptiousWarning) as said:
        line = line_here() + 1
        captious.score(*FEW, metrics=["cider_d"])
        scorer_line = line_here() + 1
        captious.Scorer(FEW[1], ["cider_d"])
    places = [(Path(each.filename), each.lineno) for each in said]
    assert places == [(Path(__file__), line), (Path(__file__), scorer_line)]


def test_a_warning_of_a_comparison_points_at_the_caller() -> None:
    a = captious.score(*FEW, metrics=["cider_d"], df="coco-val2014")
    b = captious.score(*FEW, metrics=["cider_d(sigma=4)"], df="coco-val2014")
    with pytest.warns(CaptiousWarning, match="scored differently") as said:
        line = line_here() + 1
        captious.compare(a, b)
    assert [(Path(each.filename), each.lineno) for each in said] == [(Path(__file__), line)]


@pytest.mark.slow
def test_a_warning_comes_once_for_a_line_however_often_it_is_reached() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOOP], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stderr.count("CaptiousWarning: cider_d") == 1, done.stderr
    assert "<string>:4" in done.stderr


@pytest.mark.slow
def test_numbers_that_change_make_no_new_warning() -> None:
    loop = """
import captious
for number in range(20, 24):
    captious.score([""] * number, [["a dog"]] * number, ["rouge_l"])
"""
    done = subprocess.run([sys.executable, "-c", loop], capture_output=True, text=True, check=True)
    assert done.stderr.count("CaptiousWarning") == 1, done.stderr


def test_outside_of_any_caller_it_is_no_error() -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        exec("warn('x')", {"warn": warn, "__name__": "captious.somewhere"})
    assert [str(each.message) for each in said] == ["x"]


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / "src").rglob("*.py")),
    ids=lambda path: path.relative_to(ROOT / "src").as_posix(),
)
def test_all_warnings_use_the_shared_function(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            assert not (node.func.attr == "warn" and ast.unparse(node.func.value) == "warnings")


@pytest.mark.parametrize(
    ("name", "said"),
    [("CIDEr", "CIDEr is read as cider_d"), ("Cider", "Cider is read as cider_d")],
)
def test_alternative_metric_names_give_a_warning(name: str, said: str) -> None:
    metric = f"{name}(df=coco-val2014)"
    makers: list[Callable[[], object]] = [
        lambda: captious.score(*FEW, metrics=metric),
        lambda: captious.Scorer(FEW[1], metric),
        lambda: Reward(FEW[1], metric, vocabulary=["a", "dog", "<end>"], end=2),
        lambda: BatchScorer(metric),
        lambda: CaptionReward(metric),
    ]
    for make in makers:
        with pytest.warns(CaptiousWarning, match=said) as warned:
            make()
        assert [Path(each.filename) for each in warned] == [Path(__file__)]


def test_internal_calls_give_no_warning() -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        line = line_here() + 1
        exec("warn('x')", {"warn": warn, "__name__": "torchmetrics.metric"})
    assert [(Path(each.filename), each.lineno) for each in said] == [(Path(__file__), line)]
