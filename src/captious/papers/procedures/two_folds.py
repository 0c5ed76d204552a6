"""Systems and teams judged by critics trained against their own captions, in two folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from captious.meta.benchmarks.coco import MEASURES
from captious.meta.judgements import Ratings, by_measure
from captious.meta.published import published
from captious.metrics.leic.recipe import BOTH, MLP, REFERENCE, CriticRecipe
from captious.papers.measurements.caption_datasets import CAPTION_DATASETS, JudgedSystems
from captious.papers.measurements.critics import critic_recipe, quick_recipe
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.store import hash_parts, hash_texts
from captious.papers.result import INTERVAL, Measurement, Panel, PartResult, Table, Value
from captious.scorer import Scorer
from captious.stats.correlation import kendall_b, pearson
from captious.training.critics.two_fold import DIFFERENCE, PEOPLE, SYSTEM, TwoFold, two_fold
from captious.version import __version__

SCORE_COLUMN, PEOPLE_COLUMN, DIFFERENCE_COLUMN = "two folds", "human captions", "human minus system"


def score_systems(
    experiment: Experiment, dataset_name: str, metrics: Sequence[str], seeds: Sequence[int] = (0,)
) -> PartResult:
    """Each system's score by two folds, beside its scores by other metrics, and their agreement."""
    judged_systems = CAPTION_DATASETS[dataset_name](experiment).judged_systems()
    seeds = seeds[:1] if experiment.quick else seeds
    folds = {
        name: score_in_folds(experiment, judged_systems, name, seeds)
        for name in judged_systems.systems
    }
    others = _metric_scores(experiment, judged_systems, metrics)
    has_seeds = len(seeds) > 1
    rows: list[list[Value]] = [
        [
            name,
            *(mean_with_interval(each, what) for what in (SYSTEM, PEOPLE, DIFFERENCE)),
            *([float(np.ptp(each.by_seed))] if has_seeds else []),
            *others[name],
        ]
        for name, each in folds.items()
    ]
    scores = np.array([each.score for each in folds.values()])
    columns = np.array(list(others.values())).T
    agreement: list[list[Value]] = [
        [name, *(float(statistic(scores, column)) for column in columns)]
        for name, statistic in (("Pearson's r", pearson), ("Kendall's tau_b", kendall_b))
    ]
    points = {
        name: ((values[0], each.score),)
        for (name, each), values in zip(folds.items(), others.values(), strict=True)
    }
    ranges = ["range over seeds"] if has_seeds else []
    return PartResult(
        (
            Table(
                f"Scores in two folds of {len(judged_systems.people):,} images of {dataset_name}, "
                "with 95% intervals over images, and other metrics",
                ["system", SCORE_COLUMN, PEOPLE_COLUMN, DIFFERENCE_COLUMN, *ranges, *metrics],
                rows,
            ),
            Table(
                f"Agreement of the score in two folds with other metrics over {len(rows)} systems",
                ["statistic", *metrics],
                agreement,
            ),
        ),
        (
            Panel(
                "Systems by two scores",
                metrics[0],
                f"score in {SCORE_COLUMN}",
                points,
                joined=False,
            ),
        ),
        (describe_settings(experiment, judged_systems, dataset_name, seeds),),
    )


def _metric_scores(
    experiment: Experiment, judged_systems: JudgedSystems, metrics: Sequence[str]
) -> dict[str, list[float]]:
    """Each system's corpus scores, kept."""
    scorer = Scorer(judged_systems.people, list(metrics))
    how = [str(metric.signature()) for metric in scorer.selection.metrics]
    scores = {}
    for name, captions in judged_systems.systems.items():
        texts = hash_texts(
            [*captions.values(), *chain.from_iterable(judged_systems.people.values())]
        )
        key = f"corpus-{hash_parts(texts, how, __version__)}"
        if not experiment.store.get(key):
            experiment.report(f"{', '.join(metrics)} of {name}")
            corpus = scorer.score(captions).corpus
            experiment.store.add(key, {metric: np.array(corpus[metric]) for metric in metrics})
        scores[name] = [float(experiment.store.get(key)[metric]) for metric in metrics]
    return scores


def mean_with_interval(folds: TwoFold, what: str) -> Measurement:
    """A mean over images, with its interval."""
    means = {SYSTEM: folds.score, PEOPLE: float(folds.people.mean())}
    value = means.get(what, means[PEOPLE] - means[SYSTEM])
    return Measurement(value, *folds.intervals[what], INTERVAL)


