"""The leaderboard as tables above the samples: scores with intervals, ranks, and differences."""

from __future__ import annotations

from collections.abc import Sequence

from captious.leaderboards.leaderboard import LEVEL, Leaderboard, Standing
from captious.metrics.paper_names import paper_name
from captious.report.browser.contents import Board, Cell, Estimated
from captious.tables import decimals


def boards(leaderboard: Leaderboard) -> list[Board]:
    """All that it says; of one system alone, its scores."""
    labels = [paper_name(column).label for column in leaderboard.metrics]
    how = f"95 % confidence intervals; {leaderboard.draws()}"
    meanings = leaderboard.meanings()
    scores = Board(
        "Leaderboard",
        ["system", *labels],
        [
            [name, *(_score(leaderboard, each) for each in leaderboard.of(name))]
            for name in leaderboard.systems
        ],
        ". ".join(map(_sentence, [how, *meanings[:1]])),
    )
    if not leaderboard.is_contest:
        return [scores]
    ranks = [
        [cell if isinstance(cell, str) else cell.text for cell in row]
        for row in leaderboard.ranked().rows
    ]
    return [
        scores,
        Board("Ranks", ["system", *labels], ranks, ". ".join(map(_sentence, meanings[1:]))),
        _differences(leaderboard, labels),
    ]


def _score(leaderboard: Leaderboard, standing: Standing) -> Cell:
    text = f"{decimals(standing.score)} {standing.letters}".rstrip()
    estimated = Estimated(standing.score, *standing.interval)
    return Cell(text, leaderboard.is_best(standing), estimated)


def _differences(leaderboard: Leaderboard, labels: Sequence[str]) -> Board:
    rows: list[list[str | Cell]] = []
    for pair, p_holm in zip(leaderboard.differences, leaderboard.p_holm, strict=True):
        one, other = pair.systems
        cells = [
            Cell(
                f"{row.difference:+.4f}{' *' if p < LEVEL else ''}",
                estimated=Estimated(row.difference, *row.interval),
            )
            for row, p in zip(pair.rows, p_holm, strict=True)
        ]
        rows.append([other, one, *cells])
    caption = (
        "The first system's scores less the second's, with 95 % confidence intervals; "
        f"* significant at {LEVEL * 100:g} % by the test that gives the letters"
    )
    return Board("Differences", ["system", "less", *labels], rows, caption, texts=2)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
