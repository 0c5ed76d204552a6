"""Canvas: an empty figure in the style of all plots, which becomes a file once it is drawn."""

from __future__ import annotations

import importlib.util
import io
import math
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from captious.errors import InputError, MissingDependencyError, escape_control_chars
from captious.io.atomic_files import atomic_write, check_writable
from captious.io.output_tables import format_decimals

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

KINDS = (".png", ".svg")
DPI = 150
FONT_SIZE = 9.0
TITLE_SIZE = 10.5
INK, QUIET, EDGE, GRID = "#222222", "#666666", "#999999", "#dddddd"

STYLE: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": EDGE,
    "axes.grid.axis": "y",
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": FONT_SIZE + 0.5,
    "figure.dpi": DPI,
    "figure.labelsize": FONT_SIZE,
    "figure.titlesize": TITLE_SIZE,
    "font.size": FONT_SIZE,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "legend.fontsize": FONT_SIZE,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "savefig.dpi": DPI,
    "svg.fonttype": "none",  # text as text, which can be searched and read aloud
    "svg.hashsalt": "captious",  # equal data give equal files
    "text.color": INK,
    "text.parse_math": False,  # a dollar in a name is a dollar
    "xtick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.color": QUIET,
    "ytick.labelcolor": INK,
}


def plot_kind(path: str | Path) -> str:
    """Return the suffix of a plot's file; raise InputError if plots have no such format."""
    kind = Path(path).suffix.lower()
    if kind not in KINDS:
        raise InputError(f"{path}: plots are written as {' or '.join(KINDS)}; name such a file")
    return kind


def check_can_draw() -> None:
    """Raise MissingDependencyError if matplotlib is not installed."""
    if importlib.util.find_spec("matplotlib") is None:
        raise MissingDependencyError("plots need matplotlib: pip install 'captious[plot]'")


@contextmanager
def figure_for(
    path: str | Path,
    width: float,
    height: float,
    title: str = "",
    labels: tuple[str | None, str | None] = (None, None),
) -> Iterator[Figure]:
    """Yield an empty figure (size in inches), saved when the block ends without an error.

    `title` stands at the left, in as many lines as the width asks for; `labels` are one for the x
    axes of all panels and one for their y axes.
    """
    kind = plot_kind(path)
    check_can_draw()
    import matplotlib.style
    from matplotlib.figure import Figure

    check_writable(path)
    # The defaults come first, so that the user's own settings do not mix with ours. A figure made
    # without pyplot is registered nowhere, and is drawn by Agg or as SVG, whatever the backend.
    with matplotlib.style.context(["default", STYLE]):
        figure = Figure((width, height), layout="constrained")
        below, beside = labels
        if below is not None:
            figure.supxlabel(_wrap_text(figure, below, FONT_SIZE))
        if beside is not None:
            figure.supylabel(beside)
        if title:
            lines = [_wrap_text(figure, line, TITLE_SIZE) for line in title.splitlines()]
            figure.suptitle("\n".join(lines), x=0.01, horizontalalignment="left")
        yield figure
        with atomic_write(path) as stream:
            drawn = io.BytesIO()
            # A date would make every file another.
            metadata = {"Date": None} if kind == ".svg" else None
            figure.savefig(drawn, format=kind[1:], metadata=metadata)
            content = drawn.getvalue()
            if kind == ".svg":  # a name's control characters are no XML, and matplotlib keeps them
                content = escape_control_chars(content.decode("utf-8"), "\n\r\t").encode("utf-8")
            stream.write(content)


def shorten(name: str, most: int) -> str:
    """Cut a name that is longer than `most` letters."""
    return name if len(name) <= most else f"{name[: most - 1]}…"


def format_number(value: float) -> str:
    """Format a number as plots show it; NaN is `undefined`."""
    return "undefined" if math.isnan(value) else format_decimals(value, 3)


def _wrap_text(figure: Figure, text: str, size: float) -> str:
    """Wrap text to the figure's width; letters are about 0.56 of their size wide."""
    return textwrap.fill(text, int(figure.get_figwidth() * 72 / (size * 0.56)))


@contextmanager
def panels_for(
    path: str | Path,
    count: int,
    columns: int,
    size: tuple[float, float],
    title: str,
    labels: tuple[str | None, str | None],
    *,
    rest: float = 0.0,
    share_y: bool = False,
) -> Iterator[tuple[Figure, list[Axes]]]:
    """Yield a figure of `count` panels in rows, which share one x axis.

    `size` is a panel's width and height, `rest` the height of all that is no panel (inches).
    """
    rows = -(-count // columns)
    with figure_for(path, size[0] * columns, size[1] * rows + rest, title, labels) as figure:
        grid = figure.subplots(rows, columns, sharex=True, sharey=share_y, squeeze=False)
        axes: list[Axes] = list(grid.flat)
        for spare in axes[count:]:
            spare.remove()
        for place, panel in enumerate(axes[:count]):
            panel.tick_params(labelbottom=place + columns >= count)
        yield figure, axes[:count]
