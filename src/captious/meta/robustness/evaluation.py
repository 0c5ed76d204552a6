"""Robustness: how metrics score captions that are made worse on purpose.

Three kinds: `distractions` (wrong person, wrong place), `pathological` (LEIC's transformations, of
growing strength) and `gaming` (captions that flatter a metric). Every human caption, and whatever
is made of it, is scored against the other captions of its image. CIDEr counts each such set of
references as a document, so that its document frequencies come from human captions alone and are
the same for every task.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.arguments import check_arguments, check_choice
from captious._internal.checks.bounds import Draws, Seed
from captious._internal.progress import Listener, progress_listener
from captious.corpus import ReferenceColumns
from captious.errors import InputError, short_repr
from captious.io.output_tables import FORMATS, OutputTable, TabularResult, format_decimals
from captious.meta.robustness.captioned_images import CaptionedImages, Worsened
from captious.meta.robustness.distractions import distractions
from captious.meta.robustness.gaming import gaming_captions
from captious.meta.robustness.pathological import STRENGTHS, pathological_captions
from captious.meta.robustness.rows import ChoiceRow, DecayRow, choice_row, decay_row
from captious.registry import Names, orient_scores
from captious.scorer import Scorer
from captious.stats.bootstrap import RESAMPLES
from captious.stats.intervals import PERCENTILE, check_method
from captious.text.transformations import TRANSFORMATIONS

KINDS = ("distractions", "pathological", "gaming")
Tasks = dict[str, dict[str, list[Worsened]]]  # kind, task, one entry a strength


TITLES = {
    "distractions": "distractions: accuracy in %, a tie one half",
    "pathological": "pathological: area under the normalized curve, lower is more robust",
    "gaming": "gaming: accuracy in %, a tie one half",
}


@dataclass(frozen=True, eq=False, repr=False)
class Robustness(TabularResult):
    """Scores of worsened captions: one row a metric and kind."""

    formats_with_notes = FORMATS

    images: int
    captions: int
    seed: int
    resamples: int
    rows: tuple[ChoiceRow | DecayRow, ...]
    strengths: tuple[int, ...]  # per cent, where the points of the rows' curves lie
    signature: str
    left_out: tuple[str, ...] = ()

    def row(self, metric: str, kind: str) -> ChoiceRow | DecayRow:
        """One metric's row of one kind."""
        for row in self.rows:
            if (row.metric, row.kind) == (metric, kind):
                return row
        raise InputError(f"no row of {short_repr(metric)} for {short_repr(kind)}")

    def to_dict(self) -> dict[str, Any]:
        """The result as `--format json` prints it."""
        return {
            "images": self.images,
            "captions": self.captions,
            "seed": self.seed,
            "resamples": self.resamples,
            "strengths": list(self.strengths),
            "rows": [row.to_dict() for row in self.rows],
            "signature": self.signature,
        }

    def as_tables(self) -> list[OutputTable]:
        """A table for each kind, with average, worst case and the average's interval."""
        tables: list[OutputTable] = []
        for kind in dict.fromkeys(row.kind for row in self.rows):
            rows = [row for row in self.rows if row.kind == kind]
            shown: list[list[str]] = []
            for row in rows:
                values = row.auc if isinstance(row, DecayRow) else row.accuracy
                scale, digits = (1, 3) if isinstance(row, DecayRow) else (100, 1)
                low, high = (
                    format_decimals(scale * bound, digits) for bound in row.interval["average"]
                )
                cells = [format_decimals(scale * value, digits) for value in values.values()]
                shown.append([row.metric, *cells, f"{low} to {high}"])
            header = [name.replace("_", " ") for name in rows[0].interval]
            if not isinstance(rows[0], DecayRow):
                shown.append(["choices", *map(str, rows[0].n.values()), "", "", ""])
            header = ["metric", *header, "95% of average"]
            tables.append(OutputTable(header, shown, title=TITLES[kind]))
        return tables

    def notes_below(self) -> list[str]:
        """How much was scored, and how."""
        return [
            f"{self.images} images, {self.captions} captions, each against the others of its "
            f"image; {self.resamples} resamples, seed {self.seed}"
        ]

    def brief(self) -> list[str]:
        """The average of each metric and kind."""
        rows = ((row, row.auc if isinstance(row, DecayRow) else row.accuracy) for row in self.rows)
        averages = (f"{row.kind} {row.metric} {values['average']:.3f}" for row, values in rows)
        return [f"{self.images} images, {self.captions} captions", *averages]


