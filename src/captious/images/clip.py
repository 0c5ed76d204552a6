"""CLIP encoders of images and captions, by name or path; need `transformers` and torch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any

import numpy as np

from captious._internal.backends.pytorch import (
    NO_REMOTE_CODE,
    SAFE_WEIGHTS,
    explain_load_errors,
    import_transformers,
    weights_hash,
)
from captious._internal.locks import ForkSafeLock
from captious.errors import warn
from captious.images.encoder import ImageEncoder
from captious.images.preprocessing import Floats, Recipe

BATCH_CAPTIONS = 32  # of one length, which go through the network together
# How the published CLIPs prepare pictures, where a model does not say.
_MEAN = (0.48145466, 0.4578275, 0.40821073)
_DEVIATION = (0.26862954, 0.26130258, 0.27577711)


class Clip:
    """Two networks that embed images and captions in one space."""

    def __init__(self, model: str) -> None:
        self.name = model
        self._torch, transformers = import_transformers(f"{model}: a CLIP")
        with explain_load_errors(
            model, "CLIP", "give vectors in an .npz instead, or the folder of a model"
        ):
            self._model = transformers.CLIPModel.from_pretrained(model, **SAFE_WEIGHTS).eval()
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(model, **NO_REMOTE_CODE)
        self.window = int(self._model.config.text_config.max_position_embeddings)
        self.width = int(self._model.config.projection_dim)
        self.recipe = _recipe(model, int(self._model.config.vision_config.image_size))
        self._lock = ForkSafeLock()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return (load_clip, (self.name,))

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the weights and of how pictures are prepared for them."""
        return weights_hash(self._model, repr(self.recipe))

    def image_encoder(self, view: str = "crop") -> ImageEncoder:
        """Return the network for images."""
        return ClipImageEncoder(self, view)

    def caption_vectors(self, captions: Sequence[str]) -> Floats:
        """Return one vector per caption; tokens beyond the window are cut, with a warning."""
        rows = self._tokenize(captions)
        vectors = np.empty((len(rows), self.width), np.float32)
        order = sorted(range(len(rows)), key=lambda row: len(rows[row]))
        network, projection = self._model.text_model, self._model.text_projection
        # Captions of one length together, so that nothing is padded.
        for _, group in groupby(order, key=lambda row: len(rows[row])):
            places = list(group)
            for start in range(0, len(places), BATCH_CAPTIONS):
                batch = places[start : start + BATCH_CAPTIONS]
                pieces = {"input_ids": self._torch.tensor([rows[row] for row in batch])}
                vectors[batch] = self._run(network, projection, pieces)
        return vectors

    def picture_vectors(self, pixels: Floats) -> Floats:
        """Return one vector per preprocessed image."""
        pictures = {"pixel_values": self._torch.from_numpy(pixels)}
        return self._run(self._model.vision_model, self._model.visual_projection, pictures)

    def _run(self, network: Any, projection: Any, inputs: dict[str, Any]) -> Floats:
        # One caller at a time: torch has threads of its own.
        with self._lock, self._torch.no_grad():
            vectors: Floats = projection(network(**inputs)[1]).float().numpy()
        return vectors

    def _tokenize(self, captions: Sequence[str]) -> list[list[int]]:
        """Return the token ids of each caption, within the window."""
        rows, cut = [], []
        for caption in captions:
            # What UTF-8 cannot say, such as half a surrogate pair, is no text to a tokenizer.
            text = caption.encode("utf-8", "replace").decode()
            row: list[int] = self._tokenizer(text, verbose=False)["input_ids"]
            if len(row) > self.window:
                cut.append((text, row[self.window - 1 : -1]))
                row = [*row[: self.window - 1], row[-1]]
            rows.append(row)
        if cut:
            text, lost = cut[0]
            others = f" (and {len(cut) - 1} more captions were cut)" if len(cut) > 1 else ""
            warn(
                f"{self.name}: reads {self.window} tokens; of caption {_shorten(text)!r} the "
                f"last {len(lost)} were cut: {_shorten(self._tokenizer.decode(lost))!r}{others}"
            )
        return rows


class ClipImageEncoder(ImageEncoder):
    """The image network of a CLIP."""

    def __init__(self, clip: Clip, view: str = "crop") -> None:
        super().__init__(view)
        self.name = f"clip/{clip.name}"
        self.clip = clip
        self.recipe = clip.recipe
        self.width = clip.width

    @property
    def fingerprint(self) -> str:
        """A short hash of the weights of both networks."""
        return self.clip.fingerprint

    def _run(self, pixels: Floats) -> Floats:
        return self.clip.picture_vectors(pixels)


@lru_cache(maxsize=2)
def load_clip(model: str) -> Clip:
    """Load the CLIP of this name or folder, once."""
    return Clip(model)


def _recipe(model: str, side: int) -> Recipe:
    """Return the preprocessing of images: the model's own, or else that of the published CLIPs.

    The file's numbers are read, not its program, which would need torchvision.
    """
    from transformers.image_processing_base import ImageProcessingMixin

    try:
        config, _ = ImageProcessingMixin.get_image_processor_dict(model)
    except (OSError, ValueError):
        config = {}
    size = config.get("size", side)
    resized = size.get("shortest_edge", side) if isinstance(size, dict) else size
    mean, deviation = config.get("image_mean", _MEAN), config.get("image_std", _DEVIATION)
    return Recipe.of_torchvision(side, float(resized), mean, deviation)


def _shorten(text: str, most: int = 60) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
