"""An evaluation of whole systems, made up for tests."""

from __future__ import annotations

import numpy as np

from captious.meta.agreement import agree
from captious.meta.benchmarks.coco import MEASURES
from captious.meta.evaluation import Evaluation
from captious.meta.judgements import Ratings, by_measure
from captious.meta.presets import preset

TEAMS = [f"team {team}" for team in range(12)]


def whole_systems() -> Evaluation:
    """Twelve systems, five measures, and two metrics that each agree with one of them."""
    protocol = preset("standard", "coco-2015")
    people = np.random.default_rng(1).normal(size=(12, 5))
    measures = by_measure(Ratings(TEAMS, [["a"]] * 12, list(TEAMS), people, TEAMS), MEASURES)
    scores = {"bleu_4": people[:, 0], "spice": people[:, 1]}
    parts = {name: agree(scores, part, protocol, resamples=20) for name, part in measures.items()}
    return Evaluation(
        "coco-2015", protocol, parts["M1"], "x", parts, judgements=measures["M1"], scores=scores
    )
