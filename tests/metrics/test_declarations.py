"""The table of declarations repeats what classes say, so that no module need be imported."""

from __future__ import annotations

from dataclasses import is_dataclass

import pytest

from captious.metrics.base import Metric
from captious.metrics.declarations import FEATURE_GROUPS, GROUPS, METRICS, MetricDeclaration

LEARNED = ("captious.metrics.learned.", "captious.metrics.leic.")


@pytest.mark.parametrize("declared", METRICS.declared, ids=lambda each: str(each.name))
def test_declaration_equals_class(declared: MetricDeclaration) -> None:
    metric_class = declared.kind
    assert issubclass(metric_class, Metric) and is_dataclass(metric_class)
    assert declared.name == metric_class.name
    assert declared.columns == metric_class.columns
    assert declared.requires == metric_class.requires
    assert declared.needs_images == metric_class.needs_images
    assert declared.is_learned == metric_class.__module__.startswith(LEARNED)


@pytest.mark.parametrize("declared", METRICS.declared, ids=lambda each: str(each.name))
def test_every_parameter_is_described(declared: MetricDeclaration) -> None:
    for parameter in declared.kind.parameters().values():
        assert parameter.what and parameter.allowed


def test_names_and_columns_are_unique() -> None:
    columns = [column for each in METRICS.declared for column in each.columns]
    assert len(set(columns)) == len(columns)
    assert len(METRICS) == len(METRICS.declared)


@pytest.mark.parametrize("group", GROUPS)
def test_groups_contain_only_known_metrics(group: str) -> None:
    assert all(METRICS.of(member) for member in GROUPS[group])
    assert set(FEATURE_GROUPS) <= set(GROUPS)