def describe_settings(
    experiment: Experiment, judged_systems: JudgedSystems, dataset_name: str, seeds: Sequence[int]
) -> str:
    """How critics are trained, in words."""
    recipe = _critic_recipe(experiment, judged_systems)
    shares = {kind: share for kind, share in recipe.others.items() if kind != "sampled"}
    machine = shares["machine"] / sum(shares.values())
    return (
        f"critics in two folds: context {recipe.context}, fusion {recipe.fusion}, on one half each "
        f"of {len(judged_systems.people):,} images of {dataset_name}, {machine:.0%} of what they "
        f"tell from people's captions a system's; at most {recipe.epochs} epochs, "
        f"{recipe.patience} without "
        f"a lower validation loss; seed{'s' if len(seeds) > 1 else ''} {', '.join(map(str, seeds))}"
    )


def score_in_folds(
    experiment: Experiment, judged_systems: JudgedSystems, system: str, seeds: Sequence[int]
) -> TwoFold:
    """Scores of a system's captions and of people's; each seed is kept for itself."""
    captions, people = judged_systems.systems[system], judged_systems.people
    recipe = _critic_recipe(experiment, judged_systems)
    texts = hash_texts([*captions.values(), *chain.from_iterable(people.values())])
    image_fingerprint = None if judged_systems.images is None else judged_systems.images.fingerprint
    stored = []
    for seed in seeds:
        recipe = replace(recipe, seed=seed)
        key = f"two-fold-{hash_parts(texts, recipe.to_dict(), image_fingerprint, __version__)}"
        if "scores" not in experiment.store.get(key):
            experiment.report(f"critics of {system}, in two folds, seed {seed}")
            folds = two_fold(captions, people, judged_systems.images, recipe, seeds=[seed])
            experiment.store.add(key, {"scores": folds.scores, "people": folds.people})
        stored.append(experiment.store.get(key))
    scores, people_scores = (
        np.concatenate([each[name] for each in stored]) for name in ("scores", "people")
    )
    return TwoFold(tuple(captions), scores, people_scores)


def _critic_recipe(experiment: Experiment, judged_systems: JudgedSystems) -> CriticRecipe:
    recipe = critic_recipe(REFERENCE if judged_systems.images is None else BOTH, MLP, "evenly")
    return quick_recipe(recipe) if experiment.quick else recipe


BENCHMARK, PROTOCOL = "coco-2015", "leic"
TEAM_SEEDS = (0,)


def score_teams(experiment: Experiment, source: str, measures: tuple[str, ...]) -> PartResult:
    """Each team's score, its measures, and how they go together over teams."""
    ratings, _ = experiment.load_judgements(BENCHMARK, PROTOCOL)
    assert isinstance(ratings, Ratings)
    judged_systems = team_captions(ratings)
    folds = {
        team: score_in_folds(experiment, judged_systems, team, TEAM_SEEDS)
        for team in judged_systems.systems
    }
    scores = np.array([each.score for each in folds.values()])
    by_people = {
        measure: systems.ratings[:, 0]
        for measure, systems in by_measure(ratings, MEASURES).items()
        if measure in measures
    }
    rows: list[list[Value]] = [
        [
            team,
            mean_with_interval(each, SYSTEM),
            *(float(column[place]) for column in by_people.values()),
        ]
        for place, (team, each) in enumerate(folds.items())
    ]
    correlations: list[Value] = [
        Measurement(pearson(scores, column), published=_published_correlation(source, measure))
        for measure, column in by_people.items()
    ]
    return PartResult(
        (
            Table(
                f"Scores in {SCORE_COLUMN}, and people's measures",
                ["team", SCORE_COLUMN, *by_people],
                rows,
            ),
            Table(
                f"Pearson's r over {len(rows)} teams",
                ["metric", *by_people],
                [["LEIC", *correlations]],
            ),
        ),
        tuple(
            Panel(
                f"Teams by {SCORE_COLUMN} and {measure}",
                measure,
                f"score in {SCORE_COLUMN}",
                {
                    team: ((float(x), each.score),)
                    for x, (team, each) in zip(column, folds.items(), strict=True)
                },
                joined=False,
            )
            for measure, column in by_people.items()
        ),
        (describe_settings(experiment, judged_systems, "COCO", TEAM_SEEDS),),
    )


def team_captions(ratings: Ratings) -> JudgedSystems:
    """The captions of each team by image, and people's."""
    systems: dict[str, dict[str, str]] = {}
    people: dict[str, list[str]] = {}
    rows = zip(ratings.groups, map(str, ratings.images), ratings.candidates, strict=True)
    for (team, image, caption), references in zip(rows, ratings.references, strict=True):
        systems.setdefault(team, {})[image] = caption
        people.setdefault(image, list(references))
    return JudgedSystems(systems, people, None)


def _published_correlation(source: str, measure: str) -> float | None:
    figures = published(BENCHMARK, "pearson", "leic", source, measure)
    return figures[0].value if figures else None
