"""captious experiment: repeat an experiment of the papers, published figures beside ours."""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Sequence
from pathlib import Path

from captious.cli.options import Add
from captious.cli.output import note, print_table
from captious.cli.terminal import show
from captious.errors import InputError
from captious.experiments.catalogue import EXPERIMENTS, experiments_named
from captious.experiments.declaration import Experiment
from captious.experiments.workbench.bench import Workbench
from captious.experiments.workbench.grids import run_experiment
from captious.files.inputs import is_folder
from captious.files.json_text import json_text
from captious.report.meta_plots import check_plot
from captious.report.plots.panels import plot_panels
from captious.training.critics.machine_captions import captioner_files

DESCRIPTION = """Repeat experiments of the papers on metrics that learn, published figures beside
ours. Features, networks and what captioners wrote are kept in the user's folder for caches: a
second run is quick, and one that was stopped goes on."""
EXAMPLES = """examples:
  captious experiment                                         # what there is
  captious experiment correlation chain-depth --data DIR
  captious experiment references --data DIR --plot references.svg
  captious experiment capability --data DIR --captioners RUNS
"""


def declare(add: Add) -> None:
    """Add the arguments."""
    add("names", "without one: what there is", metavar="NAME", nargs="*")
    data = "the folder of benchmarks and training captions: flickr8k, composite, coco..."
    add("--data", data, metavar="DIR")
    add(
        "--captioners",
        "a folder of captioners, as `captious captioner train` writes them: *.npz, or "
        "*/captioner.npz; for experiments with machines' captions of Flickr8k",
        metavar="DIR",
    )
    add("--quick", "few captions and epochs: to see that all works", action="store_true")
    add("--plot", "draw one experiment as .png or .svg", metavar="FILE")


def run(options: argparse.Namespace) -> None:
    """List, or carry out, draw and print."""
    if not options.names:
        _list(options)
        return
    chosen = experiments_named(options.names)
    _check(options, chosen)
    if any(experiment.trains for experiment in chosen) and not importlib.util.find_spec("torch"):
        # Said before features are extracted, which takes longest.
        note(options, "PyTorch is not installed: only networks that were kept can be used")
    bench = Workbench(
        Path(options.data),
        options.quick,
        tell=lambda line: note(options, line),
        captioners=None if options.captioners is None else Path(options.captioners),
    )
    findings = []
    for experiment in chosen:
        finding = run_experiment(experiment, bench)
        findings.append(finding)
        if options.plot is not None:
            plot_panels(options.plot, finding.title, finding.panels)
        if options.format != "json":
            show(finding.to_text(options.format), end="\n\n" if experiment != chosen[-1] else "\n")
    if options.format == "json":
        show(json_text([finding.to_dict() for finding in findings], indent=2))


def _list(options: argparse.Namespace) -> None:
    if any(path is not None for path in (options.plot, options.data, options.captioners)):
        raise InputError("name an experiment; `captious experiment` lists them")
    rows = [(each.name, each.paper, each.shows) for each in EXPERIMENTS.values()]
    data = [dict(zip(("name", "paper", "shows"), row, strict=True)) for row in rows]
    print_table(options.format, ("name", "paper", "what it shows"), rows, data, 3)


def _check(options: argparse.Namespace, chosen: Sequence[Experiment]) -> None:
    """Stop at what cannot be done before doing the rest."""
    if options.data is None:
        raise InputError("name the folder of the data with --data DIR")
    if not is_folder(options.data):
        raise InputError(f"{options.data}: no such folder; name the data's with --data")
    if options.captioners is not None:
        captioner_files(Path(options.captioners))
    if options.plot is not None:
        if len(chosen) > 1:
            raise InputError("--plot draws one experiment; name only one")
        if not chosen[0].draws:
            raise InputError(f"{chosen[0].name}: nothing to draw, only tables")
        check_plot(options.plot)
