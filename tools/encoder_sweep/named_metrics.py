"""Metrics with distinct names, so that several settings can be scored together."""

from __future__ import annotations

from captious.metrics.base import Metric


def create_named_metric(name: str, kind: type[Metric], **options: object) -> Metric:
    """Create a metric whose column names begin with the given name."""
    columns = (name, *(f"{name}{column.removeprefix(kind.name)}" for column in kind.columns[1:]))
    metric: Metric = type(name, (kind,), {"name": name, "columns": columns})(**options)
    return metric
