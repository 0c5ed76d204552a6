"""Leaderboard: systems side by side, with intervals, ranks, and letters that show which differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious._internal.checks.arguments import check_arguments
from captious._internal.checks.bounds import Draws, Seed
from captious.comparison.paired_systems import (
    LEVEL,
    PairedSystems,
    enough_randomizations,
    min_randomizations,
    rank_intervals,
    ranks,
)
from captious.comparison.paper_table import Block, paper_table, score_cell
from captious.comparison.two_systems import Comparison, comparison_of
from captious.errors import InputError, format_count, short_repr, warn
from captious.io.markup import Cell
from captious.io.output_tables import FORMATS, OutputTable, TabularResult, format_decimals
from captious.metrics.names import paper_names
from captious.registry import orient_scores
from captious.result import Result
from captious.signature import restate_bootstrap
from captious.stats.bootstrap import RESAMPLES, SEED
from captious.stats.compact_letters import correct_p_values, letter_display
from captious.stats.intervals import PERCENTILE, STUDENT, Interval, check_method

TEST, CORRECTION = "paired randomization", "Holm"


@dataclass(frozen=True)
class Standing:
    """A system's score in one column, with its interval, its rank, and its letters.

    Equal scores share a rank. `rank_interval` has the middle 95% of its ranks in resamples.
    """

    system: str
    metric: str
    score: float
    interval: Interval
    rank: int
    rank_interval: tuple[int, int]
    letters: str


@dataclass(frozen=True, repr=False)
class Leaderboard(TabularResult):
    """Systems on the same images: one row per system, one column per metric.

    `standings` go system by system. `differences` has all pairs of systems, and `p_holm` the
    corrected p-values of each pair, one a metric. Systems that share a letter do not differ
    significantly; of one system alone there are no letters. Scores' intervals are by
    `interval_method`, from `resamples`; the test throws coins as often as `randomisations` says.
    """

    formats_with_notes = FORMATS

    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    n: int
    standings: tuple[Standing, ...]
    differences: tuple[Comparison, ...]
    p_holm: tuple[tuple[float, ...], ...]
    resamples: int
    seed: int
    interval_method: str = PERCENTILE
    signatures: tuple[str, ...] = ()
    randomisations: int = RESAMPLES

    @property
    def is_contest(self) -> bool:
        """Whether there are several systems, which can differ."""
        return len(self.systems) > 1

    def of(self, system: str) -> list[Standing]:
        """One system's standings, in the order of the metrics."""
        return [each for each in self.standings if each.system == system]

    def is_best(self, standing: Standing) -> bool:
        """Whether no other system scores better, where there are others."""
        return self.is_contest and standing.rank == 1

    def to_dict(self) -> dict[str, Any]:
        """Everything as `--format json` prints it; of two systems also what a comparison has."""
        is_default = self.interval_method == PERCENTILE
        pairs = [_pair_to_dict(*each) for each in zip(self.differences, self.p_holm, strict=True)]
        only_pair = {"rows": self.differences[0].to_dict()["rows"]} if len(pairs) == 1 else {}
        return {
            "n": self.n,
            "resamples": self.resamples,
            "seed": self.seed,
            **({} if is_default else {"interval_method": self.interval_method}),
            **({} if not pairs else {"difference_interval_method": self.difference_method}),
            "systems": list(self.systems),
            **only_pair,
            "leaderboard": [
                {
                    **vars(each),
                    "interval": list(each.interval),
                    "rank_interval": list(each.rank_interval),
                }
                for each in self.standings
            ],
            "test": {
                "name": TEST,
                "correction": CORRECTION,
                "level": LEVEL,
                "randomisations": self.randomisations,
                "can_be_significant": not self.is_hopeless,
            },
            "differences": pairs,
            "signatures": dict(zip(self.systems, self.signatures, strict=True)),
        }

    def records(self) -> list[dict[str, Any]]:
        """One row a system and metric."""
        return [
            {
                "system": each.system,
                "metric": each.metric,
                "score": each.score,
                "low": each.interval[0],
                "high": each.interval[1],
                "rank": each.rank,
                "letters": each.letters,
                "rank_low": each.rank_interval[0],
                "rank_high": each.rank_interval[1],
            }
            for each in self.standings
        ]

    def as_tables(self) -> list[OutputTable]:
        """Scores with letters, intervals, ranks; of two systems also how they differ."""
        tables = [self.scores(), self.intervals("95% intervals")]
        if self.is_contest:
            tables.append(self.ranked("ranks"))
        if len(self.differences) == 1:
            tables += (
                replace(table, title="differences") for table in self.differences[0].as_tables()
            )
        return tables

    def scores(self, title: str = "") -> OutputTable:
        """The systems' scores, the best strong, with letters."""
        return self.table(self._format_score, title)

    def intervals(self, title: str = "") -> OutputTable:
        """The scores' intervals."""
        return self.table(_format_interval, title)

    def ranked(self, title: str = "") -> OutputTable:
        """The systems' ranks, with their spread where it is more than one."""
        return self.table(_format_rank, title)

    def table(self, cell: Callable[[Standing], str | Cell], title: str = "") -> OutputTable:
        """Systems as rows, metrics as columns; `cell` formats each standing."""
        rows = [[name, *map(cell, self.of(name))] for name in self.systems]
        return OutputTable(["system", *self.metrics], rows, title=title, folds=True)

    def _format_score(self, standing: Standing) -> Cell:
        return Cell(format_decimals(standing.score), self.is_best(standing), standing.letters)

    def notes_below(self) -> list[str]:
        """The resampling, what letters and ranks mean, and the signatures."""
        return [
            f"{format_count(self.n, 'image')}, {self.draws()}",
            *self.notes(),
            *self.said_once(),
        ]

    def notes(self) -> list[str]:
        """What letters and ranks mean, with warnings."""
        return [*self.meanings(), *self.warnings()]

    def draws(self) -> str:
        """The resampling in words."""
        drawn = f"{self.resamples} resamples, seed {self.seed}"
        if self.interval_method != PERCENTILE:
            drawn += f", {self.interval_method} intervals"
        if self.difference_method not in (None, self.interval_method):
            drawn += f", {self.difference_method} intervals of differences"
        return drawn

    @property
    def difference_method(self) -> str | None:
        """The method of the intervals of differences, where there are any."""
        return next((each.interval_method for each in self.differences), None)

    @property
    def is_hopeless(self) -> bool:
        """Whether no p-value can pass the correction with so few randomisations."""
        return self.is_contest and self.randomisations < min_randomizations(self._pairs)

    @property
    def _pairs(self) -> int:
        return len(self.differences)

    def meanings(self) -> list[str]:
        """What letters and ranks mean, and by which test."""
        if not self.is_contest:
            return []
        over = format_count(self._pairs, "pair")
        test = f"{self._test()}, {CORRECTION} over {over} a metric, {LEVEL * 100:g}%"
        return [
            f"a shared letter: no significant difference ({test})",
            "ranks: in brackets the middle 95% of those in resamples, where they vary",
        ]

    def _test(self) -> str:
        """The test, with its number of draws if that differs from the resamples."""
        more = self.randomisations != self.resamples
        return f"{TEST}, {format_count(self.randomisations, 'draw')}" if more else TEST

    def warnings(self) -> list[str]:
        """A warning where no difference can be significant."""
        return [_too_few_resamples(self._pairs, self.randomisations)] if self.is_hopeless else []

    def _distinct_signatures(self) -> list[str]:
        """The systems' signatures, each once."""
        return list(dict.fromkeys(filter(None, self.signatures)))

    said_once = _distinct_signatures  # its public name

    def brief(self) -> list[str]:
        """The best of each metric."""
        first = [each for each in self.standings if each.rank == 1]
        best = (f"{each.metric} {each.system} {format_decimals(each.score)}" for each in first)
        return [
            f"{format_count(len(self.systems), 'system')}, {format_count(self.n, 'image')}",
            *best,
        ]

    def render_tables(self, format: str) -> str:
        """Tables and the words that belong to them; in LaTeX one table, as papers have it."""
        if format != "latex":
            return super().render_tables(format)
        caption = f"Corpus scores over {format_count(self.n, 'image')}{self.in_bold()}."
        return self.paper([self.block()], caption)

    def in_bold(self) -> str:
        """What bold numbers mean, as part of a caption."""
        return ", the best in bold" if self.is_contest else ""

    def paper(self, blocks: Sequence[Block], caption: str) -> str:
        """A paper's table of these systems and metrics."""
        pairs = format_count(self._pairs, "pair")
        test = f"{self._test()}, with {CORRECTION}'s correction over {pairs} for each metric"
        letters_mean = (
            f"Systems that share a letter do not differ significantly ({test}, "
            f"at {LEVEL * 100:g}%; {self.draws()})."
        )
        warnings = [f"{each[:1].upper()}{each[1:]}." for each in self.warnings()]
        notes = [letters_mean, *warnings] if self.is_contest else []
        names = paper_names(self.metrics)
        return paper_table(list(names.values()), blocks, caption, notes, self.said_once())

    def block(self, title: str = "") -> Block:
        """The rows of a paper's table."""
        names = paper_names(self.metrics)
        rows = {
            system: [
                score_cell(
                    each.score, names[each.metric], best=self.is_best(each), letters=each.letters
                )
                for each in self.of(system)
            ]
            for system in self.systems
        }
        return Block(rows, title)


