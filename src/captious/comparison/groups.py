"""Scores by groups that the user names: domains, languages, sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from captious._internal.checks.arguments import check_arguments
from captious._internal.checks.bounds import Draws, Seed
from captious.comparison.leaderboard import Leaderboard, leaderboard
from captious.errors import InputError, format_count, short_repr
from captious.io.captions import NO_GROUP
from captious.io.output_tables import FORMATS, OutputTable, TabularResult
from captious.result import Result
from captious.stats.bootstrap import SEED

ALL = "all"


@dataclass(frozen=True, repr=False)
class GroupedLeaderboard(TabularResult):
    """A leaderboard of all samples, and one of each group; images are drawn within a group."""

    formats_with_notes = FORMATS

    by: str
    whole: Leaderboard
    groups: Mapping[str, Leaderboard]

    def to_dict(self) -> dict[str, Any]:
        """The leaderboard of all samples as JSON has it, with those of the groups."""
        groups = {name: board.to_dict() for name, board in self.groups.items()}
        return {**self.whole.to_dict(), "by": self.by, "groups": groups}

    def records(self) -> list[dict[str, Any]]:
        """One row a group, system and metric; rows of all samples have no group."""
        boards = [("", self.whole), *self.groups.items()]
        return [{"group": name, **row} for name, board in boards for row in board.records()]

    def as_tables(self) -> list[OutputTable]:
        """One system: a row a group. Several: a table a group."""
        boards = [(ALL, self.whole), *self.groups.items()]
        intervals = "95% intervals"
        if not self.whole.is_contest:
            scores = [[name, f"{board.n:,}", *_only_row(board.scores())] for name, board in boards]
            ends = [[name, *_only_row(board.intervals())] for name, board in boards]
            return [
                OutputTable([self.by, "images", *self.whole.metrics], scores, folds=True),
                OutputTable([self.by, *self.whole.metrics], ends, title=intervals, folds=True),
            ]
        titles = [self._title(name, board) for name, board in boards]
        shown_first = [
            board.scores(title) for title, (_, board) in zip(titles, boards, strict=True)
        ]
        return shown_first + [
            board.intervals(f"{title}: {intervals}")
            for title, (_, board) in zip(titles, boards, strict=True)
        ]

    def _title(self, name: str, board: Leaderboard) -> str:
        images = format_count(board.n, "image")
        return f"all, {images}" if board is self.whole else f"{self.by} {name}, {images}"

    def notes_below(self) -> list[str]:
        """How it was made, what letters mean, and what scores depend on."""
        whole = self.whole
        return [whole.draws(), *whole.meanings()[:1], *whole.warnings(), *whole.said_once()]

    def brief(self) -> list[str]:
        """Which groups there are, and the best of all samples."""
        return [f"by {self.by}", ", ".join(self.groups), *self.whole.brief()]

    def render_tables(self, format: str) -> str:
        """Tables and the words that belong to them; in LaTeX one table with a part a group."""
        if format != "latex":
            return super().render_tables(format)
        boards = [(ALL, self.whole), *self.groups.items()]
        blocks = [board.block(self._title(name, board)) for name, board in boards]
        caption = f"Corpus scores by {self.by}{self.whole.in_bold()}."
        return self.whole.paper(blocks, caption)


@check_arguments
def leaderboard_by(
    results: Mapping[str, Result],
    by: str,
    *,
    resamples: Draws | None = None,
    seed: Seed = SEED,
    method: str | None = None,
) -> GroupedLeaderboard:
    """The leaderboard of each group of a column, and of all samples; see `leaderboard`."""
    settings: dict[str, Any] = {"resamples": resamples, "seed": seed, "method": method}
    whole = leaderboard(results, **settings)
    names = sorted(
        {group for name, result in results.items() for group in _groups(name, result, by)},
        key=_group_sort_key,
    )
    groups = {
        group: leaderboard(
            {name: _take_group(name, result, by, group) for name, result in results.items()},
            **settings,
        )
        for group in names
    }
    return GroupedLeaderboard(by, whole, groups)


def _groups(name: str, result: Result, by: str) -> Sequence[str]:
    if by not in result.groups:
        there = ", ".join(map(short_repr, result.groups)) or "none"
        raise InputError(f"{name}: no groups {short_repr(by)}; there are: {there}")
    return result.groups[by]


def _take_group(name: str, result: Result, by: str, group: str) -> Result:
    rows = [row for row, name_there in enumerate(_groups(name, result, by)) if name_there == group]
    if not rows:
        raise InputError(f"{name}: no samples of {by} {short_repr(group)}, which others have")
    return result.take(rows)


def _group_sort_key(group: str) -> tuple[bool, bool, float, str]:
    """Sort numbers first, as numbers, and samples without a group last."""
    is_number = group.isascii() and group.isdecimal() and len(group) < 16
    return group == NO_GROUP, not is_number, float(group) if is_number else 0.0, group


def _only_row(table: OutputTable) -> Sequence[Any]:
    """The cells of the only row of a table, without the first."""
    (row,) = table.rows
    return row[1:]
