"""captious report: a page about one system or several, for a browser."""

from __future__ import annotations

import argparse

from captious.cli.options import AddOption, declare_resamples_option
from captious.cli.pages import write_systems
from captious.cli.progress import work_bars
from captious.cli.systems import parse_systems
from captious.cli.terminal import show
from captious.comparison.score_files import read_scores
from captious.errors import InputError, short_repr
from captious.io.caption_tables import ReadOptions
from captious.io.captions import read_corpus
from captious.report.browser.page import check_page
from captious.report.systems.caption_data import AUTO, SCENES
from captious.report.systems.pictures import IMAGE_BUDGET_MB
from captious.report.systems.report_data import ReportOptions
from captious.report.systems.systems import with_captions
from captious.report.systems.writing import MEGABYTES
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


def declare(add_option: AddOption) -> None:
    """Add the arguments."""
    add_option("scores", "scores of each system", nargs="+", metavar="SCORES")
    add_option("--output", "the .html file to write", required=True, metavar="FILE")
    add_option("--title", "title of the page", metavar="TEXT", default_text="the systems' names")
    add_option("--images", "a folder with the samples' images, found by image or id", metavar="DIR")
    linked = "with --images: link to the files instead of embedding the images"
    add_option("--link-images", linked, action="store_true")
    budget = "megabytes of images in the page, the most informative first"
    add_option("--image-budget", budget, bounds=MEGABYTES, default=IMAGE_BUDGET_MB, metavar="MB")
    scenes = "scene graphs; auto: if SPICE was scored and captions are not too many"
    add_option("--scenes", scenes, choices=SCENES, default=AUTO)
    candidates = "the scored captions, for scores written without captions"
    add_option("--candidates", candidates, nargs="+", metavar="NAME=FILE", default=[])
    references = "references, for scores written without them; several files are joined"
    add_option("--references", references, nargs="+", metavar="FILE")
    add_option("--by")
    declare_resamples_option(add_option)
    add_option("--seed")
    add_option("--interval")


def run(options: argparse.Namespace) -> None:
    """Read the scores, write the report and print its path."""
    check_page(options.output)
    files = {name: file for name, (file,) in parse_systems(options.scores).items()}
    by = [] if options.by is None else [options.by]
    wanted = ReportOptions(
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
        results = _with_captions(options, files, results)
        said = write_systems(options, options.output, results, wanted)
    show(said)


def _with_captions(
    options: argparse.Namespace, files: dict[str, str], results: dict[str, Result]
) -> dict[str, Result]:
    """The results with the captions and references that were named beside them."""
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
