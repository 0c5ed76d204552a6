"""Two-fold scoring: a system judged by critics that were trained against its own captions.

Cui et al. (2018), section 3.5: the images are split in two halves; a critic learns to tell the
system's captions of one half from people's and scores those of the other half, and the other way
round. The system's score is the mean over all images and, as training varies, over several seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.corpus import ReferenceColumns
from captious.critic.critic import Critic
from captious.critic.leic import Leic
from captious.critic.recipe import MACHINE, CriticRecipe
from captious.errors import InputError
from captious.images.vectors import ImageVectors
from captious.scorer import Scorer
from captious.shown import shown
from captious.training.critics.captions import CriticCaptions
from captious.training.critics.training import train

HELD_OUT = 10  # one image in so many of a fold is for stopping by
FEWEST = 4 * HELD_OUT  # images
Progress = Callable[[int, int], None]  # trainings done, trainings in all


@dataclass(frozen=True, eq=False)
class TwoFold:
    """What critics made of a system, and of people's captions of the same images.

    `scores` and `people` have a row a seed and a column an image; people's captions are scored as
    the system's are: one of each image, beside the others.
    """

    images: tuple[str, ...]
    scores: FloatArray
    people: FloatArray

    @property
    def score(self) -> float:
        """The system's score."""
        return float(self.scores.mean())

    @property
    def by_seed(self) -> list[float]:
        """The score that each seed alone gives."""
        means: list[float] = self.scores.mean(axis=1).tolist()
        return means


def two_fold(
    candidates: Mapping[str, str],
    people: Mapping[str, Sequence[str]],
    images: ImageVectors | None = None,
    recipe: CriticRecipe | None = None,
    *,
    seeds: Sequence[int] = (0, 1, 2),
    progress: Progress | None = None,
) -> TwoFold:
    """Score one caption of each image, by critics trained on the other half of the images.

    A caption is never scored beside a reference that equals it by accident of the split: people's
    captions are dealt out once, the first to be scored, the others as references.
    """
    names = [name for name in candidates if name in people]
    if len(names) < len(candidates):
        missing = next(name for name in candidates if name not in people)
        raise InputError(f"image {shown(missing)}: has a candidate but no captions of people")
    if len(names) < FEWEST:
        raise InputError(f"two folds need {FEWEST} images or more, not {len(names)}")
    recipe = recipe or CriticRecipe()
    if not seeds:
        raise InputError("two folds need a seed or more")
    scores = np.zeros((len(seeds), len(names)))
    mine = np.zeros_like(scores)
    done = 0
    for row, seed in enumerate(seeds):
        order = np.random.default_rng(seed).permutation(len(names))
        halves = np.array_split(order, 2)
        for learnt, other in (halves, halves[::-1]):
            critic = _trained(learnt, names, candidates, people, images, replace(recipe, seed=seed))
            judged = [candidates[names[place]] for place in other]
            scores[row, other], mine[row, other] = _scored(
                critic, [names[place] for place in other], judged, people, images
            )
            done += 1
            if progress is not None:
                progress(done, 2 * len(seeds))
    return TwoFold(tuple(names), scores, mine)


def _trained(
    places: np.ndarray,
    names: Sequence[str],
    candidates: Mapping[str, str],
    people: Mapping[str, Sequence[str]],
    images: ImageVectors | None,
    recipe: CriticRecipe,
) -> Critic:
    """A critic of the system, trained on one half of the images."""
    parts = []
    for some in (places[len(places) // HELD_OUT :], places[: len(places) // HELD_OUT]):
        chosen = [names[place] for place in some]
        machines = {MACHINE: {name: [candidates[name]] for name in chosen}}
        captions = {name: people[name] for name in chosen}
        parts.append(CriticCaptions.of(captions, machines, images))
    return train(parts[0], parts[1], recipe).model


def _scored(
    critic: Critic,
    names: Sequence[str],
    judged: Sequence[str],
    people: Mapping[str, Sequence[str]],
    images: ImageVectors | None,
) -> tuple[FloatArray, FloatArray]:
    """The system's captions beside people's, and people's first beside their others."""
    metric = Leic(images, critic=critic)
    means = []
    for captions, start in ((judged, 0), ([people[name][0] for name in names], 1)):
        beside = [list(people[name])[start:] for name in names]
        columns = ReferenceColumns.joined(list(names), beside, list(names))
        scorer = Scorer(columns, metric, cache=False)
        result = scorer.score_checked(captions, names, np.arange(len(names)))
        means.append(result.samples[metric.name])
    return means[0], means[1]
