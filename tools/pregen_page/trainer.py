"""The value and the cost of pre-gen metrics for choosing an epoch in training."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.io.output_tables import render_table
from captious.pregen.names import METRICS, TOP
from captious.pregen.selection import (
    TransferredMetric,
    best_epoch,
    leave_one_architecture_out,
    selection_outcome,
    with_patience,
)
from captious.report.pregen_plots import EpochCurves, plot_epochs
from pregen_page.cells import BASELINE, display_name
from pregen_page.measured import Measurements

PATIENCE_EPOCHS = 2
INTRODUCTION = """
## What they are worth to a trainer

### Choosing an epoch

Within each run, an epoch is selected by a score on the 1,000 validation images, and its captions of
the test images are scored with CIDEr-D (times 100; means over {runs} runs; the 95% confidence
intervals resample runs). *Lost* is the difference from the best epoch in hindsight, by the test
images themselves, which cannot be known during training. *Against the loss* is the difference from
the first row. *Found on other architectures* is the pre-gen metric that best predicts the
validation CIDEr-D of the other architectures' checkpoints:
{found}.
*Minutes* are CPU time on one core for scoring all epochs of a run. Loss, perplexity and all pre-gen
metrics are computed from one forward pass, which training needs anyway for the validation loss.

All runs were stopped when the validation loss had not fallen for {patience} epochs. Later epochs,
which another score might have selected, were never trained; this favours the loss.

"""
STOPPING = """
Early stopping by the score itself, once it has not risen for {patience} epochs:

"""
TIMES = """
Mean times over all epochs: {forward:.1f} s for the probabilities of 5,000 validation references and
{metric:.2f} s for all {all} metrics of them; {beam:.1f} s for 1,000 captions with a beam of
{width}, {greedy:.1f} s for greedy ones, {cider:.2f} s for their CIDEr-D. Captions are generated in
batches here, and each image has five references to read but one caption to generate: the paper's 28
seconds against 20.8 minutes (greedy) are not reached. `python benchmarks/pregen.py MODEL --data
DATA` measures this for one captioner, also image by image.

