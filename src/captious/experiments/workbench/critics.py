"""A bench for critics: Flickr8k, what captioners say of it, and critics trained by recipe.

A critic that two experiments need is trained once: it is kept by its recipe and its data, and so
are captions that captioners wrote, each captioner's by themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.captioners.captioner import load_captioner
from captious.critic.critic import load_critic
from captious.critic.leic import Leic
from captious.critic.recipe import MACHINE, SAMPLED, WRITTEN, CriticRecipe
from captious.errors import InputError
from captious.experiments.workbench.bench import Workbench
from captious.experiments.workbench.store import key_of, key_of_file
from captious.images.sources import ImageSource
from captious.images.vectors import ImageVectors
from captious.io.image_captions import read_image_captions
from captious.training.critics.captions import CriticCaptions
from captious.training.critics.machine_captions import BEAM, TEMPERATURE, WRITERS, captioner_files
from captious.training.critics.training import train
from captious.version import __version__

TRAIN, DEV, TEST = "train", "dev", "test"
QUICK_IMAGES = {TRAIN: 60, DEV: 30, TEST: 40}
CAPTIONS, CROP = "Flickr8k.token.txt", "efficientnet_lite2.npz"
WITHOUT_CAPTIONERS = (
    "this needs captions that machines wrote: train captioners on Flickr8k with `captious "
    "captioner train`, and name their folder with --captioners DIR"
)
EPOCHS, PATIENCE = 8, 2

_SHIPPED = CriticRecipe()
# What a critic learns to tell from people's captions, and whether to find contexts, too (how much
# that counts): as few critics as serve all experiments of LEIC's paper, each trained once.
AGAINST: dict[str, tuple[dict[str, float], float]] = {
    "everything": (dict(_SHIPPED.others), _SHIPPED.contrast),  # as the critics that ship
    "machines": ({MACHINE: 1.0}, 0.0),
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
    """Captions and vectors of Flickr8k's splits, captioners' captions, and critics."""

    bench: Workbench
    _people: dict[str, dict[str, list[str]]] = field(default_factory=dict, init=False, repr=False)
    _learnt: dict[object, CriticCaptions] = field(default_factory=dict, init=False, repr=False)

    @property
    def folder(self) -> Path:
        """Flickr8k's."""
        return self.bench.data / "flickr8k"

    @cached_property
    def vectors(self) -> ImageVectors:
        """Of all images."""
        return ImageVectors.given(self.folder / CROP)

    @cached_property
    def captioners(self) -> dict[str, Path]:
        """The file of each captioner by name; without any, an error says where to get them."""
        if self.bench.captioners is None:
            raise InputError(WITHOUT_CAPTIONERS)
        return captioner_files(self.bench.captioners)

    def people(self, split: str) -> dict[str, list[str]]:
        """People's captions of each image of a split; quick takes the first few images."""
        if split not in self._people:
            names = self.folder / f"Flickr_8k.{split}Images.txt"
            captions = read_image_captions(self.folder / CAPTIONS, names)
            number = QUICK_IMAGES[split] if self.bench.quick else len(captions)
            self._people[split] = dict(list(captions.items())[:number])
        return self._people[split]

    def images(self, split: str) -> ImageVectors:
        """The vectors of a split's images, in the order of `people`."""
        return self.vectors.take(list(self.people(split)))

    def written(self, split: str, kind: str) -> dict[str, list[str]]:
        """By captioner, its caption of each image of a split, of a kind, in their order."""
        captioners, images = self.captioners, self.images(split)
        by_captioner = {}
        for place, (name, path) in enumerate(captioners.items()):
            chance = [TEMPERATURE, place] if kind == SAMPLED else [BEAM]
            parts = (key_of_file(path), kind, chance, images.fingerprint, __version__)
            key = f"captions-{key_of(*parts)}"
            if "captions" not in self.bench.store.get(key):
                self.bench.say(f"{name} writes {kind} captions of {len(images.names)} images")
                texts = WRITERS[kind](load_captioner(path), images, place, None)
                self.bench.store.add(key, {"captions": np.array(texts, dtype=np.str_)})
            by_captioner[name] = [str(text) for text in self.bench.store.get(key)["captions"]]
        return by_captioner

    def machines(self, split: str, kind: str) -> dict[str, list[str]]:
        """By image, what all captioners say of it."""
        columns = zip(*self.written(split, kind).values(), strict=True)
        return dict(zip(self.people(split), map(list, columns), strict=True))

    def learnt(self, split: str, recipe: CriticRecipe) -> CriticCaptions:
        """The captions of a split that a recipe asks for, and nothing that it does not."""
        kinds = tuple(kind for kind in WRITTEN if recipe.others.get(kind, 0) > 0)
        sees = recipe.sees or recipe.similar
        if (split, kinds, sees) not in self._learnt:
            self._learnt[split, kinds, sees] = CriticCaptions.of(
                self.people(split),
                {kind: self.machines(split, kind) for kind in kinds},
                self.vectors if sees else None,
            )
        return self._learnt[split, kinds, sees]

    def trained(self, recipe: CriticRecipe) -> KeptCritic:
        """A critic trained by a recipe, or read where it was trained before."""
        if self.bench.quick:
            recipe = quick_recipe(recipe)
        training, validation = self.learnt(TRAIN, recipe), self.learnt(DEV, recipe)
        key = key_of("critic", recipe.to_dict(), training.key, validation.key, __version__)

        def learn(weights: Path) -> list[list[float]]:
            self.bench.say(f"training a critic: {described(recipe)}")
            # Until it is done, so that a run that was stopped goes on.
            checkpoint = self.bench.store.path(f"{key}.checkpoint.npz")
            done = train(training, validation, recipe, checkpoint=checkpoint)
            done.model.save(weights)
            checkpoint.unlink(missing_ok=True)
            names = ("loss", "validation_loss", "performance")
            return [[point[name] for name in names] for point in done.curve]

        weights, curve = self.bench.store.trained(key, "critic", load_critic, learn)
        return KeptCritic(weights, int(np.argmin(curve[:, 1])) + 1, curve)


def quick_recipe(recipe: CriticRecipe) -> CriticRecipe:
    """The same for a critic that is tiny and learns next to nothing."""
    return replace(recipe, size=16, hidden=16, sketch=64, epochs=1)


def described(recipe: CriticRecipe) -> str:
    """A recipe in a few words."""
    kinds = ", ".join(kind for kind, share in recipe.others.items() if share > 0)
    return f"context {recipe.context}, fusion {recipe.fusion}, against {kinds}"
