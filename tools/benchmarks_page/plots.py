"""The plots of the page: how time and memory grow with the number of captions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from captious.report.plots.canvas import check_can_draw, figure_for
from captious.report.plots.curve_styles import curve_marker, curve_style


class Curve(NamedTuple):
    """The measurements of one program, to be drawn as a curve."""

    name: str
    x: Sequence[float]
    y: Sequence[float]


def draw(path: Path, title: str, labels: tuple[str, str], curves: Sequence[Curve]) -> None:
    """Draw curves over numbers of captions; seconds on a log axis, all else from 0 up."""
    check_can_draw()
    from matplotlib.ticker import NullFormatter, StrMethodFormatter

    with figure_for(path, 6.0, 3.6, title) as figure:
        axes = figure.subplots()
        for number, curve in enumerate(curves):
            style = {**curve_style(number), "marker": curve_marker(number), "label": curve.name}
            axes.plot(curve.x, curve.y, **style)
        axes.set_xlabel(labels[0])
        axes.set_ylabel(labels[1])
        axes.set_xscale("log")
        axes.set_xticks(sorted({x for curve in curves for x in curve.x}))
        if labels[1] == "seconds":
            axes.set_yscale("log")
        else:
            axes.set_ylim(bottom=0)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(StrMethodFormatter("{x:,g}"))
            axis.set_minor_formatter(NullFormatter())
        axes.grid(visible=True)
        axes.legend()
