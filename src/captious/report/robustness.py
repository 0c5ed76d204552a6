"""Robustness as tables: accuracies of forced choices, areas under curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from captious.io.json_text import json_text
from captious.meta.robustness.decay import DecayRow
from captious.report.table import check_format, decimals, render_table

if TYPE_CHECKING:
    from captious.meta.robustness.evaluation import Robustness

TITLES = {
    "distractions": "distractions: accuracy in %, a tie one half",
    "pathological": "pathological: area under the normalised curve, lower is more robust",
    "gaming": "gaming: accuracy in %, a tie one half",
}


def render_robustness(result: Robustness, format: str) -> str:
    """A table for each kind, with average, worst case and the average's interval."""
    check_format(format)
    if format == "json":
        return json_text(result.to_dict(), indent=2)
    comment = "% " if format == "latex" else ""
    parts: list[str] = []
    for kind in dict.fromkeys(row.kind for row in result.rows):
        rows = [row for row in result.rows if row.kind == kind]
        shown: list[list[str]] = []
        for row in rows:
            values = row.auc if isinstance(row, DecayRow) else row.accuracy
            scale, digits = (1, 3) if isinstance(row, DecayRow) else (100, 1)
            low, high = (decimals(scale * bound, digits) for bound in row.interval["average"])
            cells = [decimals(scale * value, digits) for value in values.values()]
            shown.append([row.metric, *cells, f"{low} to {high}"])
        header = [name.replace("_", " ") for name in rows[0].interval]
        if not isinstance(rows[0], DecayRow):
            shown.append(["choices", *map(str, rows[0].n.values()), "", "", ""])
        table = render_table(["metric", *header, "95 % of average"], shown, format)
        parts.append(f"{comment}{TITLES[kind]}\n\n{table}")
    note = (
        f"{result.images} images, {result.captions} captions, each against the others of its "
        f"image; {result.resamples} resamples, seed {result.seed}"
    )
    return "\n\n".join([*parts, comment + note])
