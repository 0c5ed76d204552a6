"""A bench for critics: trained by recipe on a ground, each of them once.

A critic that two experiments need is trained once: it is kept by its recipe and its data.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.images.sources import ImageSource
from captious.metrics.leic.critic import load_critic
from captious.metrics.leic.leic import Leic
from captious.metrics.leic.recipe import EVEN, MACHINE, CriticRecipe
from captious.papers.declaration import FLICKR8K
from captious.papers.measurements.bench import Workbench
from captious.papers.measurements.grounds import DEV, GROUNDS, TRAIN, Ground
from captious.papers.measurements.store import key_of
from captious.training.critics.captions import CriticCaptions
from captious.training.critics.training import train
from captious.version import __version__

EPOCHS, PATIENCE = 8, 2

_SHIPPED = CriticRecipe()
# What a critic learns to tell from people's captions, and whether to find contexts, too (how much
# that counts): as few critics as serve all experiments of LEIC's paper, each trained once.
AGAINST: dict[str, tuple[dict[str, float], float]] = {
    "everything": (dict(_SHIPPED.others), _SHIPPED.contrast),  # as the critics that ship
    "machines": ({MACHINE: 1.0}, 0.0),
    "evenly": (dict(EVEN), _SHIPPED.contrast),  # in the released shares, as `captious critic judge`
    "other images": ({"random_caption": 1.0}, 0.0),  # people's captions of those: LEIC's table 1
}


def critic_recipe(context: str, fusion: str, against: str) -> CriticRecipe:
    """The recipe of one critic."""
    others, contrast = AGAINST[against]
    return CriticRecipe(
        context=context,
        fusion=fusion,
        others=dict(others),
        contrast=contrast,
        epochs=EPOCHS,
        patience=PATIENCE,
        half=True,
    )


@dataclass(frozen=True, eq=False)
class KeptCritic:
    """A critic's weights, its best epoch, and the curve: loss, validation loss, performance."""

    weights: Path
    epoch: int
    curve: FloatArray

    def metric(self, images: ImageSource | None = None) -> Leic:
        """The critic as a metric that sees these images."""
        return Leic(images=images, critic=self.weights)


@dataclass(frozen=True, eq=False)
class Critics:
    """Critics trained on the images of a ground."""

    bench: Workbench
    on: str = FLICKR8K
    _learnt: dict[object, CriticCaptions] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def ground(self) -> Ground:
        """What they learn from."""
        return GROUNDS[self.on](self.bench)

    def learnt(self, split: str, recipe: CriticRecipe) -> CriticCaptions:
        """The captions of a split that a recipe asks for, and nothing that it does not."""
        ground = self.ground
        kinds = tuple(kind for kind in ground.kinds if recipe.others.get(kind, 0) > 0)
        sees = recipe.sees or recipe.similar
        if (split, kinds, sees) not in self._learnt:
            self._learnt[split, kinds, sees] = CriticCaptions.of(
                ground.people(split),
                {kind: ground.machines(split, kind) for kind in kinds},
                ground.vectors if sees else None,
            )
        return self._learnt[split, kinds, sees]

    def trained(self, recipe: CriticRecipe) -> KeptCritic:
        """A critic trained by a recipe, or read where it was trained before."""
        if self.bench.quick:
            recipe = quick_recipe(recipe)
        training, validation = self.learnt(TRAIN, recipe), self.learnt(DEV, recipe)
        key = key_of("critic", recipe.to_dict(), training.key, validation.key, __version__)

        def learn(weights: Path) -> list[list[float]]:
            self.bench.say(f"training a critic on {self.on}: {described(recipe)}")
            # Until it is done, so that a run that was stopped goes on.
            checkpoint = self.bench.store.path(f"{key}.checkpoint.npz")
            done = train(training, validation, recipe, checkpoint=checkpoint)
            done.model.save(weights)
            checkpoint.unlink(missing_ok=True)
            names = ("loss", "validation_loss", "performance")
            return [[point[name] for name in names] for point in done.curve]

        weights, curve = self.bench.store.trained(key, "critic", load_critic, learn)
        return KeptCritic(weights, int(np.argmin(curve[:, 1])) + 1, curve)


def trained_on(bench: Workbench, ground: str) -> str:
    """How critics are trained, in words."""
    images = len(GROUNDS[ground](bench).people(TRAIN))
    return (
        f"critics: {images:,} training images of {ground}, at most {EPOCHS} epochs, {PATIENCE} "
        "without a lower validation loss"
    )


def quick_recipe(recipe: CriticRecipe) -> CriticRecipe:
    """The same for a critic that is tiny and learns next to nothing."""
    return replace(recipe, size=16, hidden=16, sketch=64, epochs=1)


def described(recipe: CriticRecipe) -> str:
    """A recipe in a few words."""
    kinds = ", ".join(kind for kind, share in recipe.others.items() if share > 0)
    return f"context {recipe.context}, fusion {recipe.fusion}, against {kinds}"
