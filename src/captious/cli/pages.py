"""Pages about systems, as several commands write them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from captious.cli.image_options import ignore_image_size_warnings
from captious.cli.output import note, typed_command
from captious.errors import format_count
from captious.report.systems.report_data import ReportOptions
from captious.report.systems.writing import write_contents
from captious.result import Result


def write_systems(
    options: argparse.Namespace, path: str, results: Mapping[str, Result], wanted: ReportOptions
) -> str:
    """Write the page, say what it lacks, and tell where it is and how large."""
    ignore_image_size_warnings()
    commands = [typed_command(options)]
    contents = write_contents(path, results, replace(wanted, commands=commands))
    for remark in contents.made.notes:
        note(options, remark)
    samples, systems = len(contents.ids), len(contents.series)
    made = f"{format_count(samples, 'sample')} of {format_count(systems, 'system')}"
    size = Path(path).stat().st_size / 1e6
    return f"{path}: {made}, {size:.1f} MB; open it in a browser"
