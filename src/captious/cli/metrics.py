"""captious metrics: what there is, and what each metric takes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from captious.catalogue import GROUPS, METRICS
from captious.cli.output import add_output_options, print_table

if TYPE_CHECKING:
    from argparse import _SubParsersAction


def add_parser(commands: _SubParsersAction[Any]) -> None:
    """Declare the command."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "metrics", help="list the metrics", description="List the metrics and groups of metrics."
    )
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Print one row a metric."""
    data: list[dict[str, Any]] = [
        {
            "metric": metric.name,
            "columns": list(metric.columns),
            "range": list(metric.bounds),
            "options": list(metric.option_names()),
            "groups": [
                group
                for group, names in GROUPS.items()
                if not {metric.name, *metric.columns}.isdisjoint(names)
            ],
            "description": metric.description,
        }
        for metric in METRICS.values()
    ]
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


def _range_of_names(columns: list[str]) -> str:
    return columns[0] if len(columns) == 1 else f"{columns[0]} ... {columns[-1]}"
