"""Machine translations: LCEval's table 14."""

from __future__ import annotations

from captious.experiments.experiment import Experiment
from captious.experiments.figures import CLASSICAL, LCEVAL_PAPER, LEARNED, figure
from captious.experiments.groups import group_metrics
from captious.experiments.judged_scores import Metrics, scores
from captious.experiments.mixtures import CHOSEN, ORDER, OTHER
from captious.experiments.result import Cell, Finding, Table
from captious.experiments.workbench import Mixture, Workbench, described
from captious.learned.feature_sets import LCEVAL
from captious.meta.accuracy import MEAN
from captious.meta.agreement import agree_by_group
from captious.meta.benchmarks.wmt16_daseg import LANGUAGES
from captious.meta.judgements import Ratings
from captious.training.learned_metrics.recipe import LCEVAL_RECIPE

WMT16 = "wmt16-daseg"


def by_language(bench: Workbench) -> Finding:
    """Segment-level Kendall's tau for six languages into English."""
    said, chosen = bench.judged(WMT16, "lceval")
    assert isinstance(said, Ratings)
    metrics: Metrics = (*CLASSICAL, *group_metrics(bench), *LEARNED)
    columns = scores(bench, metrics, WMT16, "lceval")
    parts = agree_by_group(columns, said, chosen, resamples=0)
    rows: list[list[Cell]] = []
    for metric in columns:
        cells: list[Cell] = [metric]
        for group in (*LANGUAGES, MEAN):
            cells += [
                parts[group][metric].values["kendall_b"],
                figure(WMT16, "kendall_b", metric, LCEVAL_PAPER, group),
            ]
        rows.append(cells)
    header = ["metric"]
    for group in (*LANGUAGES, MEAN):
        header += [group, "published"]
    return Finding(
        "translations",
        "Machine translations, WMT16",
        (
            Table.of(f"Kendall's tau_b; {LCEVAL_PAPER}, table 14", header, rows),
            by_training_set(bench),
        ),
        notes=(
            "One reference a segment. No metric here was trained on translations. Hand-made "
            "metrics are as published, or nearly; the learned ones depend on the captions that "
            "they were trained on (second table): with captions of other images alone LCEval is as "
            "published, and machines' captions cost agreement. `nneval` and `lceval` are those "
            f"that ship; groups of features were trained against {described(CHOSEN)}.",
        ),
    )


def by_training_set(bench: Workbench) -> Table:
    """LCEval's mean over languages by what it was trained against."""
    said, chosen = bench.judged(WMT16, "lceval")
    assert isinstance(said, Ratings)
    features = bench.features(LCEVAL, WMT16, "lceval")
    machine = next(iter(CHOSEN))
    sets: tuple[Mixture, ...] = ({OTHER: 1}, CHOSEN, {**CHOSEN, ORDER: 1}, {machine: 1})
    columns = {
        described(mixture): bench.trained(LCEVAL, LCEVAL_RECIPE, mixture).model.scores(features)
        for mixture in sets
    }
    found = agree_by_group(columns, said, chosen, resamples=0)[MEAN]
    rows: list[list[Cell]] = [[row.metric, row.values["kendall_b"]] for row in found.rows]
    published = figure(WMT16, "kendall_b", "lceval", LCEVAL_PAPER, MEAN)
    rows.append(["published", published])
    return Table.of(
        "LCEval by training set, mean over languages", ["trained against", "tau_b"], rows
    )


TRANSLATIONS = Experiment(
    "translations",
    "LCEval table 14",
    "how metrics for captions do on machine translations",
    by_language,
    trains=True,
)
