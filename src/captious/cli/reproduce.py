"""captious reproduce: every table and figure of a paper, ours beside published, with verdicts."""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Sequence
from pathlib import Path

from captious._internal.checks.bounds import COUNT
from captious.cli.options import number_in
from captious.cli.output import note, print_table
from captious.cli.terminal import show
from captious.errors import CaptiousError, InputError
from captious.io.inputs import is_folder
from captious.papers.catalogue import EXHIBITS, PAPERS, select_exhibits
from captious.papers.exhibit import Exhibit
from captious.papers.measurements.exhibits import measure_exhibit, unmeasured_exhibit
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.sources import CAPTIONED_IN_FOLDS, list_fold_captions
from captious.papers.pages import check_pages, numbers_file, write_pages
from captious.papers.reproduction import Finding, Reproduction, load_reproduction
from captious.papers.verdicts import MEASURED
from captious.training.critics.machine_captions import captioner_files

DESCRIPTION = """Reproduce every numbered table and figure of a paper: our values next to the
published ones, with intervals or ranges over seeds, and a verdict for each: reproduced within the
stated tolerance, claims hold (where no number can be compared), different (why), or impossible
(why). Features, networks and scores are cached: a second run is quick and gives the same numbers,
and an interrupted run resumes."""
EXAMPLES = """examples:
  captious reproduce                                    # the papers, and what each has
  captious reproduce lceval --data DIR                  # every table and figure
  captious reproduce lceval --data DIR --table 4 --table 5
  captious reproduce nneval --data DIR --quick          # few captions, to test that all works
  captious reproduce leic --data DIR --captioners RUNS --output docs/papers
  captious reproduce leic --data DIR --captioners RUNS --output docs/papers --table 1
                                                        # update this table, keep the rest
  captious reproduce leic --render --output docs/papers # its page again, from its numbers
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "paper",
        nargs="?",
        help=f"one of: {', '.join(PAPERS)}; without one, list them",
    )
    parser.add_argument(
        "--table",
        action="append",
        type=number_in(COUNT),
        metavar="N",
        help="only this table; may be given several times",
    )
    parser.add_argument(
        "--figure",
        action="append",
        type=number_in(COUNT),
        metavar="N",
        help="only this figure; may be given several times",
    )
    parser.add_argument(
        "--section", action="append", help="only this section; may be given several times"
    )
    parser.add_argument(
        "--data",
        metavar="DIR",
        help="the folder of benchmarks and training captions: flickr8k, composite, coco...",
    )
    parser.add_argument(
        "--captioners",
        metavar="DIR",
        help="a folder of captioners, as `captious captioner train` writes them: *.npz, "
        "or */captioner.npz; for exhibits with machine-generated captions of Flickr8k. In its "
        f"folder {CAPTIONED_IN_FOLDS}: captions written by tools/caption_in_folds.py",
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="few captions and epochs: to test that everything works",
    )
    parser.add_argument(
        "--output",
        metavar="DIR",
        help="write the paper's page with its plots, all numbers as JSON, and a summary "
        "of the papers there into this folder; with --table, --figure or --section, "
        "what was not measured now is taken from the numbers there",
    )
    parser.add_argument(
        "--render",
        action="store_true",
        help="measure nothing: write the page in --output again, from the numbers there",
    )


def run(options: argparse.Namespace) -> None:
    """List the papers, or measure exhibits, print and write them."""
    if options.paper is None:
        _list_exhibits(options)
        return
    chosen = select_exhibits(
        options.paper,
        tuple(options.table or ()),
        tuple(options.figure or ()),
        tuple(options.section or ()),
    )
    _check_options(options, chosen)
    if options.render:
        reproduction = _render_earlier(options)
    else:
        before = _load_earlier(options, chosen)  # an error of the page comes before the work
        reproduction = _measure(options, chosen)
        if before is not None:
            reproduction = before.replace_findings(reproduction.findings)
    show(reproduction.to_text(options.format))
    if options.output is not None:
        for path in write_pages(Path(options.output), reproduction):
            note(options, f"written: {path}")


def _render_earlier(options: argparse.Namespace) -> Reproduction:
    """Load the reproduction that --output holds."""
    path = numbers_file(Path(options.output), options.paper)
    reproduction = load_reproduction(path, PAPERS[options.paper], EXHIBITS[options.paper])
    check_pages(Path(options.output))
    return reproduction


def _load_earlier(options: argparse.Namespace, chosen: Sequence[Exhibit]) -> Reproduction | None:
    """Load the stored reproduction if only a part of the paper is measured now."""
    if options.output is None or len(chosen) == len(EXHIBITS[options.paper]):
        return None
    path = numbers_file(Path(options.output), options.paper)
    if not path.is_file():
        raise InputError(
            f"{path}: there is no such file to take the rest of the page from; leave out --table, "
            "--figure and --section to measure all of it"
        )
    before, command = _render_earlier(options), _repeatable_command(options)
    if before.command != command:
        raise InputError(
            f"{path}: was measured by `{before.command}`, which is not `{command}`: a page's parts "
            "are to be measured alike"
        )
    return before


def _measure(options: argparse.Namespace, chosen: Sequence[Exhibit]) -> Reproduction:
    """Measure the chosen exhibits."""
    if any(exhibit.requires_pytorch for exhibit in chosen) and not importlib.util.find_spec(
        "torch"
    ):
        # Said before features are extracted, which takes longest.
        note(options, "PyTorch is not installed: only networks that were kept can be used")
    experiment = Experiment(
        Path(options.data),
        options.quick,
        progress=lambda line: note(options, line),
        captioners=None if options.captioners is None else Path(options.captioners),
    )
    findings = _measure_exhibits(options, chosen, experiment)
    return Reproduction(PAPERS[options.paper], findings, _repeatable_command(options))


def _measure_exhibits(
    options: argparse.Namespace, chosen: Sequence[Exhibit], experiment: Experiment
) -> tuple[Finding, ...]:
    """Measure each exhibit; one that cannot be run does not stop the others."""
    findings = []
    errors: list[CaptiousError] = []
    for place, exhibit in enumerate(chosen, 1):
        note(options, f"{exhibit.place.label} ({place} of {len(chosen)}): {exhibit.title}")
        try:
            findings.append(measure_exhibit(exhibit, experiment))
        except CaptiousError as error:
            note(options, f"{exhibit.place.label} cannot be run: {error}")
            errors.append(error)
            findings.append(unmeasured_exhibit(exhibit, error))
    if errors and not any(finding.verdict in MEASURED for finding in findings):
        raise errors[0]
    return tuple(findings)


def _list_exhibits(options: argparse.Namespace) -> None:
    given = (options.data, options.captioners, options.output, *_chosen_parts(options))
    if options.render or any(value is not None for value in given):
        raise InputError(f"name a paper: {', '.join(PAPERS)}")
    rows, data = [], []
    for key, paper in PAPERS.items():
        for exhibit in EXHIBITS[key]:
            row = {
                "paper": key,
                "source": paper.source,
                "place": exhibit.place.label,
                "title": exhibit.title,
            }
            data.append(row)
            rows.append((key, row["place"], row["title"]))
    print_table(options.format, ("paper", "exhibit", "what it shows"), rows, data, 3)


def _check_options(options: argparse.Namespace, chosen: Sequence[Exhibit]) -> None:
    """Raise an error, before any work, for options that contradict each other or name no data."""
    if options.render:
        given = (options.data, options.captioners, *_chosen_parts(options))
        if options.output is None or options.quick or any(value is not None for value in given):
            raise InputError(
                "--render measures nothing: name the page's folder with --output DIR, and leave "
                "out --data, --captioners, --table, --figure, --section and --quick"
            )
        return
    if options.data is None:
        raise InputError("name the folder of the data with --data DIR")
    if not is_folder(options.data):
        raise InputError(f"{options.data}: no such folder; name the data's with --data")
    if options.captioners is not None:
        _check_captioners(Path(options.captioners))
    if options.output is not None:
        check_pages(Path(options.output))


def _check_captioners(folder: Path) -> None:
    """Raise an error if a folder has neither captioners nor captions written in folds."""
    if not list_fold_captions(folder):
        captioner_files(folder)


def _chosen_parts(options: argparse.Namespace) -> tuple[object, ...]:
    """Return the options that choose parts of a paper."""
    return options.table, options.figure, options.section


def _repeatable_command(options: argparse.Namespace) -> str:
    """Return the command that measures the page again, with placeholders for folders."""
    words = ["captious reproduce", options.paper, "--data DIR"]
    if options.captioners is not None:
        words.append("--captioners RUNS")
    if options.quick:
        words.append("--quick")
    return " ".join(words)