@check_arguments
def robustness(
    data: CaptionedImages,
    metrics: Names = None,
    kinds: Iterable[str] | str = KINDS,
    *,
    seed: Seed = 0,
    resamples: Draws = RESAMPLES,
    method: str = PERCENTILE,
    cache: bool = True,
    progress: Listener | None = None,
    **options: Any,
) -> Robustness:
    """Test metrics, by name or as objects, on captions made worse on purpose.

    The seed decides which captions are made and which images are resampled; the same seed gives
    the same captions to every metric. `method` is that of intervals: `percentile` or `bca`.
    `options` go to the metrics: `images` to those that use images, found by the data's names.
    """
    check_method(method)
    kinds = (kinds,) if isinstance(kinds, str) else tuple(kinds)
    for kind in kinds:
        check_choice("unknown kind", kind, KINDS)
    sets = [[data.texts[other] for other in data.others(row)] for row in range(len(data))]
    references = replace(ReferenceColumns.of(sets), images=data.image_names)
    # Texts are tokens with blanks between: whatever is made of them keeps its words as they are.
    with progress_listener(progress):
        scorer = Scorer(references, metrics, tokenizer="whitespace", cache=cache, **options)
    tasks = worsened_captions(data, kinds, seed)
    everything = [
        Worsened(np.arange(len(data)), data.texts),
        *(made for kind in tasks.values() for strengths in kind.values() for made in strengths),
    ]
    # All in one go, so that progress is one bar and a caption that recurs is analysed once.
    result = scorer.score(
        [text for made in everything for text in made.texts],
        [row for made in everything for row in made.rows.tolist()],
        progress=progress,
    )
    ends = np.cumsum([len(made.texts) for made in everything])[:-1]
    rows: list[ChoiceRow | DecayRow] = []
    for column in result.columns:
        human, *parts = np.split(orient_scores(column, result.samples[column]), ends)
        for kind, scores in _scores_by_task(tasks, parts).items():
            drawn = (data.images, resamples, seed, method)
            if kind == "pathological":
                rows.append(decay_row(column, kind, human, scores, STRENGTHS, *drawn))
            else:
                made = {name: strengths[0] for name, strengths in tasks[kind].items()}
                first = {name: strengths[0] for name, strengths in scores.items()}
                rows.append(choice_row(column, kind, human, made, first, *drawn))
    return Robustness(
        len(data.names),
        len(data),
        seed,
        resamples,
        tuple(sorted(rows, key=lambda row: kinds.index(row.kind))),
        STRENGTHS,
        f"{result.with_intervals(method, resamples=resamples, seed=seed).signature}|seed:{seed}",
        result.left_out,
    )


def worsened_captions(data: CaptionedImages, kinds: Iterable[str] = KINDS, seed: int = 0) -> Tasks:
    """All captions of the kinds asked for: by kind and task, one entry for each strength."""
    every = np.arange(len(data))
    tasks: Tasks = {}
    for kind in kinds:
        if kind == "pathological":
            tasks[kind] = {
                name: [Worsened(every, t) for t in pathological_captions(data, name, seed=seed)]
                for name in TRANSFORMATIONS
            }
        else:
            make = distractions if kind == "distractions" else gaming_captions
            tasks[kind] = {name: [made] for name, made in make(data, seed).items()}
    return tasks


def _scores_by_task(
    tasks: Tasks, parts: list[FloatArray]
) -> dict[str, dict[str, list[FloatArray]]]:
    """One column's scores, in the shape of the tasks."""
    remaining = iter(parts)
    return {
        kind: {name: [next(remaining) for _ in strengths] for name, strengths in named.items()}
        for kind, named in tasks.items()
    }
