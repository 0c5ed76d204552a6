"""Evaluation: metrics put through a benchmark, with the protocol stated beside the result."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.checks.arguments import check_arguments
from captious._internal.checks.array_arguments import as_floats
from captious._internal.checks.bounds import DrawsOrNone, Seed
from captious._internal.progress import Listener, progress_listener
from captious.errors import InputError, warn
from captious.io.output_tables import OutputTable, TabularResult
from captious.meta.accuracy import MEAN
from captious.meta.agreement import Agreement, Agreements, Scores, agree, agree_by_group
from captious.meta.benchmarks.benchmark import SYSTEMS
from captious.meta.benchmarks.coco import MEASURES
from captious.meta.evaluation_table import all_tables, lines_above, lines_below
from captious.meta.judgements import Judgements, Ratings, by_measure, is_part
from captious.meta.presets import PRESETS, STANDARD
from captious.meta.protocol import ACCURACY, Protocol
from captious.meta.published import Figure, published
from captious.meta.raters import RaterAgreement, rater_agreement
from captious.meta.scoring import Scored, score_judged, score_systems
from captious.meta.significance import Differences, differences
from captious.meta.task import CUSTOM, Source, Task, read_task, split_options
from captious.registry import Names
from captious.signature import restate_bootstrap, state_bootstrap
from captious.stats.bootstrap import RESAMPLES, SEED
from captious.stats.correlation import PEARSON
from captious.stats.distributions import pearson_p_value


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(TabularResult):
    """How well metrics agree with people on one benchmark.

    `agreements` is what counts; `parts` are parts of the benchmark by themselves: language pairs,
    human and machine captions, the five measures of COCO 2015 (of which the first counts).
    """

    benchmark: str
    protocol: Protocol
    agreements: Agreements
    signature: str
    parts: Mapping[str, Agreements] = field(default_factory=dict)
    is_mean: bool = False  # over the parts, not over the ratings
    judgements: Judgements | None = field(default=None, repr=False)
    scores: Scores = field(default_factory=dict, repr=False)  # what was compared with them
    raters: RaterAgreement | None = field(default=None, repr=False)  # where it was asked for
    own_references: int | None = None  # candidates among their own references, of one's own file

    @property
    def statistic(self) -> str:
        """What a table shows first: a correlation, or accuracy."""
        return ACCURACY if self.agreements.of_pairs else self.agreements.statistic

    @property
    def first_part(self) -> str:
        """The part that counts where each is a measure of its own, and no name otherwise."""
        return next((name for name, part in self.parts.items() if part is self.agreements), "")

    @property
    def accuracy_of(self) -> str:
        """Whose accuracy it is: of all groups, of the one group that there is, or of no pairs."""
        if not self.agreements.of_pairs:
            return ""
        of_all = self.agreements.statistic
        groups = [name for name in self.agreements.rows[0].values if name != of_all]
        return groups[0] if len(groups) == 1 else of_all

    @cached_property
    def differences(self) -> Differences | None:
        """Tests of all pairs of metrics; none without resamples or with one metric only."""
        if self.agreements.resamples and len(self.agreements.rows) > 1:
            return differences(self.agreements)
        return None

    @property
    def letters(self) -> dict[str, str]:
        """Letters by metric: metrics that share one cannot be told apart."""
        tested = self.differences
        return dict(zip(tested.metrics, tested.letters, strict=True)) if tested else {}

    def published(self, metric: str, group: str | None = None) -> Figure | None:
        """What a paper reports for a metric under this protocol, or the nearest one that does."""
        if group is None:
            group = MEAN if self.is_mean else self.accuracy_of or self.first_part
        paper = self.protocol.name if self.protocol.name in PRESETS else STANDARD
        source = None if paper == STANDARD else paper
        figures = published(self.benchmark, self.statistic, metric, source, group)
        # Figures come with the most comparable first, which decides between papers that do alike.
        alike = [figure for figure in figures if source or figure.protocol in self._papers_alike]
        return next(iter([*alike, *figures]), None)

    @property
    def _papers_alike(self) -> set[str]:
        """The presets that do the same as this protocol, whatever they are called."""
        nameless = replace(self.protocol, name="", remark="")
        return {
            name
            for name, protocols in PRESETS.items()
            if self.benchmark in protocols
            and replace(protocols[self.benchmark], name="", remark="") == nameless
        }

    def to_dict(self) -> dict[str, Any]:
        """Everything, as `--format json` prints it."""
        rows = self.agreements.to_dict()["rows"]
        for row in rows:
            figure = self.published(row["metric"])
            row["published"] = figure.value if figure else None
            row["published_source"] = figure.source if figure else None
            row["letters"] = self.letters.get(row["metric"])
        return {
            "benchmark": self.benchmark,
            "protocol": self.protocol.to_dict(),
            "statistic": self.statistic,
            "rows": rows,
            "parts": {name: self._rows_of(part) for name, part in self.parts.items()},
            "differences": self.differences.to_dict() if self.differences else None,
            **({} if self.own_references is None else {"own_references": self.own_references}),
            **({} if self.raters is None else {"raters": self.raters.to_dict()}),
            "resamples": self.agreements.resamples,
            "seed": self.agreements.seed,
            "signature": self.signature,
        }

    def p_value(self, row: Agreement) -> float | None:
        """The p-value of Pearson's r, where rows are whole systems; none elsewhere.

        Captions of one image are not independent; constant scores have no r.
        """
        r = row.values[PEARSON]
        return pearson_p_value(r, row.n) if self.first_part and not math.isnan(r) else None

    def _rows_of(self, part: Agreements) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = part.to_dict()["rows"]
        for row, agreement in zip(rows, part.rows, strict=True):
            if (p_value := self.p_value(agreement)) is not None:
                row["p_value"] = p_value
        return rows

    def as_tables(self) -> list[OutputTable]:
        """Correlations or accuracies, of all and of parts."""
        return all_tables(self)

    def notes_above(self) -> list[str]:
        """The benchmark and the protocol."""
        return lines_above(self)

    def notes_below(self) -> list[str]:
        """What letters mean, where published figures are from, what scores depend on."""
        return lines_below(self)

    def brief(self) -> list[str]:
        """The statistic that counts, best metric first."""
        return [self.benchmark, *self.agreements.brief()]


@check_arguments
def evaluate(
    benchmark: Source,
    metrics: Names = None,
    *,
    data: str | Path | None = None,
    protocol: str | Protocol | None = None,
    scores: Scores | None = None,
    pool: str | None = None,
    ceiling: bool = False,
    resamples: DrawsOrNone = RESAMPLES,
    seed: Seed = SEED,
    cache: bool = True,
    progress: Listener | None = None,
    **options: Any,
) -> Evaluation:
    """Evaluate metrics on a benchmark: names, metric objects, or your own functions.

    `benchmark` is a name, with `data` the folder of its files (for `custom`, the file), or
    judgements themselves, or a task that was read before. `scores` are further columns that were
    computed elsewhere, one number for each row that `judged` gives (two a pair). `options` that the
    benchmark has (`votes`, `systems`, `own_scores`) go to it, `language` is that of the captions,
    all others go to the metrics. With
    `ceiling`, agreement among people is measured, too. `progress` is told of all
    that takes long.
    """
    of_files, options = split_options(benchmark, options)
    task = read_task(benchmark, data=data, protocol=protocol, **of_files)
    judgements, chosen = task.judgements, task.protocol
    given = {
        column: as_floats(values, f"scores of {column}")
        for column, values in {**judgements.scores, **(scores or {})}.items()
    }
    drawn: dict[str, int] = {"resamples": resamples, "seed": seed}
    own_references = _count_own_references(task) if task.name == CUSTOM else None
    raters = rater_agreement(judgements, chosen, **drawn) if ceiling else None
    ratings = judgements if isinstance(judgements, Ratings) else None
    if ratings is not None and task.kind == SYSTEMS:
        if given or pool:
            raise InputError(
                f"{task.name}: whole systems are scored by metrics, without pool or scores"
            )
        with progress_listener(progress):
            scored = score_systems(ratings, metrics, cache=cache, **options)
        columns = scored.columns
        by_name = by_measure(ratings, MEASURES)
        parts = {name: agree(columns, part, chosen, **drawn) for name, part in by_name.items()}
        judgements, agreements = by_name[MEASURES[0]], parts[MEASURES[0]]
    else:
        given_alone = f"scores given|bootstrap:{state_bootstrap(resamples, seed)}"
        scored = Scored({}, f"{given_alone}|protocol:{chosen.address()}")
        if metrics is not None or not given:
            options |= {"documents": chosen.documents, "pool": pool}
            with progress_listener(progress):
                scored = score_judged(judgements, metrics, cache=cache, **options)
        if twice := sorted(scored.columns.keys() & given.keys()):
            raise InputError(
                f"{twice[0]}: scores of this name are given, and a metric's; rename the column, or "
                "leave the metric out"
            )
        columns = {**scored.columns, **given}
        if ratings is not None and task.is_mean:
            parts = agree_by_group(columns, ratings, chosen, **drawn)
            agreements = parts.pop(MEAN)
        else:
            agreements = agree(columns, judgements, chosen, **drawn)
            parts = {} if ratings is None else _evaluate_parts(columns, ratings, chosen)
    is_mean = ratings is not None and task.is_mean
    return Evaluation(
        task.name,
        chosen,
        agreements,
        restate_bootstrap(scored.signature, resamples, seed, protocol=str(chosen.address())),
        parts,
        is_mean,
        judgements,
        columns,
        raters,
        own_references,
    )


def _count_own_references(task: Task) -> int:
    """How many candidates are among their own references; that they are is worth a warning."""
    count = task.own_references
    if count:
        what = "pairs have a candidate" if task.judgements.each > 1 else "candidates are"
        warn(
            f"{count:,} of {len(task.judgements):,} {what} among their own references, which "
            "inflates every metric; leave out such references (--own drop_reference) or such rows "
            "(--own drop_pair; in Python with own= of a Protocol)",
            "candidates among their own references",
        )
    return count


@check_arguments
def judged(
    benchmark: Source,
    *,
    data: str | Path | None = None,
    protocol: str | Protocol | None = None,
    **options: Any,
) -> Judgements:
    """The judgements of a benchmark under a protocol, in the order in which scores are given."""
    return read_task(benchmark, data=data, protocol=protocol, **options).judgements


def _evaluate_parts(columns: Scores, ratings: Ratings, protocol: Protocol) -> dict[str, Agreements]:
    """Parts of a benchmark by themselves, without intervals; `machine` has `machine/neural` too."""
    names = dict.fromkeys(
        name for group in ratings.groups for name in (group.partition("/")[0], group)
    )
    parts = {}
    for name in names:
        inside = np.array([is_part(group, name) for group in ratings.groups])
        if not inside.all():
            rows = np.flatnonzero(inside)
            part = {column: values[rows] for column, values in columns.items()}
            parts[name] = agree(part, ratings.take(rows), protocol, resamples=0)
    return parts