@check_arguments
def leaderboard(
    results: Mapping[str, Result],
    *,
    resamples: Draws | None = None,
    seed: Seed = SEED,
    method: str | None = None,
) -> Leaderboard:
    """Systems by name, on the same images: scores, intervals, ranks and significance letters.

    Columns that not all systems have are left out, with a warning. `resamples` are those of
    intervals and of the test; unless given, 1,000, and for the test of many systems as many as
    it needs. `method` is that of intervals: `percentile`, `bca` or `t`; unless given, scores have
    `percentile` and differences `t`.
    """
    score_method, difference_method = method or PERCENTILE, method or STUDENT
    check_method(score_method)
    _check_systems(results)
    pairs = list(combinations(range(len(results)), 2))
    # Draws beyond the usual number are made only for pairs that may differ significantly.
    more = enough_randomizations(len(pairs)) - RESAMPLES if resamples is None else 0
    resamples = RESAMPLES if resamples is None else resamples
    rounds = (resamples, more) if more else (resamples,)
    randomisations = sum(rounds)
    systems = PairedSystems.of(results, resamples, rounds, seed)
    if randomisations < min_randomizations(len(pairs)):
        warn(_too_few_resamples(len(pairs), randomisations))
    differences = [comparison_of(systems, a, b, difference_method) for a, b in pairs]
    standings: dict[str, list[Standing]] = {}
    p_holm: list[list[float]] = [[] for _ in pairs]
    for place, column in enumerate(systems.columns):
        p = np.full((len(results), len(results)), np.nan)
        for (a, b), difference in zip(pairs, differences, strict=True):
            p[a, b] = p[b, a] = difference.rows[place].p_randomisation
        p = correct_p_values(p)
        for (a, b), values in zip(pairs, p_holm, strict=True):
            values.append(float(p[a, b]))
        standings[column] = _standings(systems, column, p < LEVEL, score_method)
    return Leaderboard(
        systems.names,
        systems.columns,
        systems.n,
        tuple(standings[name][row] for row in range(len(results)) for name in systems.columns),
        tuple(differences),
        tuple(map(tuple, p_holm)),
        resamples,
        seed,
        score_method,
        tuple(
            restate_bootstrap(result.signature, resamples, seed, method, randomisations)
            for result in results.values()
        ),
        randomisations,
    )


