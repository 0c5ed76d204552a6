"""captious metrics: what there is, and what each metric takes."""

from __future__ import annotations

import argparse
from dataclasses import MISSING
from pathlib import Path
from typing import Any

from captious.cli.options import Add
from captious.cli.output import print_table
from captious.metrics.base import Metric
from captious.registry import GROUPS, METRICS, metric_named
from captious.signature import Address

DESCRIPTION = "List the metrics, those of a group, or the parameters of one metric."
EXAMPLES = """examples:
  captious metrics
  captious metrics coco
  captious metrics cider_d
  captious score captions.jsonl --metrics "cider_d(sigma=4),mine.npz,mine.py:overlap"
"""


def declare(add: Add) -> None:
    """Add the arguments."""
    add("name", "a metric or a column, however it is named, or a group", nargs="?", metavar="NAME")


def run(options: argparse.Namespace) -> None:
    """Print one row a metric, or one row a parameter."""
    if options.name is None or options.name in GROUPS:
        _print_metrics(options)
    else:
        _print_parameters(options, metric_named(Address.parse(options.name)))


def _print_metrics(options: argparse.Namespace) -> None:
    every = map(_described, METRICS.values())
    data = [row for row in every if options.name is None or options.name in row["groups"]]
    rows = [
        [
            row["metric"],
            _range_of_names(row["columns"]),
            "{:g} to {:g}".format(*row["range"]),
            ", ".join(row["options"]) or "-",
            ", ".join(row["groups"]),
            row["description"],
        ]
        for row in data
    ]
    header = ["metric", "columns", "range", "options", "groups", "what it is"]
    print_table(options.format, header, rows, {"metrics": data}, len(header))


def _print_parameters(options: argparse.Namespace, metric: Metric | type[Metric]) -> None:
    data = [
        {
            "parameter": parameter.name,
            "default": _default(parameter.default),
            "allowed": parameter.allowed,
            "description": parameter.what,
        }
        for parameter in metric.parameters().values()
    ]
    rows = [[str(cell) for cell in row.values()] for row in data]
    header = ["parameter", "default", "what it may be", "what it is"]
    described = {**_described(metric), "parameters": data}
    print_table(options.format, header, rows, described, len(header))


def _described(metric: Metric | type[Metric]) -> dict[str, Any]:
    return {
        "metric": metric.name,
        "columns": list(metric.columns),
        "range": list(metric.bounds),
        "options": list(metric.parameters()),
        "groups": [
            group
            for group, names in GROUPS.items()
            if not {metric.name, *metric.columns}.isdisjoint(names)
        ],
        "description": metric.description,
    }


def _default(value: Any) -> Any:
    """A default as it is written: a file that ships by its name alone."""
    if value is MISSING:
        return "must be given"
    return value.stem if isinstance(value, Path) else value


def _range_of_names(columns: list[str]) -> str:
    return columns[0] if len(columns) == 1 else f"{columns[0]} ... {columns[-1]}"
