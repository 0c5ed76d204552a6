"""captious pregen: a captioner's quality before it writes a word."""

from __future__ import annotations

import argparse
import math
from typing import Any

from captious._internal.checks.bounds import COUNT
from captious.cli.options import AddOption, split_names
from captious.cli.output import check_table_output, note, print_table
from captious.cli.pregen_strata import declare_strata, run_strata
from captious.io.formats import write_columns
from captious.metrics.parameters import VARIANTS
from captious.pregen.files import read_probabilities
from captious.pregen.names import ALIASES, DEFAULT, PERPLEXITY, select
from captious.pregen.scoring import pregen_scores
from captious.pregen.search import Search, search
from captious.pregen.search_table import read_search_tables
from captious.report.pregen_plots import plot_search

DESCRIPTION = """Pre-gen metrics: predict a captioner's quality from the probabilities that it
assigns to the words of reference captions, without generating any."""
EXAMPLES = """examples:
  captious pregen score probabilities.npz
  captious pregen score probabilities.npz --metrics all --format json
  captious pregen score probabilities.parquet --metrics 'mean_*_prefix0,perplexity'
  captious pregen strata init_1.npz --candidates init_1.json --references captions.json \\
      --dataset flickr8k --output models.csv
  captious pregen search models.csv --plots plots --output r2.csv
"""


def declare_score(add_option: AddOption) -> None:
    """Add the arguments."""
    add_option("file", "word probabilities: .npz, .parquet, .json or .jsonl", metavar="FILE")
    names = "names or patterns separated by commas, perplexity, or all"
    default_text = "the paper's best four and perplexity"
    add_option("--metrics", names, default=",".join(DEFAULT), default_text=default_text)
    variant = "in the released variant, filter0 keeps the words not ranked first"
    add_option("--variant", variant, choices=VARIANTS, default=VARIANTS[0])


def run_score(options: argparse.Namespace) -> None:
    """Read, compute, print."""
    names = split_names(options.metrics)
    select(names)  # a name misspelt is said before a large file is read
    words = read_probabilities(options.file)
    scores = pregen_scores(words, names, variant=options.variant)
    data = {
        "images": words.n_images,
        "captions": words.n_captions,
        "words": len(words.probabilities),
        "variant": options.variant,
        "metrics": {name: _finite(value) for name, value in scores.items()},
    }
    rows = [[name, f"{value:.6g}"] for name, value in scores.items()]
    print_table(options.format, ["metric", "value"], rows, data, 1)
    note(options, f"{words.n_images} images, {words.n_captions} captions, {options.variant}")


def declare_search(add_option: AddOption) -> None:
    """Add the arguments."""
    add_option(
        "tables",
        "one row per model and stratum: dataset, architecture, run, then post-gen and pre-gen "
        "metrics (.csv, .jsonl, .parquet; .txt or .tsv with tabs; also gzipped); several "
        "are searched as one",
        metavar="TABLE",
        nargs="+",
    )
    others = "all that are neither keys nor pre-gen"
    add_option("--post", "columns of post-gen metrics", default_text=others, metavar="NAMES")
    add_option("--top", "number of metrics to show", bounds=COUNT, default=5)
    add_option("--resamples")
    add_option("--seed")
    add_option("--output", "write the R² of all metrics to this file", metavar="FILE")
    add_option("--plots", "draw the paper's figures 4, 5 and 6 into this folder", metavar="DIR")


def run_search(options: argparse.Namespace) -> None:
    """Read, rank, write, draw, print."""
    check_table_output(options.output)
    post = None if options.post is None else split_names(options.post)
    table = read_search_tables(options.tables, post)
    result = search(table, resamples=options.resamples, seed=options.seed)
    if options.plots is not None:
        for path in plot_search(options.plots, result, options.top):
            note(options, f"drawn: {path}")
    if options.output is not None:
        write_columns(options.output, _all_columns(result))
    header, rows = search_rows(result, options.top)
    print_table(options.format, header, rows, result.to_dict(options.top), 3)
    note(
        options,
        f"{len(result.table)} rows of {result.models} models; {result.ranked_count} metrics "
        "ranked, "
        f"{len(result.dropped)} infinite or constant somewhere; intervals over models",
    )


def declare_metrics(add_option: AddOption) -> None:
    """It takes no arguments of its own."""


def run_metrics(options: argparse.Namespace) -> None:
    """Print one row a metric."""
    metrics = select("all")
    header = ["metric", "data set", "image", "sentence", "filter"]
    rows = [[each.name, each.dataset, each.image, each.sentence, each.filter] for each in metrics]
    print_table(options.format, header, rows, [each.name for each in metrics], len(header))


def search_rows(result: Search, top: int) -> tuple[list[str], list[list[str]]]:
    """The best metrics for each post-gen metric, and perplexity wherever it stands."""
    datasets = list(dict.fromkeys(result.table.datasets))
    header = ["post-gen", "place", "pre-gen", "r", "R²", "95 % interval", *datasets]
    baseline = ALIASES[PERPLEXITY]
    shown = []
    for post, rows in result.rankings.items():
        for place, row in enumerate(rows, 1):
            if place <= top or row.metric == baseline:
                low, high = row.interval
                interval = "-" if math.isnan(low) else f"{low:.3f} to {high:.3f}"
                figures = [f"{row.by_dataset[dataset]:.3f}" for dataset in datasets]
                fit = [f"{row.r:+.3f}", f"{row.r2:.3f}", interval]
                shown.append([post, str(place), row.metric, *fit, *figures])
    return header, shown


def _all_columns(result: Search) -> dict[str, list[Any]]:
    """Every post-gen with every pre-gen metric, one row each."""
    pairs = [
        {"post": post, "place": place, **row.to_dict()}
        for post, rows in result.rankings.items()
        for place, row in enumerate(rows, 1)
    ]
    for pair in pairs:
        pair["low"], pair["high"] = pair.pop("interval")
        pair |= {f"r2_{name}": r2 for name, r2 in pair.pop("datasets").items()}
    return {name: [pair[name] for pair in pairs] for name in pairs[0]}


def _finite(value: float) -> float | None:
    """A number as JSON knows it, which has no infinity."""
    return value if math.isfinite(value) else None


PARTS_CALLED = "PART"
PARTS = {
    "score": ("the metrics of a file of word probabilities", declare_score, run_score),
    "strata": ("models on a test set as rows of a search's table", declare_strata, run_strata),
    "search": ("which pre-gen metric predicts post-gen metrics best", declare_search, run_search),
    "metrics": ("list all 504 metrics", declare_metrics, run_metrics),
}
