"""Train NNEval and LCEval, and write the weights and cards that ship.

    python tools/train_published.py --data DIR

They are the networks that the papers' ablations are compared with: on the same
captions, against the negatives that `tools/choose_negatives.py` chose, with the first seed. Other
seeds are trained for the spread of the figures, and not written.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from captious.meta.agreement import agree
from captious.meta.judgements import Ratings
from captious.metrics.learned.published import FEATURE_SETS, LCEVAL, NNEVAL
from captious.metrics.learned.weights import LearnedModel
from captious.papers.declaration import describe_mixture
from captious.papers.measurements.experiment import CURVE, Experiment, Training
from captious.papers.rows import SHIPPED_MIXTURE
from captious.resources import LEARNED
from captious.training.learned_metrics.model_card import card_path, model_card, write_model_card
from captious.training.learned_metrics.recipe import recipe_named
from captious.training.loop import TrainingResult

SEEDS = (0, 1, 2)
# What both papers report, under the rules that their figures fit, and others not fitted to.
MEASURED = (
    ("composite", "lceval"),
    ("composite", "nneval"),
    ("composite", "standard"),
    ("pascal-50s", "lceval"),
    ("flickr8k-expert", "standard"),
    ("flickr8k-cf", "standard"),
)
DATA = (
    "Human captions: COCO val2014. Negatives by share: {mixture} (shetty2017/other: what the "
    "system shetty2017 wrote of another image; word_permutation: a person's caption with all words "
    "permuted). One human candidate an image and one negative, each beside 4 human captions that "
    "differ from it. Images of the benchmarks that metrics are validated and tested on were left "
    "out, by id and by caption. One image in ten was held out. Made by tools/train_published.py."
)


def measure_agreement(experiment: Experiment, name: str, model: LearnedModel) -> dict[str, float]:
    """Agreement with people by benchmark, protocol and statistic."""
    figures: dict[str, float] = {}
    for benchmark, protocol in MEASURED:
        judgements, chosen = experiment.load_judgements(benchmark, protocol)
        scores = model.scores(experiment.features(model.feature_set, benchmark, protocol))
        if not isinstance(judgements, Ratings):
            scores = scores.reshape(-1, 2)  # two captions a pair
        agreements = agree({name: scores}, judgements, chosen, resamples=0)
        for statistic, value in agreements.rows[0].values.items():
            figures[f"{statistic} on {benchmark} ({protocol})"] = float(value)
    return figures


def train(experiment: Experiment, name: str, seed: int) -> Training:
    """The network of a published set against the chosen negatives."""
    recipe = replace(recipe_named(name), seed=seed)
    return experiment.train_network(FEATURE_SETS[name], recipe, SHIPPED_MIXTURE)


def card(experiment: Experiment, name: str, done: Training, figures: dict[str, float]) -> str:
    """The model card of a network."""
    rows, is_human = experiment.training_rows(FEATURE_SETS[name], SHIPPED_MIXTURE)
    counts = {"captions": len(rows), "human captions": int(is_human.sum())}
    curve = tuple(dict(zip(CURVE, map(float, point), strict=True)) for point in done.curve)
    trained = TrainingResult(done.model, done.epoch, curve)
    figures = {
        "held-out accuracy": done.held_out_accuracy,
        **figures,
    }
    data = DATA.format(mixture=describe_mixture(SHIPPED_MIXTURE))
    return model_card(trained, recipe_named(name), counts, data, figures)


def main() -> None:
    """Train all seeds, write the first, print the range of the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=LEARNED, help="the folder to write to")
    options = parser.parse_args()
    experiment = Experiment(options.data, progress=lambda line: print(line, flush=True))
    everything = replace(LCEVAL, features=tuple(dict.fromkeys(LCEVAL.features + NNEVAL.features)))
    for benchmark, protocol in MEASURED:
        experiment.features(everything, benchmark, protocol)  # read once for both metrics
    for name in FEATURE_SETS:
        trained = [train(experiment, name, seed) for seed in SEEDS]
        figures = [measure_agreement(experiment, name, done.model) for done in trained]
        weights = options.output / f"{name}.npz"
        trained[0].model.save(weights)
        write_model_card(card_path(weights), card(experiment, name, trained[0], figures[0]))
        taus = [done.tau for done in trained]
        print(f"{name}: tau {np.mean(taus):.4f} ({min(taus):.4f} to {max(taus):.4f})", flush=True)
        for what in figures[0]:
            values = [each[what] for each in figures]
            low, high = min(values), max(values)
            print(f"  {what}: {np.mean(values):.4f} ({low:.4f} to {high:.4f})", flush=True)


if __name__ == "__main__":
    main()
