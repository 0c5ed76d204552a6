"""Metrics under names of their own, so that several settings are scored together."""

from __future__ import annotations

from captious.metrics.base import Metric


def with_name(name: str, kind: type[Metric], **options: object) -> Metric:
    """A metric whose columns begin with a name of its own."""
    columns = (name, *(f"{name}{column.removeprefix(kind.name)}" for column in kind.columns[1:]))
    metric: Metric = type(name, (kind,), {"name": name, "columns": columns})(**options)
    return metric
