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

SCORE, OF_PEOPLE, MORE = "two folds", "human captions", "human minus system"


def score_systems(
    experiment: Experiment, on: str, metrics: Sequence[str], seeds: Sequence[int] = (0,)
) -> PartResult:
    """Each system's score by two folds, beside its scores by other metrics, and their agreement."""
    judged = CAPTION_DATASETS[on](experiment).judged_systems()
    seeds = seeds[:1] if experiment.quick else seeds
    folds = {name: folds_of(experiment, judged, name, seeds) for name in judged.systems}
    others = _by_metrics(experiment, judged, metrics)
    several = len(seeds) > 1
    rows: list[list[Value]] = [
        [
            name,
            *(with_interval(each, what) for what in (SYSTEM, PEOPLE, DIFFERENCE)),
            *([float(np.ptp(each.by_seed))] if several else []),
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
    ranges = ["range over seeds"] if several else []
    return PartResult(
        (
            Table(
                f"Scores in two folds of {len(judged.people):,} images of {on}, with 95 % "
                "intervals over images, and other metrics",
                ["system", SCORE, OF_PEOPLE, MORE, *ranges, *metrics],
                rows,
            ),
            Table(
                f"Agreement of the score in two folds with other metrics over {len(rows)} systems",
                ["statistic", *metrics],
                agreement,
            ),
        ),
        (Panel("Systems by two scores", metrics[0], f"score in {SCORE}", points, joined=False),),
        (describe_settings(experiment, judged, on, seeds),),
    )


def _by_metrics(
    experiment: Experiment, judged: JudgedSystems, metrics: Sequence[str]
) -> dict[str, list[float]]:
    """Each system's corpus scores, kept."""
    scorer = Scorer(judged.people, list(metrics))
    how = [str(metric.signature()) for metric in scorer.selection.metrics]
    scores = {}
    for name, captions in judged.systems.items():
        texts = hash_texts([*captions.values(), *chain.from_iterable(judged.people.values())])
        key = f"corpus-{hash_parts(texts, how, __version__)}"
        if not experiment.store.get(key):
            experiment.report(f"{', '.join(metrics)} of {name}")
            corpus = scorer.score(captions).corpus
            experiment.store.add(key, {metric: np.array(corpus[metric]) for metric in metrics})
        scores[name] = [float(experiment.store.get(key)[metric]) for metric in metrics]
    return scores


def with_interval(folds: TwoFold, what: str) -> Measurement:
    """A mean over images, with its interval."""
    means = {SYSTEM: folds.score, PEOPLE: float(folds.people.mean())}
    value = means.get(what, means[PEOPLE] - means[SYSTEM])
    return Measurement(value, *folds.intervals[what], INTERVAL)


def describe_settings(
    experiment: Experiment, judged: JudgedSystems, on: str, seeds: Sequence[int]
) -> str:
    """How critics are trained, in words."""
    recipe = _critic_recipe(experiment, judged)
    shares = {kind: share for kind, share in recipe.others.items() if kind != "sampled"}
    machine = shares["machine"] / sum(shares.values())
    return (
        f"critics in two folds: context {recipe.context}, fusion {recipe.fusion}, on one half each "
        f"of {len(judged.people):,} images of {on}, {machine:.0%} of what they tell from people's "
        f"captions a system's; at most {recipe.epochs} epochs, {recipe.patience} without a lower "
        f"validation loss; seed{'s' if len(seeds) > 1 else ''} {', '.join(map(str, seeds))}"
    )


def folds_of(
    experiment: Experiment, judged: JudgedSystems, system: str, seeds: Sequence[int]
) -> TwoFold:
    """Scores of a system's captions and of people's; each seed is kept for itself."""
    captions, people = judged.systems[system], judged.people
    recipe = _critic_recipe(experiment, judged)
    texts = hash_texts([*captions.values(), *chain.from_iterable(people.values())])
    seen = None if judged.images is None else judged.images.fingerprint
    kept = []
    for seed in seeds:
        recipe = replace(recipe, seed=seed)
        key = f"two-fold-{hash_parts(texts, recipe.to_dict(), seen, __version__)}"
        if "scores" not in experiment.store.get(key):
            experiment.report(f"critics of {system}, in two folds, seed {seed}")
            folds = two_fold(captions, people, judged.images, recipe, seeds=[seed])
            experiment.store.add(key, {"scores": folds.scores, "people": folds.people})
        kept.append(experiment.store.get(key))
    scores, mine = (np.concatenate([each[name] for each in kept]) for name in ("scores", "people"))
    return TwoFold(tuple(captions), scores, mine)


def _critic_recipe(experiment: Experiment, judged: JudgedSystems) -> CriticRecipe:
    recipe = critic_recipe(REFERENCE if judged.images is None else BOTH, MLP, "evenly")
    return quick_recipe(recipe) if experiment.quick else recipe


BENCHMARK, PROTOCOL = "coco-2015", "leic"
TEAM_SEEDS = (0,)


def score_teams(experiment: Experiment, source: str, measures: tuple[str, ...]) -> PartResult:
    """Each team's score, its measures, and how they go together over teams."""
    ratings, _ = experiment.load_judgements(BENCHMARK, PROTOCOL)
    assert isinstance(ratings, Ratings)
    judged = teams_of(ratings)
    folds = {team: folds_of(experiment, judged, team, TEAM_SEEDS) for team in judged.systems}
    scores = np.array([each.score for each in folds.values()])
    by_people = {
        measure: systems.ratings[:, 0]
        for measure, systems in by_measure(ratings, MEASURES).items()
        if measure in measures
    }
    rows: list[list[Value]] = [
        [
            team,
            with_interval(each, SYSTEM),
            *(float(column[place]) for column in by_people.values()),
        ]
        for place, (team, each) in enumerate(folds.items())
    ]
    correlations: list[Value] = [
        Measurement(pearson(scores, column), published=_known(source, measure))
        for measure, column in by_people.items()
    ]
    return PartResult(
        (
            Table(f"Scores in {SCORE}, and people's measures", ["team", SCORE, *by_people], rows),
            Table(
                f"Pearson's r over {len(rows)} teams",
                ["metric", *by_people],
                [["LEIC", *correlations]],
            ),
        ),
        tuple(
            Panel(
                f"Teams by {SCORE} and {measure}",
                measure,
                f"score in {SCORE}",
                {
                    team: ((float(x), each.score),)
                    for x, (team, each) in zip(column, folds.items(), strict=True)
                },
                joined=False,
            )
            for measure, column in by_people.items()
        ),
        (describe_settings(experiment, judged, "COCO", TEAM_SEEDS),),
    )


def teams_of(ratings: Ratings) -> JudgedSystems:
    """The captions of each team by image, and people's."""
    systems: dict[str, dict[str, str]] = {}
    people: dict[str, list[str]] = {}
    rows = zip(ratings.groups, map(str, ratings.images), ratings.candidates, strict=True)
    for (team, image, caption), references in zip(rows, ratings.references, strict=True):
        systems.setdefault(team, {})[image] = caption
        people.setdefault(image, list(references))
    return JudgedSystems(systems, people, None)


def _known(source: str, measure: str) -> float | None:
    figures = published(BENCHMARK, "pearson", "leic", source, measure)
    return figures[0].value if figures else None
