"""Train a learned metric: from caption files to weights, model card and figures."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from captious._internal.backends.pytorch import import_torch
from captious.errors import CaptiousError, InputError, short_repr, warn
from captious.io.atomic_files import check_writable
from captious.io.captions import read_references
from captious.io.training_captions import read_generated_captions
from captious.meta.evaluation import evaluate
from captious.meta.protocol import ACCURACY, PAIRS, Protocol
from captious.meta.task import CUSTOM, Task, read_task
from captious.metrics.learned.feature_files import parse_feature_set, read_toml
from captious.metrics.learned.features import FeatureSet, ProgressCallback, extract_features
from captious.metrics.learned.published import get_feature_set
from captious.metrics.learned.weights import LearnedModel
from captious.training.checkpoint import check_checkpoint
from captious.training.learned_metrics.dataset import (
    HumanCaptions,
    TrainingSet,
    build_training_set,
    hold_out_images,
)
from captious.training.learned_metrics.model_card import card_path, model_card, write_model_card
from captious.training.learned_metrics.negatives import (
    HUMAN,
    KINDS,
    MACHINE_KINDS,
    check_mixture,
    default_mixture,
)
from captious.training.learned_metrics.overlap import BENCHMARKS, Overlap, read_benchmarks
from captious.training.learned_metrics.recipe import QUICK, Recipe, recipe_named
from captious.training.learned_metrics.training import BENCHMARK, PROTOCOL, train
from captious.training.learned_metrics.validation import (
    MEASURES,
    FeatureAgreement,
    JudgedFeatures,
    Validation,
    measure_in,
)
from captious.training.loop import Listener, TrainingResult

EVALUATION_BENCHMARKS = ("flickr8k-expert", "composite")
HELD_OUT = Protocol("held out", statistic=ACCURACY, average=PAIRS)
RESERVED_NAMES = (HUMAN, *KINDS)  # of captions that are no machine's


@dataclass(frozen=True)
class TrainingJob:
    """What to train, its input files and settings, and the output file.

    Training is validated by `judgements`, a file of one's own, else by Flickr8k-Expert in `data`,
    the folder of the benchmarks, else by images held out. Judged images, of all benchmarks in
    `data` and in `judgements`, are not trained on.
    """

    feature_set: FeatureSet
    recipe: Recipe
    human: Path
    machines: tuple[Path, ...]
    output: Path
    data: Path | None = None
    judgements: Path | None = None
    ratings: str | None = None  # their column, where it has another name than usual
    mixture: Mapping[str, float] | None = None  # the default one unless given
    per_image: int = 3
    references: int = 4
    images: int | None = None
    checkpoint: Path | None = None

    @property
    def shares(self) -> Mapping[str, float]:
        """Kinds of negatives and their shares."""
        return default_mixture(bool(self.machines)) if self.mixture is None else self.mixture


@dataclass(frozen=True, eq=False)
class Outcome:
    """The training set, the training result, figures, and missing benchmarks."""

    training_set: TrainingSet
    trained: TrainingResult[LearnedModel]
    figures: dict[str, float]
    absent: tuple[str, ...]
    held_out_pairs: int  # that it was validated by; none where people's judgements were

    @property
    def validation(self) -> dict[str, Any]:
        """What training was validated by, the measure, its value, and the best feature's."""
        notes = self.trained.model.notes
        measure = measure_in(notes)
        return {
            "name": notes["validation"],
            "measure": measure,
            "value": notes[measure],
            "best_feature": notes["best_feature"],
        }

    def to_dict(self) -> dict[str, Any]:
        """Return everything, as `--format json` prints it."""
        return {
            "features": self.trained.model.feature_set.to_dict(),
            "fingerprint": self.trained.model.network.fingerprint,
            "counts": self.training_set.counts,
            "best": self.trained.best,
            "validation": self.validation,
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
    training_set, task = captions.training_set, captions.validation.task
    judged_features = JudgedFeatures(job.feature_set)
    features = extract_features(
        job.feature_set,
        training_set.candidates,
        training_set.references,
        progress=extraction_progress,
    )
    validation = Validation.of(
        judged_features.of(task.judgements, extraction_progress),
        task.judgements,
        task.protocol,
        captions.validation.name,
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
    figures = _figures(trained.model, captions.tasks, judged_features, extraction_progress)
    best_feature = validation.best_feature(job.feature_set)
    verdict = _compare_with_feature(trained, best_feature)
    card = model_card(
        trained,
        job.recipe,
        training_set.counts,
        _describe_data(job, captions.validation.held_out_pairs),
        figures,
        [f"{verdict[:1].upper()}{verdict[1:]}."] if verdict else [],
    )
    trained.model.save(job.output)
    write_model_card(card_path(job.output), card)
    if verdict:
        warn(verdict)
    absent = tuple(name for name in BENCHMARKS if name not in captions.tasks)
    return Outcome(
        training_set,
        trained,
        figures,
        absent if job.data is not None else (),
        captions.validation.held_out_pairs,
    )


class _ValidationData(NamedTuple):
    """Judgements to validate on, what they are called, and the captions left to train on."""

    task: Task
    name: str
    human: HumanCaptions
    held_out_pairs: int = 0


class _Captions(NamedTuple):
    """Training set, validation data, and benchmark tasks of a job."""

    training_set: TrainingSet
    validation: _ValidationData
    tasks: dict[str, Task]


def _read(job: TrainingJob) -> _Captions:
    """Read every file of a job, after checking that its output can be written."""
    import_torch()
    shares = check_mixture(job.shares)
    for path in (job.output, card_path(job.output), job.checkpoint):
        if path is not None:
            check_writable(path)
    check_checkpoint(job.checkpoint)
    for feature in job.feature_set.features:
        feature.metric()  # which opens what it needs
    if job.machines and not any(kind in shares for kind in MACHINE_KINDS):
        raise InputError(
            f"{job.machines[0]}: the mixture has no machine's captions; give "
            f"{', '.join(MACHINE_KINDS[:-1])} or {MACHINE_KINDS[-1]} a share, or leave the file out"
        )
    human: HumanCaptions = read_references(job.human)
    machines = _read_machines(job, human)
    tasks = {} if job.data is None else read_benchmarks(job.data)
    build = partial(
        build_training_set,
        machines=machines,
        per_image=job.per_image,
        references=job.references,
        mixture=shares,
        seed=job.recipe.seed,
    )
    if job.judgements is not None:
        options = {} if job.ratings is None else {"rating": job.ratings}
        task = read_task(CUSTOM, data=job.judgements, **options)
        validation = _ValidationData(task, job.judgements.name, human)
    elif job.data is not None:
        # What could not be read is read again to say why.
        task = (tasks.get(BENCHMARK) or read_task(BENCHMARK, data=job.data)).under(PROTOCOL)
        validation = _ValidationData(task, f"{BENCHMARK} ({PROTOCOL})", human)
    else:
        human, held_out = hold_out_images(human, machines, job.references, job.recipe.seed)
        pairs = build(held_out).as_preferences()
        name = f"{len(set(pairs.images)):,} held-out images"
        task = read_task(pairs, protocol=HELD_OUT)
        validation = _ValidationData(task, name, human, len(pairs))
    judged = [each.as_read for each in (*tasks.values(), validation.task)]
    overlap = Overlap() if validation.held_out_pairs else Overlap.with_judgements(judged)
    training_set = build(validation.human, overlap=overlap, images=job.images)
    return _Captions(training_set, validation, tasks)


def _read_machines(job: TrainingJob, human: HumanCaptions) -> dict[str, dict[str, list[str]]]:
    """Read each machine's captions by image, under the name of its file."""
    machines: dict[str, dict[str, list[str]]] = {}
    for path in job.machines:
        name = _name(path)
        if name in machines or name in RESERVED_NAMES:
            taken = "another file of a machine" if name in machines else "other captions"
            raise InputError(f"{path}: {taken} has the name {name!r}; rename the file")
        machines[name] = read_generated_captions(path)
        _check_ids(path, machines[name], job.human, human)
    return machines


def _check_ids(
    path: Path, captions: Mapping[str, list[str]], human_path: Path, human: HumanCaptions
) -> None:
    """Stop where a machine has captions of no image of the human captions; warn of others."""
    unknown = [image for image in captions if image not in human]
    if captions and len(unknown) == len(captions):
        raise InputError(
            f"{path}: none of its ids is in {human_path}; it has ids such as "
            f"{short_repr(unknown[0])}, the other such as {short_repr(next(iter(human), None))}; "
            "give an image the same id in both files"
        )
    if unknown:
        warn(
            f"{path}: {len(unknown):,} of {len(captions):,} ids, such as "
            f"{short_repr(unknown[0])}, are not in {human_path}; their captions are not used"
        )


def _compare_with_feature(
    trained: TrainingResult[LearnedModel], best: FeatureAgreement
) -> str | None:
    """Say so where the network agrees less with the judgements than one of its features does."""
    notes = trained.model.notes
    measure = measure_in(notes)
    if notes[measure] >= best.value:
        return None
    return (
        f"in validation on {notes['validation']}, the network has a {MEASURES[measure]} of "
        f"{notes[measure]:.4f} and its feature {best.column} alone {best.value:.4f}: train on more "
        "captions or other negatives, or compare the two on other judgements (captious meta)"
    )


def _figures(
    model: LearnedModel,
    tasks: Mapping[str, Task],
    judged_features: JudgedFeatures,
    extraction_progress: ProgressCallback | None,
) -> dict[str, float]:
    """Agreement with people on the available benchmarks, under the standard protocol."""
    figures: dict[str, float] = {}
    for name in EVALUATION_BENCHMARKS:
        if name in tasks:
            # Training does not depend on what can be measured: too few judgements are no error.
            with suppress(CaptiousError):
                features = judged_features.of(tasks[name].judgements, extraction_progress)
                scores = {model.feature_set.name: model.scores(features)}
                evaluation = evaluate(tasks[name], scores=scores, resamples=0)
                value = evaluation.agreements.rows[0].values[evaluation.statistic]
                figures[f"{evaluation.statistic} on {name} (standard)"] = float(value)
    return figures


def _name(path: Path) -> str:
    return path.name.partition(".")[0]


def _describe_data(job: TrainingJob, held_out_pairs: int) -> str:
    machines = map(_name, job.machines)
    shares = ", ".join(f"{kind} {share:g}" for kind, share in job.shares.items())
    left_out = []
    if job.data is not None:
        left_out.append(
            "Images of the benchmarks that metrics are validated and tested on were left out, by "
            "id and by caption."
        )
    if job.judgements is not None:
        left_out.append(
            f"Images judged in {job.judgements.name} were left out, by id and by caption."
        )
    if held_out_pairs:
        left_out.append(
            f"One image in ten or fewer were held out: {held_out_pairs:,} pairs of a human "
            "caption and a negative. No human judgements were used."
        )
    return (
        f"Human captions: {job.human.name}. Machine captions: "
        f"{', '.join(machines) or 'none'}. Negatives by share: {shares}. Up to {job.per_image} "
        f"human candidates an image and as many negatives, each beside {job.references} human "
        f"captions that differ from it. {' '.join(left_out)}"
    )
