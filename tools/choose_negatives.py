"""Choose the negatives to train NNEval and LCEval on, by the rule in docs/learned.md.

    python tools/choose_negatives.py shipped --data DIR --output choice.json
    python tools/choose_negatives.py default --data DIR --output default.json
    python tools/choose_negatives.py default-without-machine --data DIR --output default.json

`shipped` chooses for the weights that ship, `default` for `captious train` on captions of one's
own: with a machine's captions, whichever machine it is, or without. Candidates are trained on
captions of COCO val2014 with one seed; those that still qualify after it, with three. They are
judged on Flickr8k-Expert, on people's captions of COCO train2014, and, where these do not decide,
on captions of systems and images that no candidate is trained on. Networks and features are cached:
a second or resumed run reads them from there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, product
from pathlib import Path
from typing import Any

import numpy as np

from captious.io.captions import read_candidates, read_references
from captious.io.output_tables import render_table
from captious.meta.robustness.captioned_images import CaptionedImages
from captious.meta.robustness.pathological import other_words
from captious.metrics.learned.features import FeatureSet, extract_features
from captious.metrics.learned.published import FEATURE_SETS, LCEVAL, NNEVAL
from captious.papers.declaration import Mixture, describe_mixture
from captious.papers.measurements.experiment import MAX_IMAGES, Experiment, hash_samples
from captious.papers.measurements.sources import PEOPLE, REFERENCES
from captious.training.learned_metrics.negatives import (
    MACHINE,
    MACHINE_OTHER,
    MACHINE_SIMILAR,
    RANDOM_CAPTION,
    similar_images,
)
from captious.training.learned_metrics.overlap import Overlap, read_benchmarks
from captious.training.learned_metrics.recipe import recipe_named

METRICS = ("nneval", "lceval")
SEEDS = (0, 1, 2)
PERMUTED = "word_permutation"
UNSEEN = ("liu2017", "mun2017", "shetty2016", "tavakoli2017", "wu2016", "zhou2017")
PEOPLES_IMAGES, IMAGES_A_SYSTEM = 1000, 500
CONDITIONS = {"order": 0.9, "content": 0.95, "content, 1 reference": 0.9}  # at least this share
NEAR = 0.01  # of the best tau: candidates as near as this are decided by systems' captions
FAR = 0.02  # from the best tau of the first seed: candidates as far get no further seeds

# By network (a metric trained with one machine) and measure, one number per seed.
Measurements = dict[str, dict[str, list[float]]]
Results = dict[str, Measurements]  # by candidate


@dataclass(frozen=True)
class Choice:
    """What is chosen: among which kinds of negatives, and by training with which machines."""

    kinds: tuple[str, ...]
    machines: tuple[str, ...]  # whose captions the kinds are of
    images: int  # of each source

    def candidates(self) -> dict[str, Mixture]:
        """Every candidate mixture by its name: kinds in equal shares, and permuted words or not.

        Where machines' captions are given, a candidate has some.
        """
        mixtures: dict[str, Mixture] = {}
        sizes = range(1, len(self.kinds) + 1)
        for kinds in chain.from_iterable(combinations(self.kinds, size) for size in sizes):
            mixture = dict.fromkeys(kinds, 1.0)
            if any(self.machines) and not any(kind in SOURCES for kind in kinds):
                continue
            permuted = {**dict.fromkeys(kinds, 4.0), PERMUTED: len(kinds)}  # one negative in five
            for each in (mixture, permuted):
                mixtures[describe_mixture(each)] = each
        return mixtures


CHOICES = {
    "shipped": Choice((MACHINE, MACHINE_SIMILAR, MACHINE_OTHER), ("shetty2017",), MAX_IMAGES),
    # Two machines as good as the best of 2017, and one that is weaker.
    "default": Choice(
        (MACHINE, MACHINE_OTHER, RANDOM_CAPTION), ("shetty2017", "vinyals2017", "init_1"), 4000
    ),
    "default-without-machine": Choice((RANDOM_CAPTION,), ("",), 4000),
}
SOURCES = {MACHINE: "{}", MACHINE_SIMILAR: "{}/similar", MACHINE_OTHER: "{}/other"}


def sources_of(mixture: Mixture, machine: str) -> Mixture:
    """The mixture's sources, by their names, with one machine's captions."""
    return {SOURCES.get(kind, kind).format(machine): share for kind, share in mixture.items()}


@dataclass(frozen=True, eq=False)
class Trial:
    """Pairs of captions with the same references, the first of which should score higher."""

    better: list[str]
    worse: list[str]
    references: list[list[str]]

    def features(self, experiment: Experiment, feature_set: FeatureSet) -> Any:
        """The features of the better captions, then of the worse, cached on disk."""
        captions, references = self.better + self.worse, self.references * 2
        key = f"trial-{hash_samples(captions, references)}-{feature_set.name}"
        if "features" not in experiment.store.get(key):
            experiment.store.add(
                key, {"features": extract_features(feature_set, captions, references)}
            )
        return experiment.store.get(key)["features"]


def pairwise_accuracy(scores: Any) -> float:
    """How often the better caption scores higher, a tie one half."""
    better, worse = np.split(scores, 2)
    return float((better > worse).mean() + (better == worse).mean() / 2)


def human_trials(experiment: Experiment) -> dict[str, Trial]:
    """Human captions of COCO train2014 against shuffled ones and captions of other images."""
    tasks = read_benchmarks(experiment.data).values()
    overlap = Overlap.with_judgements(task.as_read for task in tasks)
    human = read_references(experiment.data / "coco" / "captions_train2014.json.gz")
    usable = [
        image
        for image, captions in human.items()
        if len(captions) > REFERENCES
        and not overlap.has_image(image)
        and not overlap.has_text(captions)
    ]
    rng = np.random.default_rng(0)
    images = [usable[place] for place in rng.permutation(len(usable))[:PEOPLES_IMAGES]]
    data = CaptionedImages.of({image: human[image][:2] for image in images})
    ordered, disordered = data.texts[::2], other_words(data, PERMUTED, 100, rng)[::2]
    references = [human[image][1 : REFERENCES + 1] for image in images]
    others = ordered[1:] + ordered[:1]  # in an order that chance decided
    return {
        "order": Trial(ordered, disordered, references),
        "content": Trial(ordered, others, references),
        "content, 1 reference": Trial(ordered, others, [captions[:1] for captions in references]),
    }


def system_trial(experiment: Experiment, machines: Sequence[str]) -> Trial:
    """Unseen systems' captions of an image against their captions of the most similar image."""
    human = read_references(experiment.data / PEOPLE["coco"])
    sources = [machine or RANDOM_CAPTION for machine in machines]
    seen = {image for name in sources for image in experiment.sources.training_set(name).images}
    tasks = read_benchmarks(experiment.data).values()
    overlap = Overlap.with_judgements(task.as_read for task in tasks)
    usable = [
        image
        for image, captions in human.items()
        if image not in seen
        and len(captions) > REFERENCES
        and not overlap.has_image(image)
        and not overlap.has_text(captions)
    ]
    order = np.random.default_rng(1).permutation(len(usable))
    images = [usable[place] for place in order[: IMAGES_A_SYSTEM * len(UNSEEN)]]
    near = similar_images(human, images, usable)
    trial = Trial([], [], [])
    for number, system in enumerate(UNSEEN):
        written = read_candidates(experiment.sources.systems[system]).captions
        for image in images[number * IMAGES_A_SYSTEM :][:IMAGES_A_SYSTEM]:
            caption, similar_caption = written[image], written[usable[near[image][0]]]
            if caption != similar_caption:
                trial.better.append(caption)
                trial.worse.append(similar_caption)
                trial.references.append(list(human[image][:REFERENCES]))
    return trial


