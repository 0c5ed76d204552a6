"""captious experiment: repeat an experiment of the papers, published figures beside ours."""

from __future__ import annotations

import argparse
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from captious.cli.output import add_output_options, note, print_table
from captious.cli.terminal import show
from captious.errors import InputError
from captious.files.inputs import is_folder
from captious.files.json_text import json_text

if TYPE_CHECKING:
    from argparse import _SubParsersAction

EXAMPLES = """examples:
  captious experiment                                         # what there is
  captious experiment correlation chain-depth --data DIR
  captious experiment references --data DIR --plot references.svg
  captious experiment capability --data DIR --captioners RUNS
"""


def add_parser(commands: _SubParsersAction[Any]) -> None:
    """Declare the command."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "experiment",
        help="repeat an experiment of the papers",
        description=(
            "Repeat experiments of the papers on metrics that learn, published figures beside "
            "ours. Features, networks and what captioners wrote are kept in the user's folder for "
            "caches: a second run is quick, and one that was stopped goes on."
        ),
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", metavar="NAME", nargs="*", help="without one: what there is")
    parser.add_argument(
        "--data",
        metavar="DIR",
        help="the folder of benchmarks and training captions: flickr8k, composite, coco...",
    )
    parser.add_argument(
        "--captioners",
        metavar="DIR",
        help="a folder of captioners, as `captious captioner train` writes them: *.npz, or "
        "*/captioner.npz; for experiments with machines' captions of Flickr8k",
    )
    parser.add_argument(
        "--quick", action="store_true", help="few captions and epochs: to see that all works"
    )
    parser.add_argument("--plot", metavar="FILE", help="draw one experiment as .png or .svg")
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """List, or carry out, draw and print."""
    from captious.experiments.catalogue import EXPERIMENTS, experiments_named

    if not options.names:
        if any(given is not None for given in (options.plot, options.data, options.captioners)):
            raise InputError("name an experiment; `captious experiment` lists them")
        rows = [(each.name, each.paper, each.shows) for each in EXPERIMENTS.values()]
        header = ("name", "paper", "what it shows")
        data = [dict(zip(("name", "paper", "shows"), row, strict=True)) for row in rows]
        print_table(options.format, header, rows, data, 3)
        return
    from captious.experiments.workbench.bench import Workbench
    from captious.report.meta_plots import check_plot
    from captious.training.critics.machine_captions import captioner_files

    chosen = experiments_named(options.names)
    if options.data is None:
        raise InputError("name the folder of the data with --data DIR")
    if not is_folder(options.data):
        raise InputError(f"{options.data}: no such folder; name the data's with --data")
    captioners = None if options.captioners is None else Path(options.captioners)
    if captioners is not None:
        captioner_files(captioners)  # none there is said now
    if options.plot is not None:
        if len(chosen) > 1:
            raise InputError("--plot draws one experiment; name only one")
        if not chosen[0].draws:
            raise InputError(f"{chosen[0].name}: nothing to draw, only tables")
        check_plot(options.plot)
    if (
        any(experiment.trains for experiment in chosen)
        and importlib.util.find_spec("torch") is None
    ):
        # Said before features are extracted, which takes longest.
        note(options, "PyTorch is not installed: only networks that were kept can be used")
    bench = Workbench(
        Path(options.data),
        options.quick,
        tell=lambda line: note(options, line),
        captioners=captioners,
    )
    findings = []
    for experiment in chosen:
        finding = experiment.run(bench)
        findings.append(finding)
        if options.plot is not None:
            from captious.report.plots.panels import plot_panels

            plot_panels(options.plot, finding.title, finding.panels)
        if options.format != "json":
            show(finding.to_text(options.format), end="\n\n" if experiment != chosen[-1] else "\n")
    if options.format == "json":
        show(json_text([finding.to_dict() for finding in findings], indent=2))