![Test CIDEr-D, the paper's best metric and perplexity by epoch](pregen_search/ours/epochs.{kind})
"""


def trainer_sections(measured: Measurements, plots: Path, kind: str) -> Iterator[str]:
    """Choose, compare, draw, and give the sections one by one."""
    table = measured.table("validation")
    found = leave_one_architecture_out(measured.early_and_chosen_epochs(table), "cider_d")
    by_metric: dict[str, list[str]] = {}
    for name, each in found.items():
        by_metric.setdefault(each.metric, []).append(f"`{name}`")
    descriptions = [f"`{metric}` for {', '.join(names)}" for metric, names in by_metric.items()]
    yield INTRODUCTION.format(
        runs=len(measured.complete), found="; ".join(descriptions), patience=PATIENCE_EPOCHS
    )
    yield from choice_tables(measured, found)
    seconds = mean_seconds(measured)
    yield TIMES.format(
        forward=seconds["probabilities"],
        metric=seconds["pregen"],
        all=len(METRICS),
        beam=seconds["beam"],
        width=measured.figures["beam"],
        greedy=seconds["greedy"],
        cider=seconds["scoring"],
        kind=kind,
    )
    draw_curves(measured, plots / f"epochs.{kind}")


def epoch_scores(
    measured: Measurements, found: Mapping[str, TransferredMetric]
) -> dict[str, tuple[dict[str, FloatArray], tuple[str, ...]]]:
    """By name: each run's score by epoch, higher being better, and the steps that it costs."""
    table = measured.table("validation")
    forward = ("probabilities", "pregen")

    def column(metric: str) -> dict[str, FloatArray]:
        sign = -1.0 if METRICS[metric].lower_is_better else 1.0
        return measured.by_run(table, sign * table.pre[metric])

    transferred = {}
    for run, figures in measured.complete.items():
        metric_found = found[figures["architecture"]]
        values = measured.by_run(table, table.pre[metric_found.metric])[run]
        transferred[run] = -values if metric_found.lower_is_better else values
    losses = {
        run: -np.array(run_figures["validation_loss"])
        for run, run_figures in measured.complete.items()
    }
    return {
        "validation loss, as in training": (losses, ("probabilities",)),
        **{display_name(metric): (column(metric), forward) for metric in (BASELINE, *TOP)},
        "found on other architectures": (transferred, forward),
        "CIDEr-D of greedy captions": (
            measured.by_run(table, table.post["cider_d_greedy"]),
            ("greedy", "scoring"),
        ),
        f"CIDEr-D, beam of {measured.figures['beam']}": (
            measured.by_run(table, table.post["cider_d"]),
            ("beam", "scoring"),
        ),
    }


def choice_tables(measured: Measurements, found: Mapping[str, TransferredMetric]) -> Iterator[str]:
    """The results and costs of each way to choose an epoch; then, of each way to stop."""
    table = measured.table("epochs_paper")
    test = measured.by_run(table, 100 * table.post["cider_d"])
    ways = epoch_scores(measured, found)
    chosen = {
        name: {run: best_epoch(scores[run]) for run in test} for name, (scores, _) in ways.items()
    }
    chosen["the last epoch"] = {run: len(scores_by_epoch) for run, scores_by_epoch in test.items()}
    chosen["the best in hindsight"] = {
        run: best_epoch(scores_by_epoch) for run, scores_by_epoch in test.items()
    }
    first = next(iter(chosen.values()))
    rows = []
    for name, epochs in chosen.items():
        outcome = selection_outcome(test, epochs, instead_of=first)
        cells = [_format_interval(*pair) for pair in (outcome.score, outcome.lost, outcome.gained)]
        minutes = f"{_mean_minutes(measured, ways[name][1]):.2f}" if name in ways else ""
        rows.append([name, *cells, f"{np.mean(list(epochs.values())):.1f}", minutes])
    header = ["chosen by", "test CIDEr-D", "lost", "against the loss", "epoch", "minutes"]
    yield render_table(header, rows, "markdown") + "\n"
    yield STOPPING.format(patience=PATIENCE_EPOCHS)
    rows = []
    for name, (scores, _) in ways.items():
        stopped = {run: with_patience(scores[run], PATIENCE_EPOCHS) for run in test}
        outcome = selection_outcome(test, {run: kept.epoch for run, kept in stopped.items()})
        trained = np.mean([kept.trained for kept in stopped.values()])
        rows.append([name, _format_interval(*outcome.score), f"{trained:.1f}"])
    yield render_table(["stopped by", "test CIDEr-D", "epochs trained"], rows, "markdown") + "\n"


def _format_interval(mean: float, interval: tuple[float, float]) -> str:
    return f"{mean:.2f} ({interval[0]:.2f} to {interval[1]:.2f})"


def _mean_minutes(measured: Measurements, steps: tuple[str, ...]) -> float:
    """Return the mean minutes per run of some steps, all epochs together."""
    runs = [run["seconds"] for run in measured.complete.values()]
    return float(np.mean([sum(sum(seconds[step]) for step in steps) for seconds in runs])) / 60


def mean_seconds(measured: Measurements) -> dict[str, float]:
    """The CPU seconds of each step, mean over all epochs of all runs."""
    steps = next(iter(measured.complete.values()))["seconds"]
    return {
        step: float(
            np.mean([s for run in measured.complete.values() for s in run["seconds"][step]])
        )
        for step in steps
    }


def draw_curves(measured: Measurements, path: Path) -> None:
    """Draw by epoch the target score and two predictors of it, one curve per architecture."""
    test, dev = measured.table("epochs_paper"), measured.table("validation")
    columns = {
        "CIDEr-D of test images": measured.by_run(test, test.post["cider_d"]),
        f"{TOP[0]}, validation": measured.by_run(dev, dev.pre[TOP[0]]),
        "perplexity, validation": measured.by_run(dev, dev.pre[BASELINE]),
    }
    kinds = dict.fromkeys(run["architecture"] for run in measured.complete.values())
    panels = {
        title: {
            name: [by_run[run] for run in by_run if measured.complete[run]["architecture"] == name]
            for name in kinds
        }
        for title, by_run in columns.items()
    }
    curves: EpochCurves = {
        title: {name: [values.tolist() for values in runs] for name, runs in by_name.items()}
        for title, by_name in panels.items()
    }
    plot_epochs(path, "Our captioners by epoch: mean over seeds", curves)
