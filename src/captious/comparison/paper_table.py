"""A table as papers print it: LaTeX for the package booktabs, with notes below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from captious.errors import escape_control_chars
from captious.io.markup import Cell, escape_latex, render_cell
from captious.metrics.names import PaperName

MAX_METRICS_IN_COLUMN = 6  # of a page with two columns; more need its full width
_BREAKS = ("|", ",", ":", "(")  # after which a signature may continue in the next line


class Block(NamedTuple):
    """Rows of a paper's table, each a name and its scores, under a title if there are several."""

    rows: Mapping[str, Sequence[Cell]]
    title: str = ""


def score_cell(score: float, name: PaperName, *, best: bool = False, letters: str = "") -> Cell:
    """Format a score in the digits that papers print."""
    return Cell(f"{score * name.times:.{1 if name.times > 1 else 3}f}", best, letters)


def paper_table(
    names: Sequence[PaperName],
    blocks: Sequence[Block],
    caption: str,
    notes: Sequence[str],
    signatures: Sequence[str],
) -> str:
    """Return the table, ready to be pasted into a paper."""
    environment = "table" if len(names) <= MAX_METRICS_IN_COLUMN else "table*"
    lines = [
        rf"\begin{{{environment}}}",
        r"\centering",
        r"\small",
        r"\setlength{\tabcolsep}{4pt}",
        rf"\caption{{{_text(caption)}}}",
        rf"\begin{{tabular}}{{l{'r' * len(names)}}}",
        r"\toprule",
        " & ".join(["System", *(_text(name.label) for name in names)]) + r" \\",
    ]
    for block in blocks:
        lines.append(r"\midrule")
        if block.title:
            lines.append(
                rf"\multicolumn{{{len(names) + 1}}}{{l}}{{\emph{{{_text(block.title)}}}}} \\"
            )
        lines += _rows(block)
    lines += [
        r"\bottomrule",
        r"\end{tabular}",
        "",
        r"\smallskip",
        r"\begin{minipage}{\linewidth}",
        r"\footnotesize\raggedright",
        " ".join(map(_text, notes)),
        *(rf"\par\texttt{{{_escape_with_breaks(signature)}}}" for signature in signatures),
        r"\end{minipage}",
        rf"\end{{{environment}}}",
    ]
    return "\n".join(lines)


def _rows(block: Block) -> list[str]:
    """Rows of cells whose letters take equal room, so that numbers stand one above the other."""
    columns = zip(*block.rows.values(), strict=True)
    widest = [max((cell.raised for cell in column), key=len) for column in columns]
    return [
        " & ".join([_text(name), *(_cell(*each) for each in zip(cells, widest, strict=True))])
        + r" \\"
        for name, cells in block.rows.items()
    ]


def _cell(cell: Cell, widest: str) -> str:
    number = render_cell(Cell(cell.text, cell.strong), "latex")
    missing = widest[len(cell.raised) :]
    room = rf"\phantom{{{missing}}}" if missing else ""
    return rf"{number}\textsuperscript{{{cell.raised}{room}}}" if widest else number


def _text(text: str) -> str:
    return escape_latex(escape_control_chars(text))


def _escape_with_breaks(signature: str) -> str:
    """Escape a signature, which has no blanks, with places where its line may end."""
    return "".join(
        _text(letter) + (r"\allowbreak{}" if letter in _BREAKS else "") for letter in signature
    )
