"""Train a learned metric: from caption files to weights, model card and figures."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from captious._internal.backends.pytorch import import_torch
from captious.errors import CaptiousError, InputError
from captious.io.atomic_files import check_writable
from captious.io.captions import read_references
from captious.io.training_captions import read_generated_captions
from captious.meta.evaluation import evaluate
from captious.meta.task import Task, read_task
from captious.metrics.learned.feature_files import parse_feature_set, read_toml
from captious.metrics.learned.features import FeatureSet, ProgressCallback, extract_features
from captious.metrics.learned.published import get_feature_set
from captious.metrics.learned.weights import LearnedModel
from captious.training.checkpoint import check_checkpoint
from captious.training.learned_metrics.dataset import TrainingSet, build_training_set
from captious.training.learned_metrics.model_card import card_path, model_card, write_model_card
from captious.training.learned_metrics.negatives import MACHINE, check_mixture
from captious.training.learned_metrics.overlap import BENCHMARKS, Overlap, read_benchmarks
from captious.training.learned_metrics.recipe import QUICK, Recipe, recipe_named
from captious.training.learned_metrics.training import (
    BENCHMARK,
    PROTOCOL,
    RatedFeatures,
    Validation,
    train,
)
from captious.training.loop import Listener, TrainingResult

EVALUATION_BENCHMARKS = ("flickr8k-expert", "composite")


@dataclass(frozen=True)
class TrainingJob:
    """What to train, its input files and settings, and the output file."""

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
    """The training set, the training result, figures, and missing benchmarks."""

    training_set: TrainingSet
    trained: TrainingResult[LearnedModel]
    figures: dict[str, float]
    absent: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything, as `--format json` prints it."""
        return {
            "features": self.trained.model.feature_set.to_dict(),
            "fingerprint": self.trained.model.network.fingerprint,
            "counts": self.training_set.counts,
            "best": self.trained.best,
            "figures": self.figures,
            "curve": list(self.trained.curve),
        }


def features_and_recipe(
    name: str, seed: int | None = None, kind: str = QUICK
) -> tuple[FeatureSet, Recipe]:
    """Return features and recipe by name: nneval, lceval, another set, or a TOML file.

    The recipe of a published set is the quick one or the paper's; a file has its own.
    """
    if name.lower().endswith(".toml"):
        if kind != QUICK:
            raise InputError(f"{name}: has its recipe under [training]; leave --recipe out")
        table = read_toml(name)
        choices = table.get("training", {})
        if not isinstance(choices, dict):
            raise InputError(f"{name}: `training` is a table of choices, [training]")
        feature_set, recipe = parse_feature_set(table, name), Recipe.of(choices, name)
    else:
        feature_set, recipe = get_feature_set(name), recipe_named(name, kind)
    return feature_set, recipe if seed is None else replace(recipe, seed=seed)


def run_job(
    job: TrainingJob,
    progress: Listener | None = None,
    extraction_progress: ProgressCallback | None = None,
) -> Outcome:
    """Build the training set, extract features, train, and write weights and card.

    All files are opened and checked before anything is computed. `extraction_progress` is called
    with the number of captions whose features are extracted, `progress` with the epochs. Analyses
    are cached, so that a second run, or one after an interruption, reads them.
    """
    captions = _read(job)
    training_set, validation_task, rated_features = (
        captions.training_set,
        captions.validation_task,
        RatedFeatures(job.feature_set),
    )
    judgements, raters = validation_task.judgements, validation_task.protocol.raters
    features = extract_features(
        job.feature_set,
        training_set.candidates,
        training_set.references,
        progress=extraction_progress,
    )
    name = f"{BENCHMARK} ({PROTOCOL})"
    validation = Validation.of(
        rated_features.of(judgements, extraction_progress), judgements, raters, name
    )
    trained = train(
        job.feature_set,
        features,
        training_set.is_human,
        validation,
        job.recipe,
        checkpoint=job.checkpoint,
        progress=progress,
    )
    trained.model.save(job.output)
    figures = _figures(trained.model, captions.tasks, rated_features, extraction_progress)
    card = model_card(trained, job.recipe, training_set.counts, _describe_data(job), figures)
    write_model_card(card_path(job.output), card)
    absent = tuple(name for name in BENCHMARKS if name not in captions.tasks)
    return Outcome(training_set, trained, figures, absent)


class _Captions(NamedTuple):
    """Training set, validation task, and benchmark tasks of a job."""

    training_set: TrainingSet
    validation_task: Task
    tasks: dict[str, Task]


def _read(job: TrainingJob) -> _Captions:
    """Read every file of a job, after checking that its output can be written."""
    import_torch()
    check_mixture(job.mixture)
    for path in (job.output, card_path(job.output), job.checkpoint):
        if path is not None:
            check_writable(path)
    check_checkpoint(job.checkpoint)
    for feature in job.feature_set.features:
        feature.metric()  # which opens what it needs
    human = read_references(job.human)
    machines = {_name(path): read_generated_captions(path) for path in job.machines}
    tasks = read_benchmarks(job.data)
    # Without validation there is no training: what could not be read is read again to say why.
    validation_task = (tasks.get(BENCHMARK) or read_task(BENCHMARK, data=job.data)).under(PROTOCOL)
    training_set = build_training_set(
        human,
        machines,
        per_image=job.per_image,
        references=job.references,
        overlap=Overlap.with_judgements(task.as_read for task in tasks.values()),
        mixture=job.mixture,
        images=job.images,
        seed=job.recipe.seed,
    )
    return _Captions(training_set, validation_task, tasks)


def _figures(
    model: LearnedModel,
    tasks: Mapping[str, Task],
    rated_features: RatedFeatures,
    extraction_progress: ProgressCallback | None,
) -> dict[str, float]:
    """Agreement with people on the available benchmarks, under the standard protocol."""
    figures: dict[str, float] = {}
    for name in EVALUATION_BENCHMARKS:
        if name in tasks:
            # Training does not depend on what can be measured: too few judgements are no error.
            with suppress(CaptiousError):
                features = rated_features.of(tasks[name].judgements, extraction_progress)
                scores = {model.feature_set.name: model.scores(features)}
                evaluation = evaluate(tasks[name], scores=scores, resamples=0)
                value = evaluation.agreements.rows[0].values[evaluation.statistic]
                figures[f"{evaluation.statistic} on {name} (standard)"] = float(value)
    return figures


def _name(path: Path) -> str:
    return path.name.partition(".")[0]


def _describe_data(job: TrainingJob) -> str:
    machines = map(_name, job.machines)
    shares = ", ".join(f"{kind} {share:g}" for kind, share in job.mixture.items())
    return (
        f"Human captions: {job.human.name}. Machine captions: "
        f"{', '.join(machines) or 'none'}. Negatives by share: {shares}. Up to {job.per_image} "
        f"human candidates an image and as many negatives, each beside {job.references} human "
        "captions that differ from it. Images of the benchmarks that metrics are validated and "
        "tested on were left out, by id and by caption."
    )
