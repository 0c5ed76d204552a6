"""Inference of a critic in NumPy: vectors of captions and images, and their fusion."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.row_products import PackedMatrix
from captious.errors import InputError
from captious.images.vectors import MIN_DEVIATION, ImageScaling, SingleArray
from captious.io.array_files import (
    DECIMALS,
    WHOLE_NUMBERS,
    ArrayFile,
    Member,
    fingerprint,
    json_table,
    record_from_table,
)
from captious.metrics.leic.fusion import CountSketch, Fusion, build_fusion
from captious.metrics.leic.lstm import Lstm, has_end_token, truncate
from captious.metrics.leic.recipe import BILINEAR, LINEAR, CriticRecipe
from captious.text.vocabulary import Vocabulary

FORMAT = 1
CLASSES = 2  # people's captions, and others
SKETCHES = ("context", "candidate")
SCALING = ("scaling.mean", "scaling.deviation")
ABOUT = Member(
    "about", json_table(format=int, recipe=dict, words=list, fingerprint=str, notes=dict)
)
FILE = ArrayFile("a critic's file", "train it again", (ABOUT,))


@dataclass(frozen=True, eq=False)
class Critic:
    """Weights by name in half precision, the words, how images are scaled, and the recipe."""

    recipe: CriticRecipe
    arrays: Mapping[str, Any]
    vocabulary: Vocabulary
    notes: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        recipe: CriticRecipe,
        weights: Mapping[str, SingleArray],
        vocabulary: Vocabulary,
        scaling: ImageScaling | None,
        sketches: tuple[CountSketch, CountSketch],
        notes: dict[str, Any],
    ) -> Critic:
        """Build from trained weights, in half precision at once: saving changes no score."""
        arrays: dict[str, Any] = dict(weights)
        if scaling is not None:
            arrays |= dict(zip(SCALING, (scaling.mean, scaling.deviation), strict=True))
        halved = {name: array.astype(np.float16) for name, array in arrays.items()}
        if scaling is not None:  # a number that varies by less than half precision has never varied
            halved[SCALING[1]][halved[SCALING[1]] == 0] = 1
        for name, sketch in zip(SKETCHES, sketches, strict=True):
            halved[f"sketch.{name}.places"] = sketch.places.astype(np.int32)
            halved[f"sketch.{name}.signs"] = sketch.signs
        return cls(recipe, halved, vocabulary, notes)

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of all weights, words and choices."""
        choices = json.dumps([self.recipe.to_dict(), self.vocabulary.words], sort_keys=True)
        return fingerprint(self.arrays, choices)[:12]

    @cached_property
    def _single(self) -> dict[str, SingleArray]:
        return {
            name: array.astype(np.float32)
            for name, array in self.arrays.items()
            if not name.startswith("sketch.")
        }

    @cached_property
    def fusion(self) -> Fusion:
        """The fusion of context and candidate."""
        sketches = (
            CountSketch(
                self.arrays[f"sketch.{name}.places"].astype(np.int64),
                self.arrays[f"sketch.{name}.signs"],
            )
            for name in SKETCHES
        )
        return build_fusion(self.recipe, self._single, (next(sketches), next(sketches)))

    @cached_property
    def _lstm(self) -> Lstm:
        return Lstm(
            self._single["words.weight"],
            PackedMatrix(self._single["memory.weight_ih_l0"].T),
            PackedMatrix(self._single["memory.weight_hh_l0"].T),
            self._single["memory.bias_ih_l0"] + self._single["memory.bias_hh_l0"],
        )

    @cached_property
    def _image_layer(self) -> PackedMatrix:
        return PackedMatrix(self._single["image.weight"].T)

    @cached_property
    def _context_layers(self) -> tuple[PackedMatrix, PackedMatrix]:
        """The layers of the image and of the reference."""
        context, size = self.fusion.context, self.recipe.size
        return PackedMatrix(context[:size]), PackedMatrix(context[-size:])

    @cached_property
    def _candidate_layer(self) -> PackedMatrix | None:
        layer = self.fusion.candidate
        return None if layer is None else PackedMatrix(layer)

    def encode_captions(self, tokens: Sequence[Sequence[str]]) -> SingleArray:
        """Return a vector for each caption: the LSTM's output at its end."""
        numbers = self.vocabulary.encode(tokens)
        short = truncate(numbers, self.recipe.longest)
        vectors = self._lstm.last_outputs(short)
        vectors[~has_end_token(numbers.lengths, self.recipe.longest, self.recipe.variant)] = 0
        return vectors

    def encode_images(self, vectors: SingleArray) -> SingleArray:
        """Project an image encoder's vectors into the critic's space."""
        width = self._single["image.weight"].shape[1]
        if vectors.shape[1] != width:
            raise InputError(
                f"image vectors of {vectors.shape[1]} numbers, but the critic was trained on "
                f"{width}; take vectors of the same image encoder"
            )
        scaling = ImageScaling(*(self._single[name] for name in SCALING))
        inputs = scaling.inputs(vectors).astype(np.float32, copy=False)
        return self._image_layer.multiply(inputs) + self._single["image.bias"]

    def project_images(self, vectors: SingleArray) -> SingleArray:
        """Return the images' terms of the margin, from the critic's vectors of them."""
        return self._context_layers[0].multiply(vectors)

    def project_references(self, vectors: SingleArray) -> SingleArray:
        """Return the references' terms of the margin."""
        return self._context_layers[1].multiply(vectors)

    def project_candidates(self, vectors: SingleArray) -> SingleArray:
        """Return the candidates' terms of the margin."""
        layer = self._candidate_layer
        return vectors if layer is None else layer.multiply(vectors)

    def save(self, path: str | Path) -> None:
        """Write everything; equal critics give equal files."""
        table = {
            "format": FORMAT,
            "recipe": self.recipe.to_dict(),
            "words": self.vocabulary.words,
            "fingerprint": self.fingerprint,
            "notes": self.notes,
        }
        FILE.write(path, {"about": table, **self.arrays})


