"""Systems judged by critics trained against their own captions, in two folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.critic.recipe import BOTH, MLP
from captious.experiments.result import Measured, Panel, Table, Value
from captious.experiments.workbench.bench import Workbench
from captious.experiments.workbench.critics import TEST, Critics, critic_recipe, quick_recipe
from captious.experiments.workbench.store import key_of, key_of_texts
from captious.io.where_image2 import read_systems
from captious.meta.statistics.correlation import pearson
from captious.scorer import Scorer
from captious.training.critics.two_fold import two_fold
from captious.version import __version__

SYSTEMS = "where_image2/flickr8k.json.gz"
SEEDS = (0, 1)
EPOCHS, PATIENCE = 10, 3  # a fold has few images, and so an epoch few steps
QUICK_SYSTEMS = 2


def measure(bench: Workbench, metrics: Sequence[str]) -> Measured:
    """Each system's score by two folds, beside its scores by other metrics."""
    critics = Critics(bench)
    people = critics.people(TEST)
    systems = _systems(bench, list(people))
    scorer = Scorer(people, metrics)
    rows: list[list[Value]] = []
    scores: list[float] = []
    others: dict[str, list[float]] = {name: [] for name in metrics}
    for name, captions in systems.items():
        by_critics, of_people = _scored(critics, name, captions)
        corpus = scorer.score(captions).corpus
        scores.append(float(by_critics.mean()))
        for metric, values in others.items():
            values.append(float(corpus[metric]))
        by_seed = by_critics.mean(axis=1)
        shown = [values[-1] for values in others.values()]
        rows.append([name, scores[-1], float(np.ptp(by_seed)), float(of_people.mean()), *shown])
    together = [pearson(np.array(scores), np.array(values)) for values in others.values()]
    first, beside = next(iter(others.items()))
    points = {name: ((x, y),) for name, x, y in zip(systems, beside, scores, strict=True)}
    return Measured(
        (
            Table(
                f"Score in two folds of {len(people):,} test images of Flickr8k, mean over "
                f"seeds {', '.join(map(str, _seeds(bench)))}, beside other metrics",
                ["system", "two folds", "seeds: range", "people's captions", *metrics],
                rows,
            ),
            Table(
                f"Pearson's r of the score in two folds with other metrics, {len(systems)} systems",
                ["", *metrics],
                [["two folds", *together]],
            ),
        ),
        (Panel("Systems by two scores", first, "score in two folds", points, joined=False),),
    )


def _systems(bench: Workbench, names: list[str]) -> dict[str, dict[str, str]]:
    """What each system says of these images."""
    written = read_systems(bench.data / SYSTEMS)
    chosen = list(written)[: QUICK_SYSTEMS if bench.quick else None]
    return {system: {name: written[system][name] for name in names} for system in chosen}


def _seeds(bench: Workbench) -> tuple[int, ...]:
    return SEEDS[:1] if bench.quick else SEEDS


def _scored(
    critics: Critics, system: str, captions: dict[str, str]
) -> tuple[FloatArray, FloatArray]:
    """Scores of a system's captions and of people's: a row a seed, a column an image."""
    bench, people, images = critics.bench, critics.people(TEST), critics.images(TEST)
    recipe = critic_recipe(BOTH, MLP, "everything")
    recipe = replace(recipe, epochs=EPOCHS, patience=PATIENCE)
    recipe = quick_recipe(recipe) if bench.quick else recipe
    texts = key_of_texts([*captions.values(), *chain.from_iterable(people.values())])
    parts = (texts, recipe.to_dict(), _seeds(bench), images.fingerprint, __version__)
    key = f"two-fold-{key_of(*parts)}"
    if "scores" not in bench.store.get(key):
        bench.say(f"critics of {system}, in two folds")
        folds = two_fold(captions, people, images, recipe, seeds=_seeds(bench))
        bench.store.add(key, {"scores": folds.scores, "people": folds.people})
    arrays = bench.store.get(key)
    return arrays["scores"], arrays["people"]
