"""captious pregen: a captioner's quality before it writes a word."""

from __future__ import annotations

import argparse
import math
from typing import Any

from captious._internal.checks.bounds import COUNT
from captious.cli.options import TOKENIZER_HELP, add_shared_options, number_in, split_names
from captious.cli.output import check_table_output, note, note_selection, print_table
from captious.cli.progress import Count, counting_bar
from captious.cli.terminal import show
from captious.errors import InputError
from captious.io.formats import write_columns
from captious.io.output_tables import format_decimals
from captious.io.training_captions import read_image_captions
from captious.metrics.parameters import VARIANTS
from captious.pregen.files import read_probabilities
from captious.pregen.names import ALIASES, ALL, DEFAULT, METRICS, PERPLEXITY, select
from captious.pregen.scoring import pregen_scores
from captious.pregen.search import Search, search
from captious.pregen.search_table import KEYS, MODEL_KEYS, read_search_tables
from captious.pregen.strata import (
    PARTS,
    POST_GEN,
    SharedReferencesScorer,
    pair_model_files,
    read_model,
    stratified_rows,
)
from captious.registry import select as select_post
from captious.report.pregen_plots import plot_search
from captious.text.analysis import TOKENIZERS

DESCRIPTION = """Pre-gen metrics: predict a captioner's quality from the probabilities that it
assigns to the words of reference captions, without generating any."""
Rows = list[dict[str, Any]]
EXAMPLES = """examples:
  captious pregen score probabilities.npz
  captious pregen score probabilities.npz --metrics all --format json
  captious pregen score probabilities.parquet --metrics 'mean_*_prefix0,perplexity'
  captious pregen strata init_1.npz --candidates init_1.json --references captions.json \\
      --dataset flickr8k --output models.csv
  captious pregen search models.csv --plots plots --output r2.csv
"""


def add_score_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "file", metavar="FILE", help="word probabilities: .npz, .parquet, .json or .jsonl"
    )
    parser.add_argument(
        "--metrics",
        default=",".join(DEFAULT),
        help="pre-gen metrics: names or patterns separated by commas, perplexity, or all (default: "
        "the paper's best four and perplexity)",
    )
    parser.add_argument(
        "--variant",
        choices=VARIANTS,
        default=VARIANTS[0],
        help="released: filter0 keeps the words not ranked first, as in the released code",
    )


def run_score(options: argparse.Namespace) -> None:
    """Read word probabilities, compute metrics and print them."""
    names = split_names(options.metrics)
    select(names)  # a name misspelt is said before a large file is read
    words = read_probabilities(options.file)
    scores = pregen_scores(words, names, variant=options.variant)
    data = {
        "images": words.n_images,
        "captions": words.n_captions,
        "words": len(words.probabilities),
        "variant": options.variant,
        "metrics": {name: _finite_or_none(value) for name, value in scores.items()},
    }
    rows = [[name, f"{value:.6g}"] for name, value in scores.items()]
    print_table(options.format, ["metric", "value"], rows, data, 1)
    note(options, f"{words.n_images} images, {words.n_captions} captions, {options.variant}")


def add_strata_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "probabilities",
        nargs="+",
        metavar="PROBABILITIES",
        help="word probabilities of references, one file per model: .npz, .parquet, .json "
        "or .jsonl; init_2.npz is run 2 of init",
    )
    parser.add_argument(
        "--candidates",
        nargs="+",
        required=True,
        metavar="FILE",
        help="each model's captions of the same images, one file per model, in the same order",
    )
    parser.add_argument(
        "--references",
        metavar="FILE",
        help="captions by image, as for the probabilities (default: those of the candidates)",
    )
    parser.add_argument(
        "--dataset", default="test", metavar="NAME", help="the test set's name in the table"
    )
    parser.add_argument(
        "--strata",
        type=number_in(COUNT),
        default=PARTS[-1],
        metavar="N",
        help="split the images into 1, 2 ... N equal parts by the CIDEr-D of the candidates",
    )
    parser.add_argument(
        "--metrics",
        default=ALL,
        help="pre-gen metrics: names or patterns separated by commas, or all",
    )
    parser.add_argument(
        "--post",
        default=",".join(POST_GEN),
        metavar="METRICS",
        help="post-gen metrics, named as for captious score",
    )
    parser.add_argument(
        "--variant",
        choices=VARIANTS,
        default=VARIANTS[0],
        help="released: filter0 keeps the words not ranked first, as in the released code",
    )
    parser.add_argument(
        "--tokenizer", choices=tuple(TOKENIZERS), default="ptb", help=TOKENIZER_HELP
    )
    parser.add_argument(
        "--output", required=True, metavar="FILE", help="the table, for captious pregen search"
    )


def run_strata(options: argparse.Namespace) -> None:
    """Read each model, score its strata, write the table and print a summary."""
    check_table_output(options.output)
    metrics = split_names(options.metrics)
    select(metrics)  # a name misspelt is said before large files are read
    post = select_post(options.post)
    note_selection(options, post)
    models = pair_model_files(options.probabilities, options.candidates)
    references = None if options.references is None else read_image_captions(options.references)
    scorers = SharedReferencesScorer(post, options.tokenizer)
    rows: Rows = []
    with counting_bar(options, "strata") as progress:
        for number, files in enumerate(models):
            model = read_model(files, references, str(options.references))
            if model.words.n_images < options.strata:
                raise InputError(
                    f"{files.probabilities}: {model.words.n_images} images cannot be split into "
                    f"{options.strata} parts; give --strata a lower number"
                )
            if model.unused:
                note(options, f"{files.candidates}: {model.unused} captions of other images")
            scored = scorers.score_model(model)
            rows += stratified_rows(
                files.keys(options.dataset),
                model.words,
                scored.cider,
                scored,
                metrics=metrics,
                parts=range(1, options.strata + 1),
                variant=options.variant,
                progress=progress and _scale_progress(progress, number, len(models)),
            )
    write_columns(options.output, {name: [row[name] for row in rows] for name in rows[0]})
    _print_models(options, [row for row in rows if row["num_strata"] == 1], len(rows))


