"""Train NNEval and LCEval, and write the weights and cards that ship.

    python tools/train_published.py --data DIR [NAME ...]

`SHIPPED` lists them: what they read, what they are trained against, and how that was chosen. They
are networks of the papers' ablations, on the same captions, with the first seed. Other seeds are
trained for the spread of the figures, and not written.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from captious.meta.agreement import agree
from captious.meta.judgements import Ratings
from captious.metrics.learned.features import FeatureSet
from captious.metrics.learned.published import (
    LCEVAL,
    LCEVAL_RELEASED,
    NNEVAL,
    NNEVAL_RELEASED,
)
from captious.metrics.learned.weights import LearnedModel
from captious.metrics.parameters import PUBLISHED
from captious.papers.declaration import Mixture, describe_mixture
from captious.papers.measurements.experiment import CURVE, Experiment, Training
from captious.papers.rows import PAPER_MIXTURE, PERMUTED_WORDS, SHIPPED_MIXTURE
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
    "Human captions: COCO val2014. Negatives by share: {mixture} ({kinds}). One human candidate an "
    "image and one negative, each beside 4 human captions that differ from it. Images of the "
    "benchmarks that metrics are validated and tested on were left out, by id and by caption. One "
    "image in ten was held out. {selection} Made by tools/train_published.py."
)
KINDS = {
    "shetty2017/similar": "what the system shetty2017 wrote of an image whose human captions are "
    "similar",
    "shetty2017/other": "what the system shetty2017 wrote of another image",
    PERMUTED_WORDS: "a person's caption with all words permuted",
}
BY_RULE = (
    "The negatives were selected by a rule fixed beforehand, in which Composite and PASCAL-50S "
    "play no part (docs/learned.md)."
)
BY_COMPOSITE = "The negatives were selected among eight mixtures by the results on Composite."
NOT_INDEPENDENT = (
    "Composite is no independent test: the negatives were selected by the results on it."
)


@dataclass(frozen=True)
class Shipped:
    """Weights that ship: what they read, what they are trained against, and how it was selected."""

    name: str  # of the file: the metric's, and the variant's unless that is the default
    features: FeatureSet
    mixture: Mixture
    selection: str
    limits: tuple[str, ...] = ()


SHIPPED = (
    *(
        Shipped(features.name, features, SHIPPED_MIXTURE, BY_RULE)
        for features in (NNEVAL, NNEVAL_RELEASED, LCEVAL, LCEVAL_RELEASED)
    ),
    Shipped(
        f"nneval_{PUBLISHED}",
        NNEVAL,
        PAPER_MIXTURE,
        BY_COMPOSITE,
        (
            NOT_INDEPENDENT,
            "Kendall's tau_b on Composite compares with .396 in table 4 of LCEval's paper under "
            "the protocol `lceval`, and with .404 in table 1 of NNEval's own, which it does not "
            "reach, under the protocol `nneval`.",
        ),
    ),
    Shipped(
        f"lceval_{PUBLISHED}",
        LCEVAL,
        PAPER_MIXTURE,
        BY_COMPOSITE,
        (
            NOT_INDEPENDENT,
            "Kendall's tau_b on Composite compares with .418 in table 4 of LCEval's paper under "
            "the protocol `lceval` and no other.",
            "Head-word chains are counted as the paper describes them, `hwcm(variant=paper)`, not "
            "as its figures have them, `hwcm(variant=published)`.",
        ),
    ),
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


def train(experiment: Experiment, shipped: Shipped, seed: int) -> Training:
    """Train the network from a seed; its feature set has the name under which it ships."""
    recipe = replace(recipe_named(shipped.features.name), seed=seed)
    done = experiment.train_network(shipped.features, recipe, shipped.mixture)
    feature_set = replace(done.model.feature_set, name=shipped.name)
    return replace(done, model=replace(done.model, feature_set=feature_set))


def card(
    experiment: Experiment, shipped: Shipped, done: Training, figures: dict[str, float]
) -> str:
    """The model card of a network."""
    rows, is_human = experiment.training_rows(shipped.features, shipped.mixture)
    counts = {"captions": len(rows), "human captions": int(is_human.sum())}
    curve = tuple(dict(zip(CURVE, map(float, point), strict=True)) for point in done.curve)
    trained = TrainingResult(done.model, done.epoch, curve)
    data = DATA.format(
        mixture=describe_mixture(shipped.mixture),
        kinds="; ".join(f"{kind}: {KINDS[kind]}" for kind in shipped.mixture),
        selection=shipped.selection,
    )
    figures = {"held-out accuracy": done.held_out_accuracy, **figures}
    recipe = recipe_named(shipped.features.name)
    return model_card(trained, recipe, counts, data, figures, shipped.limits)


def print_figures(
    name: str, trained: Sequence[Training], figures: Sequence[dict[str, float]]
) -> None:
    """Print the mean and range of each figure over the seeds."""
    by_seed = [
        {"tau in validation": done.tau, **each} for done, each in zip(trained, figures, strict=True)
    ]
    for what in by_seed[0]:
        values = [each[what] for each in by_seed]
        low, high = min(values), max(values)
        first = f"first seed {values[0]:.4f}"
        print(
            f"{name}: {what}: {np.mean(values):.4f} ({low:.4f} to {high:.4f}), {first}", flush=True
        )


def main() -> None:
    """Train all seeds, write the first, print the range of the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="which weights (default: all)")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=LEARNED, help="the folder to write to")
    options = parser.parse_args()
    known = {shipped.name: shipped for shipped in SHIPPED}
    if unknown := [name for name in options.names if name not in known]:
        parser.error(f"no weights {unknown[0]!r}; there are: {', '.join(known)}")
    experiment = Experiment(options.data, progress=lambda line: print(line, flush=True))
    everything = replace(LCEVAL, features=tuple(dict.fromkeys(LCEVAL.features + NNEVAL.features)))
    for benchmark, protocol in MEASURED:
        experiment.features(everything, benchmark, protocol)  # read once for both metrics
    for name in options.names or known:
        shipped = known[name]
        trained = [train(experiment, shipped, seed) for seed in SEEDS]
        figures = [measure_agreement(experiment, name, done.model) for done in trained]
        weights = options.output / f"{name}.npz"
        trained[0].model.save(weights)
        text = card(experiment, shipped, trained[0], figures[0])
        write_model_card(card_path(weights), text)
        print_figures(name, trained, figures)


if __name__ == "__main__":
    main()