def load_critic(path: str | Path) -> Critic:
    """Read a critic, checked against the fingerprint that it carries."""
    with FILE.open(path) as file:
        table = file.read(ABOUT)["about"]
        try:
            recipe = record_from_table(CriticRecipe, table["recipe"])
            vocabulary = Vocabulary(tuple(table["words"]))
        except InputError as error:
            raise file.error(str(error)) from None
        arrays = file.read(*_members(recipe, len(vocabulary)))
    critic = Critic(recipe, arrays, vocabulary, table["notes"])
    if table["format"] != FORMAT or critic.fingerprint != table["fingerprint"]:
        raise InputError(f"{path}: damaged, or of another version; {FILE.remedy}")
    return critic


def _members(recipe: CriticRecipe, words: int) -> list[Member]:
    """Return the members of the file of a critic of `words` words."""
    size, context, word, image = recipe.size, recipe.context_size, "numbers a word", "image"
    shapes: dict[str, tuple[str | int, ...]] = {
        "words.weight": (words, word),
        "memory.weight_ih_l0": (4 * size, word),
        "memory.weight_hh_l0": (4 * size, size),
        "memory.bias_ih_l0": (4 * size,),
        "memory.bias_hh_l0": (4 * size,),
    }
    if recipe.uses_images:
        shapes |= {"image.weight": (size, image), "image.bias": (size,)}
    fused_size = context + size
    if recipe.fusion == BILINEAR:
        fused_size = recipe.sketch
    elif recipe.fusion != LINEAR:
        shapes |= {"hidden.weight": (recipe.hidden, fused_size), "hidden.bias": (recipe.hidden,)}
        fused_size = recipe.hidden
    shapes |= {"output.weight": (CLASSES, fused_size), "output.bias": (CLASSES,)}
    members = [Member(name, DECIMALS, dims) for name, dims in shapes.items()]
    if recipe.uses_images:
        mean, deviation = SCALING
        members.append(Member(mean, DECIMALS, (image,)))
        members.append(Member(deviation, DECIMALS, (image,), MIN_DEVIATION))
    for name, width in zip(SKETCHES, (context, size), strict=True):
        members.append(
            Member(f"sketch.{name}.places", WHOLE_NUMBERS, (width,), 0, recipe.sketch - 1)
        )
        members.append(Member(f"sketch.{name}.signs", WHOLE_NUMBERS, (width,), -1, 1))
    return members
