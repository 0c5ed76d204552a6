"""Systems judged by critics trained against their own captions, in two folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from captious.critic.recipe import BOTH, MLP, REFERENCE, CriticRecipe
from captious.experiments.result import Measured, Panel, Table, Value
from captious.experiments.workbench.bench import Workbench
from captious.experiments.workbench.critics import critic_recipe, quick_recipe
from captious.experiments.workbench.grounds import GROUNDS, JudgedSystems
from captious.experiments.workbench.store import key_of, key_of_texts
from captious.meta.statistics.correlation import kendall_b, pearson
from captious.scorer import Scorer
from captious.training.critics.two_fold import DIFFERENCE, SYSTEM, TwoFold, two_fold
from captious.version import __version__

SCORE, LOW, HIGH = "two folds", "low", "high"


def measure(bench: Workbench, on: str, metrics: Sequence[str], seeds: Sequence[int]) -> Measured:
    """Each system's score by two folds, beside its scores by other metrics, and their agreement."""
    judged = GROUNDS[on](bench).judged()
    seeds = seeds[:1] if bench.quick else seeds
    scorer = Scorer(judged.people, list(metrics))
    by_system = {name: _scored(bench, judged, name, seeds) for name in judged.systems}
    others = {
        name: [float(corpus[metric]) for metric in metrics]
        for name, captions in judged.systems.items()
        for corpus in [scorer.score(captions).corpus]
    }
    rows: list[list[Value]] = []
    for name, folds in by_system.items():
        low, high = folds.intervals[SYSTEM]
        least = folds.intervals[DIFFERENCE][0]
        by_seed = [float(np.ptp(folds.by_seed))] if len(seeds) > 1 else []
        of_people = float(folds.people.mean())
        rows.append([name, folds.score, low, high, *by_seed, of_people, least, *others[name]])
    scores = np.array([folds.score for folds in by_system.values()])
    columns = np.array(list(others.values())).T
    between: list[list[Value]] = [
        [name, *(float(statistic(scores, column)) for column in columns)]
        for name, statistic in (("Pearson's r", pearson), ("Kendall's tau_b", kendall_b))
    ]
    points = {
        name: ((values[0], folds.score),)
        for (name, folds), values in zip(by_system.items(), others.values(), strict=True)
    }
    ranges = ["seeds: range"] if len(seeds) > 1 else []
    headings = ["system", SCORE, LOW, HIGH, *ranges, "people's captions", "least difference"]
    return Measured(
        (
            Table(
                f"Score in two folds of {len(judged.people):,} images of {on}, mean over "
                f"{len(seeds)} seeds, its 95 % interval over images, and other metrics",
                [*headings, *metrics],
                rows,
            ),
            Table(
                f"Agreement of the score in two folds with other metrics, {len(rows)} systems",
                ["", *metrics],
                between,
            ),
        ),
        (Panel("Systems by two scores", metrics[0], f"score in {SCORE}", points, joined=False),),
    )


def _recipe(bench: Workbench, judged: JudgedSystems) -> CriticRecipe:
    recipe = critic_recipe(REFERENCE if judged.images is None else BOTH, MLP, "a system")
    return quick_recipe(recipe) if bench.quick else recipe


def _scored(bench: Workbench, judged: JudgedSystems, system: str, seeds: Sequence[int]) -> TwoFold:
    """Scores of a system's captions and of people's; each seed is kept for itself."""
    captions, people = judged.systems[system], judged.people
    recipe = _recipe(bench, judged)
    texts = key_of_texts([*captions.values(), *chain.from_iterable(people.values())])
    seen = None if judged.images is None else judged.images.fingerprint
    kept = []
    for seed in seeds:
        recipe = replace(recipe, seed=seed)
        key = f"two-fold-{key_of(texts, recipe.to_dict(), seen, __version__)}"
        if "scores" not in bench.store.get(key):
            bench.say(f"critics of {system}, in two folds, seed {seed}")
            folds = two_fold(captions, people, judged.images, recipe, seeds=[seed])
            bench.store.add(key, {"scores": folds.scores, "people": folds.people})
        kept.append(bench.store.get(key))
    scores, of_people = (
        np.concatenate([each[name] for each in kept]) for name in ("scores", "people")
    )
    return TwoFold(tuple(people), scores, of_people)
