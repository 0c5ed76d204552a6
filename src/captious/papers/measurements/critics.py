"""Train critics on a caption data set, each of them once.

A critic that two experiments need is trained once: its key is its recipe and its data.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.images.sources import ImageSource
from captious.images.vectors import ImageVectors
from captious.metrics.leic.critic import load_critic
from captious.metrics.leic.leic import Leic
from captious.metrics.leic.recipe import MACHINE, RELEASED_NEGATIVES, CriticRecipe
from captious.papers.declaration import CROP, FLICKR8K
from captious.papers.measurements.caption_datasets import (
    CAPTION_DATASETS,
    DEV,
    TRAIN,
    CaptionDataset,
)
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.store import hash_parts
from captious.training.critics.captions import CriticCaptions
from captious.training.critics.training import train
from captious.version import __version__

MAX_EPOCHS, PATIENCE_EPOCHS = 8, 2

_SHIPPED = CriticRecipe()
# What a critic learns to tell from people's captions, and whether to find contexts, too (how much
# that counts): as few critics as serve all experiments of LEIC's paper, each trained once.
NEGATIVE_MIXTURES: dict[str, tuple[dict[str, float], float]] = {
    "everything": (dict(_SHIPPED.others), _SHIPPED.contrast),  # as the critics that ship
    "machines": ({MACHINE: 1.0}, 0.0),
    "evenly": (
        dict(RELEASED_NEGATIVES),
        _SHIPPED.contrast,
    ),  # in the released shares, as `captious critic judge`
    "other images": ({"random_caption": 1.0}, 0.0),  # people's captions of those: LEIC's table 1
}


def critic_recipe(context: str, fusion: str, negatives: str) -> CriticRecipe:
    """The recipe of one critic."""
    others, contrast = NEGATIVE_MIXTURES[negatives]
    return CriticRecipe(
        context=context,
        fusion=fusion,
        others=dict(others),
        contrast=contrast,
        epochs=MAX_EPOCHS,
        patience=PATIENCE_EPOCHS,
        half=True,
    )


@dataclass(frozen=True, eq=False)
class CriticTraining:
    """A critic's weights, its best epoch, and the curve: loss, validation loss, performance."""

    weights: Path
    epoch: int
    curve: FloatArray

    def metric(self, images: ImageSource | None = None) -> Leic:
        """The critic as a metric that sees these images."""
        return Leic(images=images, critic=self.weights)


@dataclass(frozen=True, eq=False)
class CriticTrainer:
    """Trains critics on one caption data set, or loads those that were trained before."""

    experiment: Experiment
    dataset_name: str = FLICKR8K
    view: str = CROP  # of the images that critics see
    _captions: dict[object, CriticCaptions] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def dataset(self) -> CaptionDataset:
        """The data set that critics are trained on."""
        return CAPTION_DATASETS[self.dataset_name](self.experiment)

    @cached_property
    def vectors(self) -> ImageVectors | None:
        """The vectors of all images as critics see them, or None where there are none."""
        return self.dataset.image_vectors(self.view)

    def training_captions(self, split: str, recipe: CriticRecipe) -> CriticCaptions:
        """Return those captions of a split that a recipe uses, and no others."""
        dataset = self.dataset
        kinds = tuple(kind for kind in dataset.kinds if recipe.others.get(kind, 0) > 0)
        needs_images = recipe.uses_images or recipe.similar
        if (split, kinds, needs_images) not in self._captions:
            self._captions[split, kinds, needs_images] = CriticCaptions.of(
                dataset.people(split),
                {kind: dataset.machines(split, kind) for kind in kinds},
                self.vectors if needs_images else None,
            )
        return self._captions[split, kinds, needs_images]

    def train(self, recipe: CriticRecipe) -> CriticTraining:
        """Train a critic by a recipe, or load the stored one."""
        if self.experiment.quick:
            recipe = quick_recipe(recipe)
        training, validation = (
            self.training_captions(TRAIN, recipe),
            self.training_captions(DEV, recipe),
        )
        key = hash_parts("critic", recipe.to_dict(), training.key, validation.key, __version__)

        def learn(weights: Path) -> list[list[float]]:
            self.experiment.report(
                f"training a critic on {self.dataset_name}: {describe_recipe(recipe)}"
            )
            # Until it is done, so that a run that was stopped goes on.
            checkpoint = self.experiment.store.path(f"{key}.checkpoint.npz")
            result = train(training, validation, recipe, checkpoint=checkpoint)
            result.model.save(weights)
            checkpoint.unlink(missing_ok=True)
            names = ("loss", "validation_loss", "performance")
            return [[point[name] for name in names] for point in result.curve]

        weights, curve = self.experiment.store.load_or_train(key, "critic", load_critic, learn)
        return CriticTraining(weights, int(np.argmin(curve[:, 1])) + 1, curve)


def describe_training(experiment: Experiment, dataset: str) -> str:
    """Describe how critics are trained."""
    images = len(CAPTION_DATASETS[dataset](experiment).people(TRAIN))
    return (
        f"critics: {images:,} training images of {dataset}, at most {MAX_EPOCHS} epochs, "
        f"{PATIENCE_EPOCHS} "
        "without a lower validation loss"
    )


def quick_recipe(recipe: CriticRecipe) -> CriticRecipe:
    """Return the recipe with a tiny network and one epoch, for quick runs."""
    return replace(recipe, size=16, hidden=16, sketch=64, epochs=1)


def describe_recipe(recipe: CriticRecipe) -> str:
    """Describe a recipe in a few words."""
    kinds = ", ".join(kind for kind, share in recipe.others.items() if share > 0)
    return f"context {recipe.context}, fusion {recipe.fusion}, against {kinds}"
