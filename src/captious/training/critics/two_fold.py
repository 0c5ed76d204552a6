"""Two-fold scoring: a system judged by critics that were trained against its own captions.

Cui et al. (2018), section 3.5: the images are split in two halves; a critic learns to tell the
system's captions of one half from people's and scores those of the other half, and the other way
round. The system's score is the mean over all images and, as training varies, over several seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.corpus import ReferenceColumns
from captious.errors import InputError, short_repr
from captious.images.vectors import ImageVectors
from captious.metrics.leic.critic import Critic
from captious.metrics.leic.leic import Leic
from captious.metrics.leic.recipe import MACHINE, RELEASED_NEGATIVES, SAMPLED, CriticRecipe
from captious.scorer import Scorer
from captious.stats.intervals import Interval, ResampledSums
from captious.training.critics.captions import CriticCaptions
from captious.training.critics.training import train

IMAGES_PER_HELD_OUT = 10  # one image in so many of a fold is for stopping by
MIN_IMAGES = 4 * IMAGES_PER_HELD_OUT  # images
SYSTEM, PEOPLE, DIFFERENCE = "system", "people", "people - system"
Progress = Callable[[int, int], None]  # trainings done, trainings in all
ByImage = Mapping[str, Sequence[str]]  # captions


def judging_recipe() -> CriticRecipe:
    """Return the default recipe: as shipped, with a larger share of the system's captions."""
    return CriticRecipe(others=dict(RELEASED_NEGATIVES))


@dataclass(frozen=True, eq=False)
class TwoFold:
    """Critics' scores of a system, and of human captions of the same images.

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
        """The score by each seed alone."""
        means: list[float] = self.scores.mean(axis=1).tolist()
        return means

    @cached_property
    def intervals(self) -> dict[str, Interval]:
        """95% intervals, over images, of the system's score, people's, and their difference."""
        return ResampledSums(self._rows, _means).intervals()

    @property
    def people_score_higher(self) -> bool:
        """Whether human captions score significantly higher than the system's."""
        return self.intervals[DIFFERENCE][0] > 0

    @property
    def _rows(self) -> FloatArray:
        number = np.ones(len(self.images))
        return np.stack([number, self.scores.mean(axis=0), self.people.mean(axis=0)], axis=1)


def _means(sums: FloatArray) -> dict[str, FloatArray]:
    number, system, people = np.moveaxis(sums, -1, 0)
    means = {SYSTEM: system / number, PEOPLE: people / number}
    return {**means, DIFFERENCE: means[PEOPLE] - means[SYSTEM]}


class _Captions(NamedTuple):
    """All captions of the images: the system's, sampled ones, and people's."""

    names: list[str]
    system_captions: Mapping[str, list[str]]
    sampled: ByImage | None
    people: ByImage
    images: ImageVectors | None


def two_fold(
    candidates: Mapping[str, str | Sequence[str]],
    people: ByImage,
    images: ImageVectors | None = None,
    recipe: CriticRecipe | None = None,
    *,
    sampled: ByImage | None = None,
    seeds: Sequence[int] = (0, 1, 2),
    progress: Progress | None = None,
) -> TwoFold:
    """Score a system's captions, one or more per image, by critics trained on the other half.

    An image's score is the mean of its captions'. `sampled` are captions that the system, or
    another, sampled: critics learn from them, too, but they are not scored. A caption is never
    scored beside a reference that equals it by accident of the split: people's captions are dealt
    out once, the first to be scored, the others as references.
    """
    missing = next((name for name in candidates if name not in people), None)
    if missing is not None:
        raise InputError(f"image {short_repr(missing)}: has a candidate but no human captions")
    if len(candidates) < MIN_IMAGES:
        raise InputError(f"two folds need {MIN_IMAGES} images or more, not {len(candidates)}")
    if not seeds:
        raise InputError("two folds need a seed or more")
    recipe = recipe or judging_recipe()
    system_captions = {
        name: [captions] if isinstance(captions, str) else list(captions)
        for name, captions in candidates.items()
    }
    captions_of_images = _Captions(list(system_captions), system_captions, sampled, people, images)
    shape = len(seeds), len(system_captions)
    scores, people_scores = np.zeros(shape), np.zeros(shape)
    done = 0
    for row, seed in enumerate(seeds):
        order = np.random.default_rng(seed).permutation(len(system_captions))
        halves = np.array_split(order, 2)
        for training_half, scored_half in (halves, halves[::-1]):
            critic = _train_critic(captions_of_images, training_half, replace(recipe, seed=seed))
            scores[row, scored_half], people_scores[row, scored_half] = _score_half(
                critic, captions_of_images, scored_half
            )
            done += 1
            if progress is not None:
                progress(done, 2 * len(seeds))
    return TwoFold(tuple(system_captions), scores, people_scores)


def _train_critic(captions: _Captions, places: IntArray, recipe: CriticRecipe) -> Critic:
    """Train a critic of the system on one half of the images."""
    machines: dict[str, ByImage] = {MACHINE: captions.system_captions}
    if captions.sampled is not None:
        machines[SAMPLED] = captions.sampled
    n_validation = len(places) // IMAGES_PER_HELD_OUT
    parts = []
    for part in (places[n_validation:], places[:n_validation]):
        people = {name: captions.people[name] for name in map(captions.names.__getitem__, part)}
        parts.append(CriticCaptions.of(people, machines, captions.images))
    return train(parts[0], parts[1], recipe).model


def _score_half(
    critic: Critic, captions: _Captions, places: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Score the system's captions, and the first human caption of each image."""
    metric = Leic(captions.images, critic=critic)
    names = [captions.names[place] for place in places]
    people = [captions.people[name] for name in names]
    means = []
    for candidates, references in (
        ([captions.system_captions[name] for name in names], people),
        ([[first] for first, *_ in people], [others for _, *others in people]),
    ):
        columns = ReferenceColumns.from_sets(names, [list(each) for each in references], names)
        owners = np.repeat(np.arange(len(names)), [len(each) for each in candidates])
        scorer = Scorer(columns, metric, cache=False)
        result = scorer.score_checked(
            [caption for each in candidates for caption in each],
            [names[owner] for owner in owners],
            owners,
        )
        totals = np.bincount(owners, result.samples[metric.name], len(names))
        means.append(totals / np.bincount(owners))
    return means[0], means[1]
