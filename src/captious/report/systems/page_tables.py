"""Tables of a report on systems: leaderboard, differences and diversity of captions."""

from __future__ import annotations

from collections.abc import Sequence

from captious.comparison.leaderboard import Leaderboard, Standing
from captious.comparison.paired_systems import LEVEL
from captious.diagnostics.diversity.diversity import Diversities
from captious.io.output_tables import OutputTable, format_decimals
from captious.metrics.names import DIVERSITY, paper_name
from captious.report.browser.contents import Cell, IntervalEstimate, PageTable


def page_tables(leaderboard: Leaderboard) -> list[PageTable]:
    """Return the leaderboard's tables; for a single system, its scores alone."""
    labels = [paper_name(column).label for column in leaderboard.metrics]
    how = f"95% confidence intervals; {leaderboard.draws()}"
    meanings = leaderboard.meanings()
    scores = PageTable(
        "Leaderboard",
        ["system", *labels],
        [
            [name, *(_score(leaderboard, each) for each in leaderboard.of(name))]
            for name in leaderboard.systems
        ],
        ". ".join(map(_sentence, [how, *meanings[:1], *leaderboard.warnings()])),
    )
    if not leaderboard.is_contest:
        return [scores]
    return [
        scores,
        _as_texts(leaderboard.ranked("ranks"), ". ".join(map(_sentence, meanings[1:])), labels),
        _differences(leaderboard, labels),
    ]


def diversity_tables(diversities: Diversities) -> list[PageTable]:
    """Return the tables of each system's diversity; notes stand below the first."""
    first, *others = diversities.as_tables()
    caption = ". ".join(map(_sentence, diversities.notes))
    return [_as_texts(first, caption), *map(_as_texts, others)]


def _as_texts(
    table: OutputTable, caption: str = "", labels: Sequence[str] | None = None
) -> PageTable:
    """Convert a text table, with other labels for its columns of numbers if given."""
    rows = [[cell if isinstance(cell, str) else cell.text for cell in row] for row in table.rows]
    header = table.header if labels is None else [*table.header[: table.texts], *labels]
    title = _sentence(table.title or DIVERSITY)
    return PageTable(title, list(header), rows, caption, table.texts)


def _score(leaderboard: Leaderboard, standing: Standing) -> Cell:
    text = f"{format_decimals(standing.score)} {standing.letters}".rstrip()
    estimated = IntervalEstimate(standing.score, *standing.interval)
    return Cell(text, leaderboard.is_best(standing), estimated)


def _differences(leaderboard: Leaderboard, labels: Sequence[str]) -> PageTable:
    rows: list[list[str | Cell]] = []
    for pair, p_holm in zip(leaderboard.differences, leaderboard.p_holm, strict=True):
        one, other = pair.systems
        cells = [
            Cell(
                f"{row.difference:+.4f}{' *' if p < LEVEL else ''}",
                estimated=IntervalEstimate(row.difference, *row.interval),
            )
            for row, p in zip(pair.rows, p_holm, strict=True)
        ]
        rows.append([other, one, *cells])
    caption = (
        "The first system's scores less the second's, with 95% confidence intervals; "
        f"* significant at {LEVEL * 100:g}% by the test that gives the letters"
    )
    return PageTable("Differences", ["system", "less", *labels], rows, caption, texts=2)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