def measure_candidate(
    experiment: Experiment,
    mixture: Mixture,
    machines: Sequence[str],
    trials: Mapping[str, Trial],
    seeds: Sequence[int] = SEEDS,
) -> Measurements:
    """For each network the tau in validation and the share of each trial, one number a seed."""
    rows: Measurements = {}
    for machine, name in product(machines, METRICS):
        feature_set = FEATURE_SETS[name]
        columns: dict[str, list[float]] = {"tau": [], **{trial: [] for trial in trials}}
        for seed in seeds:
            training = experiment.train_network(
                feature_set,
                replace(recipe_named(name), seed=seed),
                sources_of(mixture, machine),
            )
            columns["tau"].append(training.tau)
            for measure, trial in trials.items():
                scores = training.model.scores(trial.features(experiment, feature_set))
                columns[measure].append(pairwise_accuracy(scores))
        rows[f"{name} {machine}".strip()] = columns
    return rows


def mean_over_networks(rows: Measurements, measure: str) -> float:
    """The mean of one measure over networks and seeds."""
    return float(np.mean([columns[measure] for columns in rows.values()]))


def meets_conditions(rows: Measurements) -> bool:
    """Whether every network meets every condition on the average of its seeds."""
    return all(
        np.mean(columns[measure]) >= minimum
        for columns in rows.values()
        for measure, minimum in CONDITIONS.items()
    )