def _scale_progress(progress: Count, number: int, models: int) -> Count:
    """Return a listener for one model that reports the progress of all."""
    return lambda done, strata: progress(number * strata + done, models * strata)


def _print_models(options: argparse.Namespace, models: Rows, rows: int) -> None:
    """Print one row for each model: its scores on the whole test set."""
    post = [name for name in models[0] if name not in KEYS and name not in METRICS]
    scores = [*post, *(name for name in DEFAULT if name in models[0])]
    table = [
        [*(model[key] for key in MODEL_KEYS), *(format_decimals(model[name]) for name in scores)]
        for model in models
    ]
    data = {
        "rows": rows,
        "output": options.output,
        "models": [{name: model[name] for name in (*MODEL_KEYS, *scores)} for model in models],
    }
    print_table(options.format, [*MODEL_KEYS, *scores], table, data, len(MODEL_KEYS))
    note(options, f"{rows} rows of {len(models)} models: {options.output}")


def add_search_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "tables",
        nargs="+",
        metavar="TABLE",
        help="one row per model and stratum: dataset, architecture, run, then post-gen "
        "and pre-gen metrics (.csv, .jsonl, .parquet; .txt or .tsv with tabs; also "
        "gzipped); several are searched as one",
    )
    parser.add_argument(
        "--post",
        metavar="NAMES",
        help="columns of post-gen metrics (default: all that are neither keys nor pre-gen)",
    )
    parser.add_argument(
        "--top", type=number_in(COUNT), default=5, metavar="N", help="number of metrics to show"
    )
    add_shared_options(parser, "--resamples", "--seed")
    parser.add_argument("--output", metavar="FILE", help="write the R² of all metrics to this file")
    parser.add_argument(
        "--plots", metavar="DIR", help="draw the paper's figures 4, 5 and 6 into this folder"
    )


def run_search(options: argparse.Namespace) -> None:
    """Rank pre-gen metrics by what they predict, write, draw and print."""
    check_table_output(options.output)
    post = None if options.post is None else split_names(options.post)
    table = read_search_tables(options.tables, post)
    result = search(table, resamples=options.resamples, seed=options.seed)
    if options.plots is not None:
        for path in plot_search(options.plots, result, options.top):
            note(options, f"drawn: {path}")
    if options.output is not None:
        write_columns(options.output, _ranking_columns(result))
    header, rows = _make_search_rows(result, options.top)
    print_table(options.format, header, rows, result.to_dict(options.top), 3)
    if options.format == "text":
        show(f"\n{result.signature}")
    note(
        options,
        f"{len(result.table)} rows of {result.models} models; {result.ranked_count} metrics "
        "ranked, "
        f"{len(result.dropped)} infinite or constant somewhere; intervals over models",
    )


def add_metrics_arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the command has no arguments of its own."""


def run_metrics(options: argparse.Namespace) -> None:
    """Print one row a metric."""
    metrics = select("all")
    header = ["metric", "data set", "image", "sentence", "filter"]
    rows = [[each.name, each.dataset, each.image, each.sentence, each.filter] for each in metrics]
    print_table(options.format, header, rows, [each.name for each in metrics], len(header))


def _make_search_rows(result: Search, top: int) -> tuple[list[str], list[list[str]]]:
    """Return header and rows: the best metrics for each post-gen metric, and perplexity."""
    datasets = list(dict.fromkeys(result.table.datasets))
    header = ["post-gen", "place", "pre-gen", "r", "R²", "95% interval", *datasets]
    baseline = ALIASES[PERPLEXITY]
    table = []
    for post, rows in result.rankings.items():
        for place, row in enumerate(rows, 1):
            if place <= top or row.metric == baseline:
                low, high = row.interval
                interval = "-" if math.isnan(low) else f"{low:.3f} to {high:.3f}"
                figures = [f"{row.by_dataset[dataset]:.3f}" for dataset in datasets]
                fit = [f"{row.r:+.3f}", f"{row.r2:.3f}", interval]
                table.append([post, str(place), row.metric, *fit, *figures])
    return header, table


def _ranking_columns(result: Search) -> dict[str, list[Any]]:
    """Return the columns of the output: a row for each post-gen and pre-gen metric."""
    pairs = [
        {"post": post, "place": place, **row.to_dict()}
        for post, rows in result.rankings.items()
        for place, row in enumerate(rows, 1)
    ]
    for pair in pairs:
        pair["low"], pair["high"] = pair.pop("interval")
        pair |= {f"r2_{name}": r2 for name, r2 in pair.pop("datasets").items()}
    return {name: [pair[name] for pair in pairs] for name in pairs[0]}


def _finite_or_none(value: float) -> float | None:
    """Return the number, or None if it is infinite, as JSON has no infinity."""
    return value if math.isfinite(value) else None


SUBCOMMAND_METAVAR = "PART"
SUBCOMMANDS = {
    "score": (
        "compute pre-gen metrics from a file of word probabilities",
        add_score_arguments,
        run_score,
    ),
    "strata": (
        "write the table for search: metrics of models on parts of a test set",
        add_strata_arguments,
        run_strata,
    ),
    "search": (
        "find the pre-gen metrics that predict post-gen metrics best",
        add_search_arguments,
        run_search,
    ),
    "metrics": ("list all 504 metrics", add_metrics_arguments, run_metrics),
}