def _standings(systems: PairedSystems, column: str, apart: IntArray, method: str) -> list[Standing]:
    """Return each system's standing in one column; letters go from best to worst."""
    estimates = [systems.estimate(row, column) for row in range(len(systems.names))]
    scores = orient_scores(column, np.array([estimate.observed for estimate in estimates]))
    spreads = rank_intervals(orient_scores(column, np.array([each.draws for each in estimates])))
    # Names decide between equals, so that the order of the systems does not.
    order = sorted(range(len(scores)), key=lambda row: (-scores[row], systems.names[row]))
    shared = dict(zip(order, letter_display(apart[np.ix_(order, order)]), strict=True))
    is_contest = len(scores) > 1
    return [
        Standing(
            name,
            column,
            estimate.observed,
            estimate.interval(method=method),
            rank,
            spread,
            shared[row] if is_contest else "",
        )
        for row, (name, estimate, rank, spread) in enumerate(
            zip(systems.names, estimates, ranks(scores).tolist(), spreads, strict=True)
        )
    ]


def _check_systems(results: Mapping[str, Result]) -> None:
    if not results:
        raise InputError("no systems: there is nothing to put into a leaderboard")
    for name, result in results.items():
        if not isinstance(name, str) or not isinstance(result, Result):
            raise InputError(
                f"a leaderboard is made of results by name, not {short_repr(name)}: "
                f"{short_repr(result)}"
            )


def _too_few_resamples(pairs: int, randomisations: int) -> str:
    return (
        f"with {randomisations} resamples no two systems differ significantly after correction "
        f"over {pairs} pairs, whatever their scores; take at least "
        f"{min_randomizations(pairs)} resamples"
    )


def _pair_to_dict(comparison: Comparison, p_holm: Sequence[float]) -> dict[str, Any]:
    rows = comparison.to_dict()["rows"]
    return {
        "systems": list(comparison.systems),
        "rows": [{**row, "p_holm": p} for row, p in zip(rows, p_holm, strict=True)],
    }


def _format_interval(standing: Standing) -> str:
    low, high = standing.interval
    return f"{format_decimals(low)} to {format_decimals(high)}"


def _format_rank(standing: Standing) -> str:
    low, high = standing.rank_interval
    varies = f" ({low} to {high})" if low < high or low != standing.rank else ""
    return f"{standing.rank}{varies}"
