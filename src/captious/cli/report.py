"""captious report: a page about one system or several, for a browser."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from captious.cli.inputs import ignore_image_size_warnings, parse_systems
from captious.cli.options import add_resamples_option, add_shared_options, number_in
from captious.cli.output import note, typed_command
from captious.cli.progress import work_bars
from captious.cli.terminal import show
from captious.comparison.score_files import read_scores
from captious.errors import InputError, format_count, short_repr
from captious.io.caption_tables import ReadOptions
from captious.io.captions import read_corpus
from captious.report.browser.page import check_page
from captious.report.systems.caption_data import AUTO, SCENES
from captious.report.systems.pictures import IMAGE_BUDGET_MB
from captious.report.systems.report_data import MEGABYTES, ReportOptions, write_contents
from captious.report.systems.systems import with_captions
from captious.result import Result

DESCRIPTION = """Write an HTML report about one or several systems: the leaderboard, every sample
with its captions, words that no reference supports, scene graphs, and the kinds of captions that
each system fails on. It is one file that opens in a browser, offline. The files are what `captious
score --output` wrote, or folders of parts. A system has the name of its file, or yours:
NAME=FILE."""
EXAMPLES = """examples:
  captious report ours.jsonl theirs.jsonl --output report.html
  captious report ours=run7.jsonl baseline=run1.jsonl --images photos/ --output report.html
  captious report old.csv --candidates old=results.json --references captions.json --output old.html
"""
PRINTS_TABLES = False


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("scores", nargs="+", metavar="SCORES", help="scores of each system")
    parser.add_argument("--output", required=True, metavar="FILE", help="the .html file to write")
    parser.add_argument(
        "--title", metavar="TEXT", help="title of the page (default: the systems' names)"
    )

    samples = parser.add_argument_group("samples")
    samples.add_argument(
        "--candidates",
        nargs="+",
        default=[],
        metavar="NAME=FILE",
        help="the scored captions, for scores written without captions",
    )
    samples.add_argument(
        "--references",
        nargs="+",
        metavar="FILE",
        help="references, for scores written without them; several files are joined",
    )
    samples.add_argument(
        "--images", metavar="DIR", help="a folder with the samples' images, found by image or id"
    )
    samples.add_argument(
        "--link-images",
        action="store_true",
        help="with --images: link to the files instead of embedding the images",
    )
    samples.add_argument(
        "--image-budget",
        type=number_in(MEGABYTES),
        default=IMAGE_BUDGET_MB,
        metavar="MB",
        help="megabytes of images in the page, the most informative first",
    )
    samples.add_argument(
        "--scenes",
        choices=SCENES,
        default=AUTO,
        help="scene graphs; auto: if SPICE was scored and captions are not too many",
    )

    statistics = parser.add_argument_group("statistics")
    add_shared_options(statistics, "--by", "--interval")
    add_resamples_option(statistics)
    add_shared_options(statistics, "--seed")


def run(options: argparse.Namespace) -> None:
    """Read the scores, write the report and print its path."""
    check_page(options.output)
    files = {name: file for name, (file,) in parse_systems(options.scores).items()}
    by = [] if options.by is None else [options.by]
    report_options = ReportOptions(
        title=options.title,
        images=options.images,
        page=options.output if options.link_images else None,
        megabytes=options.image_budget,
        scenes=options.scenes,
        resamples=options.resamples,
        seed=options.seed,
        method=options.interval,
    )
    with work_bars(options):
        results = {name: read_scores(file, by) for name, file in files.items()}
        results = _add_captions(options, files, results)
        summary = write_systems_report(options, options.output, results, report_options)
    show(summary)


def _add_captions(
    options: argparse.Namespace, files: dict[str, str], results: dict[str, Result]
) -> dict[str, Result]:
    """Add the captions of --candidates and --references to the results."""
    candidates = {name: file for name, (file,) in parse_systems(options.candidates).items()}
    for name in candidates:
        if name not in files:
            raise InputError(
                f"--candidates {short_repr(name)}: no scores of that name; there are: "
                f"{', '.join(files)}"
            )
    if options.references is None and not candidates:
        return results
    reading = ReadOptions(repeated=True)
    captioned = dict(results)
    for name, result in results.items():
        # A file of scores that kept its captions can be read as candidates, too.
        file = candidates.get(name, files[name] if result.captions is not None else None)
        if file is not None:
            corpus = read_corpus(file, options.references, reading)
            captioned[name] = with_captions(result, corpus, file)
    if all(result.captions is None for result in captioned.values()):
        raise InputError("--references: scores without captions; add --candidates NAME=FILE")
    return captioned


def write_systems_report(
    options: argparse.Namespace,
    path: str,
    results: Mapping[str, Result],
    report_options: ReportOptions,
) -> str:
    """Write the page, note what it lacks, and return a line with its path and size."""
    ignore_image_size_warnings()
    commands = [typed_command(options)]
    contents = write_contents(path, results, replace(report_options, commands=commands))
    for remark in contents.made.notes:
        note(options, remark)
    samples, systems = len(contents.ids), len(contents.series)
    made = f"{format_count(samples, 'sample')} of {format_count(systems, 'system')}"
    size = Path(path).stat().st_size / 1e6
    return f"{path}: {made}, {size:.1f} MB; open it in a browser"
