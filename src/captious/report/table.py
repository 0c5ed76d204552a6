"""One table in any of the formats that every command offers."""

from __future__ import annotations

from collections.abc import Sequence

from tabulate import tabulate

from captious.errors import InputError

STYLES = {"text": "simple", "markdown": "github", "latex": "latex_booktabs"}
FORMATS = ("text", "json", "markdown", "latex")


def check_format(name: str) -> None:
    """Stop at a format that does not exist."""
    if name not in FORMATS:
        raise InputError(f"unknown format {name!r}; choose one of: {', '.join(FORMATS)}")


def render_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], format: str, numbers_from: int = 1
) -> str:
    """A table of ready-made cells; columns from `numbers_from` on are aligned to the right."""
    check_format(format)
    alignment = ["left"] * numbers_from + ["right"] * (len(header) - numbers_from)
    return tabulate(
        rows,
        header,
        tablefmt=STYLES[format],
        colalign=alignment if rows else None,
        disable_numparse=True,
    )


def decimals(value: float, digits: int = 4) -> str:
    """A number as tables show it."""
    return f"{value:.{digits}f}"
