"""The options of `captious meta`, and checks of them before anything is read or scored."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from captious.cli.inputs import add_image_options
from captious.cli.options import METRICS_HELP, add_shared_options, split_names
from captious.cli.output import check_json_output, check_table_output
from captious.errors import InputError
from captious.meta.benchmarks import BENCHMARKS, find_benchmark
from captious.meta.benchmarks.hallucinations import HAT
from captious.meta.presets import PRESETS
from captious.meta.presets import STANDARD as STANDARD_PROTOCOL
from captious.meta.protocol import CHOICES, DOCUMENTS
from captious.meta.task import CUSTOM
from captious.metrics.pooling import POOLS
from captious.registry import DEFAULT
from captious.report.browser.page import check_page
from captious.report.meta_plots import check_plot
from captious.text.languages import ENGLISH, language_code

ALL = "all"
OVERRIDES = {  # fields of the protocol: the choices, and what the field says
    "raters": (CHOICES["raters"], "how several people's ratings of a caption are used"),
    "own": (CHOICES["own"], "what becomes of candidates that are among the references"),
    "documents": (DOCUMENTS, "the unit in which CIDEr counts document frequencies"),
    "statistic": (CHOICES["statistic"], "the measure of agreement"),
    "ties": (CHOICES["ties"], "what a tie between two candidates' scores counts"),
    "weights": (CHOICES["weights"], "how pairs are weighted in accuracy"),
}
SINGLE_RATING_OPTIONS = (
    "references",
    "time",
    "versus",
    "scores",
    "samples",
    "plot",
    "scatter",
    "report",
)
EVALUATION_OPTIONS = ("ceiling", "power")  # options of one evaluation of metrics
SINGLE_BENCHMARK_OPTIONS = (
    *EVALUATION_OPTIONS,
    *("references", "time", "versus", "scores", "samples", "scatter"),
    *("images", "df", "report", "part", "words"),
)
CUSTOM_OPTIONS = ("own_scores", "judgements", "ratings")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    judgements = parser.add_argument_group("benchmark")
    judgements.add_argument(
        "benchmark",
        choices=(*BENCHMARKS, ALL),
        metavar="BENCHMARK",
        help="one of the benchmarks listed below",
    )
    judgements.add_argument(
        "--data", metavar="DIR", help="the folder with the benchmark's files, or its parent"
    )
    judgements.add_argument(
        "--part",
        metavar="NAME",
        help="only one part of a benchmark that has parts, such as choose of hat",
    )
    judgements.add_argument(
        "--systems", metavar="DIR", help="for coco-2015: the systems' results files"
    )
    judgements.add_argument(
        "--judgements", metavar="FILE", help="for custom: rows of candidate, references, rating"
    )
    judgements.add_argument(
        "--ratings",
        metavar="NAMES",
        help="for custom: columns of --judgements with ratings; several are "
        "evaluated as aspects, in one table (default: rating)",
    )
    judgements.add_argument(
        "--own-scores",
        metavar="NAMES",
        help="for custom: columns of --judgements with your own scores",
    )

    metrics = parser.add_argument_group("metrics")
    metrics.add_argument("--metrics", help=f"{METRICS_HELP} (default: {','.join(DEFAULT)})")
    add_shared_options(metrics, "--df", "--language")
    add_image_options(metrics)
    metrics.add_argument(
        "--samples", metavar="FILE", help="write the captions to be scored to this file, and stop"
    )
    metrics.add_argument(
        "--scores",
        metavar="FILE",
        help="evaluate these scores, by any tool, of the captions that --samples wrote",
    )
    add_shared_options(metrics, "--no-cache")

    protocol = parser.add_argument_group("protocol")
    protocol.add_argument(
        "--protocol",
        choices=tuple(PRESETS),
        default=STANDARD_PROTOCOL,
        help="ours, or that of a paper",
    )
    for field, (choices, what) in OVERRIDES.items():
        protocol.add_argument(
            f"--{field}", choices=choices, help=f"instead of the protocol's: {what}"
        )
    protocol.add_argument(
        "--joined", action="store_true", help="join all references of a caption into one"
    )

    measures = parser.add_argument_group("further measurements")
    measures.add_argument(
        "--ceiling",
        action="store_true",
        help="agreement among people, and the best agreement that a metric can reach",
    )
    measures.add_argument(
        "--versus",
        metavar="A,B",
        help="test two metrics against each other; for custom also columns of --judgements",
    )
    measures.add_argument(
        "--power",
        action="store_true",
        help="with --versus: how many images a significant difference needs",
    )
    measures.add_argument(
        "--references",
        metavar="N,N...",
        help="agreement by number of references: 1,2,5 at random, or first:5 of the file",
    )
    measures.add_argument(
        "--pool",
        metavar="NAMES",
        help=f"with --references: how to pool over single references: {', '.join(POOLS)} or own",
    )
    measures.add_argument(
        "--words",
        action="store_true",
        help="for hat: compare the words that no reference supports with those that people marked",
    )
    measures.add_argument(
        "--time", action="store_true", help="only measure how long each metric takes"
    )
    add_shared_options(measures, "--resamples", "--seed")

    files = parser.add_argument_group("files to write")
    files.add_argument("--output", metavar="FILE", help="write everything to this JSON file")
    files.add_argument(
        "--report",
        metavar="FILE",
        help="write an HTML report: agreement, plots, every judged caption with its scores",
    )
    files.add_argument("--plot", metavar="FILE", help="draw the result as .png or .svg")
    files.add_argument(
        "--scatter", metavar="FILE", help="draw scores against ratings as .png or .svg"
    )


def check_options(options: argparse.Namespace) -> None:
    """Raise InputError for options that are missing, contradict each other or cannot be written."""
    _check_data(options)
    _check_files(options)
    _check_single_benchmark(options)
    _check_single_evaluation(options)
    _check_single_rating(options)
    if options.words:
        _check_words(options)
    if options.df is not None and options.documents is not None:
        raise InputError("--df and --documents both say where document frequencies come from")
    _check_language(options)
    if options.power and options.versus is None:
        raise InputError("--power needs --versus A,B: the two metrics to compare")
    if options.pool is not None and options.references is None:
        raise InputError("--pool needs --references")


def _given_options(options: argparse.Namespace, names: Iterable[str]) -> list[str]:
    """Return those of the options that were given, in this order."""
    return [name for name in names if getattr(options, name)]


def _check_data(options: argparse.Namespace) -> None:
    """Require judgements for a custom benchmark, and the data folder for any other."""
    if options.benchmark == CUSTOM:
        if options.judgements is None:
            raise InputError("custom: name your judgements with --judgements FILE")
        return
    for name in _given_options(options, CUSTOM_OPTIONS):
        option = name.replace("_", "-")
        raise InputError(f"--{option} is for custom; {options.benchmark} reads --data DIR")
    if options.data is None:
        needs = "" if options.benchmark == ALL else _describe_source(options.benchmark)
        raise InputError(f"{options.benchmark}: name the folder of its files with --data{needs}")


def _check_single_benchmark(options: argparse.Namespace) -> None:
    """Reject options of one benchmark where all are evaluated."""
    if options.benchmark == ALL:
        for name in _given_options(options, SINGLE_BENCHMARK_OPTIONS):
            raise InputError(f"--{name} is for one benchmark, not for all")


def _check_single_evaluation(options: argparse.Namespace) -> None:
    """Reject options of one evaluation of metrics where something else is asked for."""
    for name in _given_options(options, ("report", *EVALUATION_OPTIONS)):
        for other in _given_options(options, ("samples", "time", "references")):
            raise InputError(f"--{name} shows one evaluation of metrics; leave out --{other}")


def _check_single_rating(options: argparse.Namespace) -> None:
    """Reject options of one column of ratings where several are named."""
    if len(split_names(options.ratings or "")) > 1:
        for name in _given_options(options, (*SINGLE_RATING_OPTIONS, *EVALUATION_OPTIONS)):
            raise InputError(f"--{name} is of one column of ratings; name one with --ratings")


def _check_language(options: argparse.Namespace) -> None:
    """Reject options that are for English where captions are in another language."""
    if language_code(options.language) != ENGLISH:
        for name in _given_options(options, ("report", "time")):
            raise InputError(f"--{name} is for English; leave out --language, or --{name}")


def _check_words(options: argparse.Namespace) -> None:
    """Reject options that have no meaning with --words."""
    if options.benchmark != HAT.name:
        raise InputError(f"--words is for {HAT.name}, whose words are marked")
    of_metrics = ("metrics", "references", "time", "versus", "scores", "samples", "scatter", "plot")
    for other in (*of_metrics, "report", "images", "df", *OVERRIDES, "joined"):
        if getattr(options, other):
            raise InputError(f"--words compares words, not metrics; leave out --{other}")


def _check_files(options: argparse.Namespace) -> None:
    """Raise an error for output files that cannot be written."""
    for path in (options.plot, options.scatter):
        if path is not None:
            check_plot(path)
    check_json_output(options.output)
    check_table_output(options.samples)
    if options.report is not None:
        check_page(options.report)


def _describe_source(benchmark: str) -> str:
    return f"; they come from {find_benchmark(benchmark).source}"
