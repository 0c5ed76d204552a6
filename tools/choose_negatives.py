"""Choose the negatives to train NNEval and LCEval on, by the rule in docs/learned.md.

    python tools/choose_negatives.py --data DIR --output choice.json

Candidates are trained on captions of COCO val2014 with one seed; those that still qualify after it,
with three. They are judged on Flickr8k-Expert, on people's captions of COCO train2014, and on
captions of systems and images that no candidate is trained on. Networks and features are cached: a
second or resumed run reads them from there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
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
from captious.papers.measurements.experiment import Experiment, hash_samples
from captious.papers.measurements.sources import PEOPLE, REFERENCES
from captious.training.learned_metrics.negatives import similar_images
from captious.training.learned_metrics.overlap import Overlap, read_benchmarks
from captious.training.learned_metrics.recipe import recipe_named

METRICS = ("nneval", "lceval")
SEEDS = (0, 1, 2)
SYSTEM = "shetty2017"
IMAGES_OF = ("", "/similar", "/other")  # the image itself, a similar one, any other
PERMUTED = "word_permutation"
UNSEEN = ("liu2017", "mun2017", "shetty2016", "tavakoli2017", "wu2016", "zhou2017")
PEOPLES_IMAGES, IMAGES_A_SYSTEM = 1000, 500
CONDITIONS = {"order": 0.9, "content": 0.95, "content, 1 reference": 0.9}  # at least this share
NEAR = 0.01  # of the best tau: candidates as near as this are decided by systems' captions
FAR = 0.02  # from the best tau of the first seed: candidates as far get no further seeds

# By metric and measure, one number per seed.
Measurements = dict[str, dict[str, list[float]]]
Results = dict[str, Measurements]  # by candidate


def candidate_mixtures() -> dict[str, Mixture]:
    """Every candidate mixture by its name: captions of which images, shuffled or not."""
    mixtures: dict[str, Mixture] = {}
    subsets = chain.from_iterable(combinations(IMAGES_OF, size) for size in (1, 2, 3))
    for kinds in subsets:
        mixture = {f"{SYSTEM}{kind}": 1.0 for kind in kinds}
        disordered = {**mixture, PERMUTED: len(mixture) / 4}  # one negative in five
        mixtures[describe_mixture(mixture)], mixtures[describe_mixture(disordered)] = (
            mixture,
            disordered,
        )
    return mixtures


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


def system_trial(experiment: Experiment) -> Trial:
    """Unseen systems' captions of an image against their captions of the most similar image."""
    human = read_references(experiment.data / PEOPLE["coco"])
    seen = set(experiment.sources.training_set("shetty2017").images)  # as every source has them
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
    experiment: Experiment, mixture: Mixture, trials: dict[str, Trial], seeds: Sequence[int] = SEEDS
) -> Measurements:
    """For each metric the tau in validation and the share of each trial, one number a seed."""
    rows: Measurements = {}
    for name in METRICS:
        feature_set = FEATURE_SETS[name]
        columns: dict[str, list[float]] = {"tau": [], **{trial: [] for trial in trials}}
        for seed in seeds:
            training = experiment.train_network(
                feature_set, replace(recipe_named(name), seed=seed), mixture
            )
            columns["tau"].append(training.tau)
            for measure, trial in trials.items():
                scores = training.model.scores(trial.features(experiment, feature_set))
                columns[measure].append(pairwise_accuracy(scores))
        rows[name] = columns
    return rows


def mean_over_metrics(rows: Measurements, measure: str) -> float:
    """The mean of one measure over metrics and seeds."""
    return float(np.mean([columns[measure] for columns in rows.values()]))


def meets_conditions(rows: Measurements) -> bool:
    """Whether both metrics meet every condition on the average of their seeds."""
    return all(
        np.mean(columns[measure]) >= minimum
        for columns in rows.values()
        for measure, minimum in CONDITIONS.items()
    )


def select_finalists(results: Results) -> list[str]:
    """Select the candidates that qualify after one seed; all, if none meets the conditions."""
    qualified = [name for name, rows in results.items() if meets_conditions(rows)] or list(results)
    best = max((mean_over_metrics(results[name], "tau") for name in qualified), default=0.0)
    return [name for name in qualified if mean_over_metrics(results[name], "tau") >= best - FAR]


def choose_candidate(results: Results) -> str:
    """Choose a candidate by the rule; if none meets the conditions, the one nearest to them."""
    results = {name: rows for name, rows in results.items() if len(rows["lceval"]["tau"]) > 1}
    qualified = [name for name, rows in results.items() if meets_conditions(rows)]
    if not qualified:
        return max(results, key=lambda name: _least_margin(results[name]))
    best = max(mean_over_metrics(results[name], "tau") for name in qualified)
    close = [name for name in qualified if mean_over_metrics(results[name], "tau") >= best - NEAR]
    return max(close, key=lambda name: mean_over_metrics(results[name], "systems"))


def _least_margin(rows: Measurements) -> float:
    return min(
        float(np.mean(columns[measure])) - minimum
        for columns in rows.values()
        for measure, minimum in CONDITIONS.items()
    )


def main() -> None:
    """Train every candidate, print all measurements and the chosen candidate."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    experiment = Experiment(options.data, progress=lambda line: print(line, flush=True))
    trials = {**human_trials(experiment), "systems": system_trial(experiment)}
    all_features = replace(LCEVAL, features=tuple(dict.fromkeys(LCEVAL.features + NNEVAL.features)))
    for source in dict.fromkeys(chain.from_iterable(candidate_mixtures().values())):
        experiment.source_rows(source, all_features)  # read once for both metrics
    results: Results = {}
    for seeds in (SEEDS[:1], SEEDS):
        for name in select_finalists(results) or candidate_mixtures():
            results[name] = measure_candidate(experiment, candidate_mixtures()[name], trials, seeds)
            print(
                name,
                mean_over_metrics(results[name], "tau"),
                meets_conditions(results[name]),
                flush=True,
            )
    choice = choose_candidate(results)
    options.output.write_text(json.dumps({"chosen": choice, "results": results}, indent=1))
    header = ("against", "metric", "tau", *trials, "holds")
    table = [
        (
            name,
            metric,
            *(f"{np.mean(values):.4f}" for values in columns.values()),
            str(meets_conditions(rows)),
        )
        for name, rows in results.items()
        for metric, columns in rows.items()
    ]
    print(render_table(header, table, "markdown", 2))
    print(f"chosen: {choice}")


if __name__ == "__main__":
    main()
