"""captious pregen strata: models on a test set as rows of a table that a search can read."""

from __future__ import annotations

import argparse
from typing import Any

from captious._internal.checks.bounds import COUNT
from captious.cli.options import AddOption, split_names
from captious.cli.output import check_table_output, note, note_selection, print_table
from captious.cli.progress import Count, counting_bar
from captious.errors import InputError
from captious.io.formats import write_columns
from captious.io.output_tables import decimals
from captious.io.training_captions import read_image_captions
from captious.metrics.parameters import VARIANTS
from captious.pregen.names import ALL, DEFAULT, METRICS, select
from captious.pregen.search_table import KEYS, MODEL_KEYS
from captious.pregen.strata import (
    PARTS,
    POST_GEN,
    SharedReferencesScorer,
    pair_model_files,
    read_model,
    stratified_rows,
)
from captious.registry import select as select_post

Rows = list[dict[str, Any]]


def declare_strata(add_option: AddOption) -> None:
    """Add the arguments."""
    add_option(
        "probabilities",
        "word probabilities of references, one file per model: .npz, .parquet, .json or .jsonl; "
        "init_2.npz is run 2 of init",
        metavar="PROBABILITIES",
        nargs="+",
    )
    add_option(
        "--candidates",
        "each model's captions of the same images, one file per model, in the same order",
        metavar="FILE",
        nargs="+",
        required=True,
    )
    captions = "captions by image, as for the probabilities"
    add_option("--references", captions, metavar="FILE", default_text="those of the candidates")
    add_option("--dataset", "the test set's name in the table", default="test", metavar="NAME")
    parts = "split the images into 1, 2 ... N equal parts by the CIDEr-D of the candidates"
    add_option("--strata", parts, bounds=COUNT, default=PARTS[-1])
    add_option(
        "--metrics", "pre-gen metrics: names or patterns separated by commas, or all", default=ALL
    )
    add_option(
        "--post", "post-gen metrics, as captious score has --metrics", default=",".join(POST_GEN)
    )
    variant = "in the released variant, filter0 keeps the words not ranked first"
    add_option("--variant", variant, choices=VARIANTS, default=VARIANTS[0])
    add_option("--tokenizer")
    add_option("--output", "the table, for captious pregen search", metavar="FILE", required=True)


def run_strata(options: argparse.Namespace) -> None:
    """Read model after model, score each in strata, write, print."""
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
            written = scorers.score_model(model)
            rows += stratified_rows(
                files.keys(options.dataset),
                model.words,
                written.cider,
                written,
                metrics=metrics,
                parts=range(1, options.strata + 1),
                variant=options.variant,
                progress=progress and progress_of_all(progress, number, len(models)),
            )
    write_columns(options.output, {name: [row[name] for row in rows] for name in rows[0]})
    _print(options, [row for row in rows if row["num_strata"] == 1], len(rows))


def progress_of_all(progress: Count, number: int, models: int) -> Count:
    """What one model reports, as a share of all models' strata."""
    return lambda done, strata: progress(number * strata + done, models * strata)


def _print(options: argparse.Namespace, models: Rows, rows: int) -> None:
    """One row a model: its scores on the whole test set."""
    post = [name for name in models[0] if name not in KEYS and name not in METRICS]
    scores = [*post, *(name for name in DEFAULT if name in models[0])]
    table = [
        [*(model[key] for key in MODEL_KEYS), *(decimals(model[name]) for name in scores)]
        for model in models
    ]
    data = {
        "rows": rows,
        "output": options.output,
        "models": [{name: model[name] for name in (*MODEL_KEYS, *scores)} for model in models],
    }
    print_table(options.format, [*MODEL_KEYS, *scores], table, data, len(MODEL_KEYS))
    note(options, f"{rows} rows of {len(models)} models: {options.output}")
