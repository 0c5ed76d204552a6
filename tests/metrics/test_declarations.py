"""One table declares every metric: classes take their columns and requirements from it."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import is_dataclass

import pytest

import captious.metrics
from captious.metrics.base import Metric
from captious.metrics.bleu import Bleu
from captious.metrics.declarations import (
    FEATURE_GROUPS,
    GROUPS,
    METRICS,
    WEIGHTS_FILE_METRICS,
    MetricDeclaration,
    import_metric,
)
from captious.metrics.function import FunctionMetric
from captious.metrics.hallucination.things import KINDS
from captious.metrics.hwcm import LENGTHS
from captious.metrics.spice import CATEGORIES, Spice
from captious.text.ngrams import MAX_ORDER

LEARNED = ("captious.metrics.learned.", "captious.metrics.leic.")
ORDERS = range(1, MAX_ORDER + 1)
# Scores come in this order: columns must be named in it.
PARTS = {
    "bleu": [f"bleu_{order}" for order in ORDERS],
    "ngram_precision": [f"ngram_precision_{order}" for order in ORDERS],
    "hwcm": [f"hwcm_{length}" for length in LENGTHS],
    "hwcm_dep": [f"hwcm_dep_{length}" for length in LENGTHS],
    "spice": ["spice", *(f"spice_{category}" for category in CATEGORIES[1:])],
    "hallucination": ["hallucination", *(f"hallucination_{kind}" for kind in KINDS)],
}


def metric_classes() -> Iterator[type[Metric]]:
    """The classes of metrics in the package that can be created."""
    for module in pkgutil.walk_packages(captious.metrics.__path__, "captious.metrics."):
        members = vars(importlib.import_module(module.name)).values()
        for member in members:
            is_metric = inspect.isclass(member) and issubclass(member, Metric)
            if is_metric and member.__module__ == module.name and not inspect.isabstract(member):
                yield member


@pytest.mark.parametrize("declaration", METRICS.declarations, ids=lambda each: str(each.name))
def test_class_has_what_is_declared(declaration: MetricDeclaration) -> None:
    metric_class = declaration.kind
    assert issubclass(metric_class, Metric) and is_dataclass(metric_class)
    assert declaration.name == metric_class.name
    assert declaration.columns == metric_class.columns
    assert declaration.requires == metric_class.requires
    assert declaration.needs_images == metric_class.needs_images
    assert declaration.is_learned == metric_class.__module__.startswith(LEARNED)


@pytest.mark.parametrize("name", PARTS)
def test_columns_are_in_the_order_of_scores(name: str) -> None:
    assert list(METRICS[name].columns) == PARTS[name]


def test_every_metric_is_declared() -> None:
    declared = {*METRICS.values(), *(import_metric(each[1]) for each in WEIGHTS_FILE_METRICS)}
    named = {each for each in metric_classes() if hasattr(each, "name")}
    assert named - declared == set()
    assert FunctionMetric not in named  # named after its function


def test_spice_statistics_begin_with_the_scores() -> None:
    assert Spice.statistic_names[: len(CATEGORIES)] == Spice.columns


def test_own_metrics_declare_themselves() -> None:
    class Own(Bleu):
        name = "cider"
        columns = ("own",)

    assert Own.columns == ("own",)


def test_table_imports_no_metric() -> None:
    code = (
        "import sys; from captious.metrics.declarations import GROUPS; "
        "print(*(name for name in sys.modules if name.startswith('captious.metrics.')))"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    assert output.split() == [b"captious.metrics.declarations"]


@pytest.mark.parametrize("declaration", METRICS.declarations, ids=lambda each: str(each.name))
def test_every_parameter_is_described(declaration: MetricDeclaration) -> None:
    for parameter in declaration.kind.parameters().values():
        assert parameter.what and parameter.allowed


def test_names_and_columns_are_unique() -> None:
    columns = [column for each in METRICS.declarations for column in each.columns]
    assert len(set(columns)) == len(columns)
    assert len(METRICS) == len(METRICS.declarations)


@pytest.mark.parametrize("group", GROUPS)
def test_groups_contain_only_known_metrics(group: str) -> None:
    assert all(METRICS.find(member) for member in GROUPS[group])
    assert set(FEATURE_GROUPS) <= set(GROUPS)
