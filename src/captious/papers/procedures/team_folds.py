"""Teams of the 2015 challenge judged in two folds, beside what people said of them."""

from __future__ import annotations

import numpy as np

from captious.meta.benchmarks.coco_2015 import MEASURES
from captious.meta.judgements import Ratings, by_measure
from captious.meta.published import published
from captious.papers.measurements.caption_datasets import JudgedSystems
from captious.papers.measurements.experiment import Experiment
from captious.papers.procedures.two_folds import SCORE, describe_settings, folds_of, with_interval
from captious.papers.result import Measured, Measurement, Panel, Table, Value
from captious.stats.correlation import pearson
from captious.training.critics.two_fold import SYSTEM

BENCHMARK, PROTOCOL = "coco-2015", "leic"
SEEDS = (0,)


def measure(experiment: Experiment, source: str, measures: tuple[str, ...]) -> Measured:
    """Each team's score, its measures, and how they go together over teams."""
    ratings, _ = experiment.load_judgements(BENCHMARK, PROTOCOL)
    assert isinstance(ratings, Ratings)
    judged = teams_of(ratings)
    folds = {team: folds_of(experiment, judged, team, SEEDS) for team in judged.systems}
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
    return Measured(
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
        (describe_settings(experiment, judged, "COCO", SEEDS),),
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
