"""Model cards of learned metrics: data, recipe, figures and limits."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

from captious.io.atomic_files import atomic_write
from captious.metrics.learned.weights import LearnedModel
from captious.training.learned_metrics.recipe import Recipe
from captious.training.learned_metrics.validation import MEASURES, measure_in
from captious.training.loop import TrainingResult
from captious.version import __version__

WIDTH = 100  # of a line
LIMITS = (
    "Figures on the benchmark that the epoch was chosen by are not independent of that choice.",
    "Trained to tell people's captions from the negatives above, not to find faults: what no "
    "negative shows, it cannot have learned.",
    "Nothing was measured on captions unlike those above, in language, length or subject.",
)


def model_card(
    trained: TrainingResult[LearnedModel],
    recipe: Recipe,
    counts: Mapping[str, int],
    data: str,
    figures: Mapping[str, float] | None = None,
    limits: Sequence[str] = (),
) -> str:
    """The card in Markdown: data, recipe, figures, limits.

    `counts` are the training set's, `data` says in words where its captions come from, `figures`
    has what was measured on benchmarks, `limits` what limits this model beside those of all.
    """
    model, best = trained.model, trained.best_point
    features = "\n".join(
        f"| {feature.column} | {feature.metric().signature()} | {feature.pool} | "
        f"{shift:+.6g} | {factor:.6g} |"
        for feature, shift, factor in zip(
            model.feature_set.features, model.scaling.shift, model.scaling.factor, strict=True
        )
    )
    numbers = "\n".join(f"| {what} | {number:,} |" for what, number in counts.items())
    choices = "\n".join(f"| {name} | {value} |" for name, value in recipe.to_dict().items())
    measure = measure_in(best)
    label, best_feature = MEASURES[measure], model.notes.get("best_feature")
    validated = {f"{label} on {model.notes['validation']}, which chose the epoch": best[measure]}
    if best_feature is not None:
        column = best_feature["column"]
        validated[f"the same of the best feature alone, {column}"] = best_feature["value"]
    figure_rows = "\n".join(
        f"| {what} | {value:.4f} |"
        for what, value in {
            **validated,
            "training accuracy": best["accuracy"],
            "loss": best["loss"],
            **(figures or {}),
        }.items()
    )
    most = model.feature_set.most_references
    reference_note = f" Of more than {most} references, {most} are read at a time." if most else ""
    widths = "-".join(map(str, model.network.widths))
    limit_lines = "\n".join(
        textwrap.fill(limit, WIDTH, initial_indent="- ", subsequent_indent="  ")
        for limit in (*LIMITS, *limits)
    )
    return f"""# {model.feature_set.name}

A network of {widths} units (ReLU, softmax) that reads {len(model.feature_set)} features and
says how likely it is that a person wrote the caption. Fingerprint {model.network.fingerprint};
made by Captious {__version__}; epoch {trained.best} of {len(trained.curve)} was kept.

## Data
{textwrap.fill(data, WIDTH)}

| what | number |
| --- | --- |
{numbers}

## Features
The network reads (score + shift) · factor.{reference_note}

| column | metric | pool | shift | factor |
| --- | --- | --- | --- | --- |
{features}

## Recipe
Cross-entropy, Adam, early stopping on the {label} in validation.

| choice | value |
| --- | --- |
{choices}

## Figures
| figure | value |
| --- | --- |
{figure_rows}

## Limits
{limit_lines}
"""


def card_path(weights: str | Path) -> Path:
    """The card's file beside the weights."""
    return Path(weights).with_suffix(".md")


def write_model_card(path: str | Path, text: str) -> None:
    """Write a card atomically."""
    with atomic_write(path) as stream:
        stream.write(text.encode())
