"""A critic as it scores: captions and images to vectors, and pairs of them to chances, in NumPy."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from captious.critic.fusion import Fusion, fusion_of
from captious.critic.lstm import Lstm
from captious.critic.recipe import CriticRecipe
from captious.critic.sentences import cut, has_an_end
from captious.critic.sketch import CountSketch
from captious.errors import InputError
from captious.images.scaling import ImageScaling
from captious.images.vectors import SingleArray
from captious.io.files import read_bytes, written_whole
from captious.steady import in_equal_batches
from captious.text.vocabulary import Vocabulary

FORMAT = 1
ROWS = 64  # vectors multiplied at a time


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
        """From what was trained, halved at once: it scores alike before and after a save."""
        arrays: dict[str, Any] = dict(weights)
        if scaling is not None:
            arrays |= {"scaling.mean": scaling.mean, "scaling.deviation": scaling.deviation}
        halved = {name: array.astype(np.float16) for name, array in arrays.items()}
        for name, sketch in zip(("context", "candidate"), sketches, strict=True):
            halved[f"sketch.{name}.places"] = sketch.places.astype(np.int32)
            halved[f"sketch.{name}.signs"] = sketch.signs
        return cls(recipe, halved, vocabulary, notes)

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of all weights, words and choices."""
        said = json.dumps([self.recipe.to_dict(), self.vocabulary.words], sort_keys=True)
        digest = hashlib.sha256(said.encode())
        for name in sorted(self.arrays):
            digest.update(f"{name}{self.arrays[name].shape}".encode())
            digest.update(np.ascontiguousarray(self.arrays[name]).tobytes())
        return digest.hexdigest()[:12]

    @cached_property
    def _single(self) -> dict[str, SingleArray]:
        return {
            name: array.astype(np.float32)
            for name, array in self.arrays.items()
            if not name.startswith("sketch.")
        }

    @cached_property
    def fusion(self) -> Fusion:
        """How context and candidate are judged together."""
        sketches = (
            CountSketch(
                self.arrays[f"sketch.{name}.places"].astype(np.int64),
                self.arrays[f"sketch.{name}.signs"],
            )
            for name in ("context", "candidate")
        )
        return fusion_of(self.recipe, self._single, (next(sketches), next(sketches)))

    def captions(self, tokens: Sequence[Sequence[str]]) -> SingleArray:
        """A vector for each caption: the LSTM's output at its end."""
        numbers = self.vocabulary.numbers(tokens)
        short = cut(numbers, self.recipe.longest)
        lstm = Lstm(
            self._single["words.weight"],
            self._single["memory.weight_ih_l0"],
            self._single["memory.weight_hh_l0"],
            self._single["memory.bias_ih_l0"] + self._single["memory.bias_hh_l0"],
        )
        found = lstm.last_outputs(short)
        found[~has_an_end(numbers.lengths, self.recipe.longest, self.recipe.variant)] = 0
        return found

    def images(self, vectors: SingleArray) -> SingleArray:
        """A vector for each image as the critic sees it, from an encoder's."""
        weight, bias = self._single["image.weight"], self._single["image.bias"]
        if vectors.shape[1] != weight.shape[1]:
            raise InputError(
                f"image vectors of {vectors.shape[1]} numbers, but the critic was trained on "
                f"{weight.shape[1]}; take vectors of the same image encoder"
            )
        scaling = ImageScaling(self._single["scaling.mean"], self._single["scaling.deviation"])
        return _products(scaling.inputs(vectors), weight.T) + bias

    def of_images(self, vectors: SingleArray) -> SingleArray:
        """What images bring to the margin, from their vectors as the critic sees them."""
        return _products(vectors, self.fusion.context[: self.recipe.size])

    def of_references(self, vectors: SingleArray) -> SingleArray:
        """What references bring to the margin."""
        return _products(vectors, self.fusion.context[-self.recipe.size :])

    def of_candidates(self, vectors: SingleArray) -> SingleArray:
        """What candidates bring to the margin."""
        layer = self.fusion.candidate
        return vectors if layer is None else _products(vectors, layer)

    def save(self, path: str | Path) -> None:
        """Write everything; equal critics give equal files."""
        about = {
            "format": FORMAT,
            "recipe": self.recipe.to_dict(),
            "words": self.vocabulary.words,
            "fingerprint": self.fingerprint,
            "notes": self.notes,
        }
        text = json.dumps(about, ensure_ascii=False, sort_keys=True)
        with written_whole(path) as stream:
            np.savez(stream, about=np.array(text), **dict[str, Any](self.arrays))


def _products(vectors: SingleArray, layer: SingleArray) -> SingleArray:
    products: SingleArray = in_equal_batches(vectors, ROWS, lambda some: some @ layer)
    return products


def load_critic(path: str | Path) -> Critic:
    """Read a critic, checked against the fingerprint that it carries."""
    try:
        with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(str(arrays.pop("about")))
        recipe, words = CriticRecipe(**about["recipe"]), Vocabulary(tuple(about["words"]))
        critic = Critic(recipe, arrays, words, about["notes"])
        sound = about["format"] == FORMAT and critic.fingerprint == about["fingerprint"]
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, EOFError, OSError, zipfile.BadZipFile) as error:
        reason = " ".join(str(error).split())[:120]
        raise InputError(f"{path}: not a critic's file ({reason})") from None
    if not sound:
        raise InputError(f"{path}: damaged, or of another version; train it again")
    return critic
