"""Plans: a learned metric from files of captions to weights, card and figures, in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from captious.backends.pytorch import import_torch
from captious.errors import CaptiousError, InputError
from captious.files.text_files import check_writable
from captious.io.captions import read_candidates, read_references
from captious.learned.feature_files import feature_set_of, read_toml
from captious.learned.feature_sets import feature_set_named
from captious.learned.features import FeatureSet, extract
from captious.learned.metric import LearnedMetric
from captious.meta.evaluation import evaluate
from captious.training.learned_metrics.dataset import TrainingSet, build_training_set
from captious.training.learned_metrics.model_card import card_path, model_card, write_model_card
from captious.training.learned_metrics.negatives import MACHINE
from captious.training.learned_metrics.overlap import Overlap
from captious.training.learned_metrics.recipe import LCEVAL_RECIPE, RECIPES, Recipe
from captious.training.learned_metrics.training import Progress, Trained, train
from captious.training.learned_metrics.validation import Validation

MEASURED_ON = ("flickr8k-expert", "composite")


@dataclass(frozen=True)
class Plan:
    """What to train, on which captions, and where the weights go."""

    feature_set: FeatureSet
    recipe: Recipe
    human: Path
    machines: tuple[Path, ...]
    data: Path  # the folder of the benchmarks
    output: Path
    mixture: Mapping[str, float] = field(default_factory=lambda: {MACHINE: 1.0})
    per_image: int = 3
    references: int = 4
    images: int | None = None
    checkpoint: Path | None = None


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of a plan: the training set, the training, figures, benchmarks not looked at."""

    training_set: TrainingSet
    trained: Trained
    figures: dict[str, float]
    absent: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as `--format json` prints it."""
        return {
            "features": self.trained.model.feature_set.to_dict(),
            "fingerprint": self.trained.model.network.fingerprint,
            "counts": self.training_set.counts,
            "best": self.trained.best,
            "figures": self.figures,
            "curve": [vars(point) for point in self.trained.curve],
        }


def named_plan(name: str, seed: int | None = None) -> tuple[FeatureSet, Recipe]:
    """Features and recipe of nneval, lceval, another published set, or a TOML file."""
    if name.lower().endswith(".toml"):
        table = read_toml(name)
        said = table.get("training", {})
        if not isinstance(said, dict):
            raise InputError(f"{name}: `training` is a table of choices, [training]")
        feature_set, recipe = feature_set_of(table, name), Recipe.of(said, name)
    else:
        feature_set, recipe = feature_set_named(name), RECIPES.get(name, LCEVAL_RECIPE)
    return feature_set, recipe if seed is None else replace(recipe, seed=seed)


def carry_out(plan: Plan, progress: Progress | None = None) -> Outcome:
    """Build the training set, extract features, train, and write weights and card.

    Analyses are kept in the cache, so that a second run, or one after a stop, reads them there.
    """
    import_torch()  # before the work, not after it
    for path in (plan.output, card_path(plan.output)):
        check_writable(path)
    overlap, absent = Overlap.with_benchmarks(plan.data)
    validation = Validation.on_benchmark(plan.feature_set, plan.data)
    machines = {_name(path): read_candidates(path).captions for path in plan.machines}
    built = build_training_set(
        read_references(plan.human),
        machines,
        per_image=plan.per_image,
        references=plan.references,
        overlap=overlap,
        mixture=plan.mixture,
        images=plan.images,
        seed=plan.recipe.seed,
    )
    features = extract(plan.feature_set, built.candidates, built.references)
    trained = train(
        plan.feature_set,
        features,
        built.is_human,
        validation,
        plan.recipe,
        checkpoint=plan.checkpoint,
        progress=progress,
    )
    trained.model.save(plan.output)
    figures = measured(plan.output, plan.data)
    card = model_card(trained, plan.recipe, built.counts, _described(plan), figures)
    write_model_card(card_path(plan.output), card)
    return Outcome(built, trained, figures, absent)


def measured(
    weights: Path, data: Path, benchmarks: Sequence[str] = MEASURED_ON
) -> dict[str, float]:
    """Agreement with people on the benchmarks that are there, under the standard protocol."""
    figures: dict[str, float] = {}
    for name in benchmarks:
        try:
            found = evaluate(name, LearnedMetric(weights), data=data, resamples=0)
        except CaptiousError:
            continue  # its files are not there; training does not depend on them
        value = found.agreements.rows[0].values[found.statistic]
        figures[f"{found.statistic} on {name} (standard)"] = float(value)
    return figures


def _name(path: Path) -> str:
    return path.name.partition(".")[0]


def _described(plan: Plan) -> str:
    machines = map(_name, plan.machines)
    shares = ", ".join(f"{kind} {share:g}" for kind, share in plan.mixture.items())
    return (
        f"Human captions: {plan.human.name}. Machine captions: "
        f"{', '.join(machines) or 'none'}. Negatives by share: {shares}. Up to {plan.per_image} "
        f"human candidates an image and as many negatives, each beside {plan.references} human "
        "captions that differ from it. Images of the benchmarks that metrics are validated and "
        "tested on were left out, by id and by caption."
    )
