"""Image encoders: pictures as vectors of a pretrained network.

    >>> from captious.images.reading import read_image
    >>> encoder = image_encoder_named()
    >>> encoder.vector(read_image("dog.jpg")).shape
    (1280,)

The default is EfficientNet-Lite2; any other is a classifier of timm's or torchvision's, by name
(`timm/resnet50`, `torchvision/resnet50`), where those are installed.

A picture's vector depends on nothing but the picture, to the last bit: the network sees one picture
at a time, and pictures are what threads divide.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from captious.errors import InputError, short_repr
from captious.images.preprocessing import Floats, Recipe, checked_view

if TYPE_CHECKING:
    from PIL.Image import Image

DEFAULT = "efficientnet-lite2"


class ImageEncoder(ABC):
    """A network that sees pictures; its weights are loaded when first used."""

    name: str
    recipe: Recipe
    width: int | None = None  # numbers of a vector, where that is known before one is made
    work = "images encoded"  # as whoever listens to progress hears of it

    def __init__(self, view: str = "crop") -> None:
        self.view = checked_view(view)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return (image_encoder_named, (self.name, self.view))

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """A short hash of the weights, for cache keys and signatures."""

    @abstractmethod
    def _run(self, pixels: Floats) -> Floats:
        """The vectors of pictures that are prepared; threads may call it at once."""

    @property
    def signature(self) -> str:
        """Everything that a vector depends on beside the picture."""
        return f"{self.name}:{self.fingerprint},{self.view}"

    def vector(self, image: Image) -> Floats:
        """The vector of a picture, as the network gives it: of any length."""
        vector: Floats = self._run(self.recipe.pixels(image, self.view)[None])[0]
        return vector


def image_encoder_named(model: str | Path | None = None, view: str = "crop") -> ImageEncoder:
    """EfficientNet-Lite2, or a model of timm's or torchvision's by name, or a CLIP's own eyes."""
    if model is not None and not isinstance(model, str | Path):
        raise InputError(f"an image encoder is a name, not {short_repr(model)}")
    return _made(DEFAULT if model is None else str(model), checked_view(view))


@lru_cache(maxsize=4)
def _made(model: str, view: str) -> ImageEncoder:
    library, _, name = model.partition("/")
    if model == DEFAULT:
        from captious.images.efficientnet import EfficientNetLite2

        return EfficientNetLite2(view)
    if library in ("timm", "torchvision") and name:
        from captious.images.torch_models import TorchImageEncoder

        return TorchImageEncoder(library, name, view)
    if library == "clip" and name:
        from captious.images.clip import clip_named

        return clip_named(name).eyes(view)
    raise InputError(
        f"{model}: no image encoder of this name; there are {DEFAULT}, and by name "
        "timm/MODEL, torchvision/MODEL and clip/MODEL"
    )
