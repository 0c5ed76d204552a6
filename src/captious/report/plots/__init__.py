"""Plots of meta-evaluation, as PNG or SVG by the file's suffix, where matplotlib is installed.

Matplotlib is loaded when the first plot is drawn. Its global state stays as it is, and a user's own
settings do not change how a plot looks.
"""

from captious.report.plots.bars import AgreementBar, plot_agreement
from captious.report.plots.by_references import Point, plot_by_references
from captious.report.plots.robustness import plot_robustness
from captious.report.plots.scatter import plot_scatter

__all__ = [
    "AgreementBar",
    "Point",
    "plot_agreement",
    "plot_by_references",
    "plot_robustness",
    "plot_scatter",
]