def select_finalists(results: Results) -> list[str]:
    """Select the candidates that qualify after one seed; all, if none meets the conditions."""
    qualified = [name for name, rows in results.items() if meets_conditions(rows)] or list(results)
    best = max((mean_over_networks(results[name], "tau") for name in qualified), default=0.0)
    return [name for name in qualified if mean_over_networks(results[name], "tau") >= best - FAR]


def select_winners(results: Results) -> list[str]:
    """Return the candidate chosen, or those too close to be told apart by tau.

    If none meets the conditions, it is the one nearest to them.
    """
    results = {
        name: rows
        for name, rows in results.items()
        if all(len(columns["tau"]) > 1 for columns in rows.values())
    }
    qualified = [name for name, rows in results.items() if meets_conditions(rows)]
    if not qualified:
        return [max(results, key=lambda name: _least_margin(results[name]))]
    best = max(mean_over_networks(results[name], "tau") for name in qualified)
    return [name for name in qualified if mean_over_networks(results[name], "tau") >= best - NEAR]


def _least_margin(rows: Measurements) -> float:
    return min(
        float(np.mean(columns[measure])) - minimum
        for columns in rows.values()
        for measure, minimum in CONDITIONS.items()
    )


def main() -> None:
    """Train every candidate, print all measurements and the chosen candidate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("choice", choices=CHOICES)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    asked = CHOICES[options.choice]
    candidates = asked.candidates()
    experiment = Experiment(
        options.data, images=asked.images, progress=lambda line: print(line, flush=True)
    )
    all_features = replace(LCEVAL, features=tuple(dict.fromkeys(LCEVAL.features + NNEVAL.features)))
    for machine, mixture in product(asked.machines, candidates.values()):
        for source in sources_of(mixture, machine):
            experiment.source_rows(source, all_features)  # read once for both metrics
    trials = human_trials(experiment)
    results: Results = {}
    for seeds in (SEEDS[:1], SEEDS):
        for name in select_finalists(results) or candidates:
            mixture = candidates[name]
            results[name] = measure_candidate(experiment, mixture, asked.machines, trials, seeds)
            tau, holds = mean_over_networks(results[name], "tau"), meets_conditions(results[name])
            print(f"{name}: tau {tau:.4f}{', holds' * holds}", flush=True)
    winners = select_winners(results)
    if len(winners) > 1:
        systems = {"systems": system_trial(experiment, asked.machines)}
        for name in winners:
            further = measure_candidate(experiment, candidates[name], asked.machines, systems)
            for network, columns in results[name].items():
                columns["systems"] = further[network]["systems"]
        winners = [max(winners, key=lambda name: mean_over_networks(results[name], "systems"))]
    (choice,) = winners
    options.output.write_text(json.dumps({"chosen": choice, "results": results}, indent=1))
    header = ("against", "network", "tau", *trials, "holds")
    table = [
        (
            name,
            network,
            *(f"{np.mean(columns[measure]):.4f}" for measure in ("tau", *trials)),
            str(meets_conditions(rows)),
        )
        for name, rows in results.items()
        for network, columns in rows.items()
    ]
    print(render_table(header, table, "markdown", 2))
    print(f"chosen: {choice}")


if __name__ == "__main__":
    main()
