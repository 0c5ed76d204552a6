"""Systems judged by critics trained against their own captions: LEIC's section 3.5."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.critic.recipe import BOTH, MLP
from captious.experiments.critic_recipes import AUGMENTED, LEIC_PAPER
from captious.experiments.critics import TEST, Critics, quick_recipe
from captious.experiments.experiment import Experiment
from captious.experiments.kept import key_of, key_of_texts
from captious.experiments.result import Cell, Finding, Panel, Table
from captious.experiments.workbench import Workbench
from captious.io.where_image2 import read_systems
from captious.meta.statistics.correlation import pearson
from captious.scorer import Scorer
from captious.training.critics.two_fold import two_fold
from captious.version import __version__

SYSTEMS = "where_image2/flickr8k.json.gz"
SEEDS = (0, 1)
EPOCHS, PATIENCE = 10, 3  # a fold has few images, and so an epoch few steps
METRICS = ("cider_d", "meteor", "spice")
QUICK_SYSTEMS = 2


def two_folds(bench: Workbench) -> Finding:
    """Each system's score by two folds, beside its scores by other metrics."""
    critics = Critics(bench)
    people = critics.people(TEST)
    systems = _systems(bench, list(people))
    scorer = Scorer(people, METRICS)
    rows: list[list[Cell]] = []
    columns: dict[str, list[float]] = {name: [] for name in ("leic", *METRICS)}
    for name, captions in systems.items():
        own, mine = _scored(critics, name, captions)
        corpus = scorer.score(captions).corpus
        shown = [float(corpus[metric]) for metric in METRICS]
        by_seed = own.mean(axis=1)
        rows.append([name, float(own.mean()), float(np.ptp(by_seed)), float(mine.mean()), *shown])
        for column, value in zip(columns, (float(own.mean()), *shown), strict=True):
            columns[column].append(value)
    together = [pearson(np.array(columns["leic"]), np.array(columns[name])) for name in METRICS]
    return Finding(
        "two-folds",
        "Systems judged by critics of their own",
        (
            Table.of(
                f"Score in two folds of {len(people):,} test images of Flickr8k, mean over "
                f"seeds {', '.join(map(str, _seeds(bench)))}, beside other metrics",
                ["system", "two folds", "seeds: range", "people's captions", *METRICS],
                rows,
            ),
            Table.of(
                f"Pearson's r of the score in two folds with other metrics, {len(systems)} systems",
                ["", *METRICS],
                [["two folds", *together]],
            ),
        ),
        (
            Panel(
                "Systems by two scores",
                METRICS[0],
                "score in two folds",
                {
                    name: ((x, y),)
                    for name, x, y in zip(
                        systems, columns[METRICS[0]], columns["leic"], strict=True
                    )
                },
                joined=False,
            ),
        ),
        (
            f"As in {LEIC_PAPER}, section 3.5: the images are split in halves, a critic of image "
            "and reference learns from one half to tell the system's captions, and people's made "
            "worse, from people's, and scores the other half; then the other way round. A higher "
            "score is of a system whose captions are taken for people's more often. People's own "
            "captions are scored by the same critics. The systems are the runs of Tanti et al. "
            "(2018), whose captions nobody has judged: the paper's correlation with people is not "
            "to be had here.",
        ),
    )


def _systems(bench: Workbench, names: list[str]) -> dict[str, dict[str, str]]:
    """What each system says of these images."""
    found = read_systems(bench.data / SYSTEMS)
    chosen = list(found)[: QUICK_SYSTEMS if bench.quick else None]
    return {system: {name: found[system][name] for name in names} for system in chosen}


def _seeds(bench: Workbench) -> tuple[int, ...]:
    return SEEDS[:1] if bench.quick else SEEDS


def _scored(
    critics: Critics, system: str, captions: dict[str, str]
) -> tuple[FloatArray, FloatArray]:
    """Scores of a system's captions and of people's: a row a seed, a column an image."""
    bench, people, images = critics.bench, critics.people(TEST), critics.images(TEST)
    recipe = AUGMENTED.recipe(BOTH, MLP)
    recipe = replace(recipe, epochs=EPOCHS, patience=PATIENCE)
    recipe = quick_recipe(recipe) if bench.quick else recipe
    texts = key_of_texts([*captions.values(), *(text for own in people.values() for text in own)])
    parts = (texts, recipe.to_dict(), _seeds(bench), images.fingerprint, __version__)
    key = f"two-fold-{key_of(*parts)}"
    if "scores" not in bench.kept.get(key):
        bench.say(f"critics of {system}, in two folds")
        found = two_fold(captions, people, images, recipe, seeds=_seeds(bench))
        bench.kept.add(key, {"scores": found.scores, "people": found.people})
    arrays = bench.kept.get(key)
    return arrays["scores"], arrays["people"]


TWO_FOLDS = Experiment(
    "two-folds",
    "LEIC section 3.5",
    "how captioners score by critics trained against their own captions",
    two_folds,
    trains=True,
    draws=True,
)
