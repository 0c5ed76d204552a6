"""Image encoders: images as vectors of a pretrained network.

    >>> from captious.images.reading import read_image
    >>> encoder = load_image_encoder()
    >>> encoder.vector(read_image("dog.jpg")).shape
    (1280,)

The default is EfficientNet-Lite2; any other is a classifier of timm's or torchvision's, by name
(`timm/resnet50`, `torchvision/resnet50`), where those are installed.

A picture's vector depends on nothing but the picture, to the last bit: the network sees one picture
at a time, and pictures are what threads divide.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from captious._internal.backends.onnx import create_session, read_weights
from captious.errors import InputError, short_repr
from captious.images.preprocessing import Floats, Recipe, check_view
from captious.resources import RESOURCES

if TYPE_CHECKING:
    from PIL.Image import Image


DEFAULT = "efficientnet-lite2"
FILE = f"{DEFAULT}.onnx"
HASH = "c1cdb2ca97965023412777f37b83770e3a96a6c59cfebef7168eb1fc855d7fd9"
SIDE, SHARE = 260, 0.875  # of a picture's shorter side, what the network sees
WIDTH = 1280  # channels of the last convolution
FOLDER_VARIABLE = "CAPTIOUS_MODELS"
_HOW_TO_GET = "tools/export_image_encoder.py makes it"


class ImageEncoder(ABC):
    """Base class of networks that turn an image into a vector; weights load when first used."""

    name: str
    recipe: Recipe
    width: int | None = None  # numbers of a vector, where that is known before one is made
    work = "images encoded"  # in progress messages

    def __init__(self, view: str = "crop") -> None:
        self.view = check_view(view)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return (load_image_encoder, (self.name, self.view))

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """A short hash of the weights, for cache keys and signatures."""

    @abstractmethod
    def _run(self, pixels: Floats) -> Floats:
        """Return the vectors of preprocessed images; several threads may call it at once."""

    @property
    def signature(self) -> str:
        """Everything that a vector depends on beside the picture."""
        return f"{self.name}:{self.fingerprint},{self.view}"

    def vector(self, image: Image) -> Floats:
        """Return the vector of an image as the network outputs it, not normalized."""
        vector: Floats = self._run(self.recipe.pixels(image, self.view)[None])[0]
        return vector


class EfficientNetLite2(ImageEncoder):
    """Vectors of 1280 numbers: the last convolution's channels, averaged over the picture."""

    name = DEFAULT
    recipe = Recipe(SIDE, SIDE / SHARE, (127.0,) * 3, (128.0,) * 3)

    def __init__(self, view: str = "crop", file: Path | None = None, checked: bool = True) -> None:
        super().__init__(view)
        self.file = file
        self.checked = checked  # against the hash of the file that the tool makes
        self.width = WIDTH if checked else None

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        if self.file is None:
            return super().__reduce__()
        return (EfficientNetLite2, (self.view, self.file, self.checked))

    @property
    def fingerprint(self) -> str:
        """A short hash of the weights."""
        return self._graph_and_hash[1][:12]

    def _run(self, pixels: Floats) -> Floats:
        vectors: Floats = self._session.run(["vectors"], {"pixels": pixels})[0]
        return vectors

    @cached_property
    def _graph_and_hash(self) -> tuple[bytes, str]:
        path = self.file or weights_path()
        return read_weights(path, "image encoder", HASH if self.checked else None, _HOW_TO_GET)

    @cached_property
    def _session(self) -> Any:
        path = self.file or weights_path()
        return create_session(
            lambda: self._graph_and_hash[0], path, "image encoder", "image", _HOW_TO_GET
        )


def models_folder() -> Path:
    """Return the folder of models that are not in the package: CAPTIOUS_MODELS, or in user data."""
    where = os.environ.get(FOLDER_VARIABLE, "")
    if where:
        return Path(where)
    from platformdirs import user_data_path

    return user_data_path("captious", appauthor=False) / "models"


def weights_path() -> Path:
    """Return the path of the weights: in the package, or else in the folder of models."""
    shipped = RESOURCES / "image_encoder" / FILE
    return shipped if shipped.is_file() else models_folder() / FILE


def load_image_encoder(model: str | Path | None = None, view: str = "crop") -> ImageEncoder:
    """Load EfficientNet-Lite2, a model of timm or torchvision by name, or the encoder of a CLIP."""
    if model is not None and not isinstance(model, str | Path):
        raise InputError(f"an image encoder is a name, not {short_repr(model)}")
    return _load_encoder(DEFAULT if model is None else str(model), check_view(view))


@lru_cache(maxsize=4)
def _load_encoder(model: str, view: str) -> ImageEncoder:
    library, _, name = model.partition("/")
    if model == DEFAULT:
        return EfficientNetLite2(view)
    if library in ("timm", "torchvision") and name:
        from captious.images.torch_models import TorchImageEncoder

        return TorchImageEncoder(library, name, view)
    if library == "clip" and name:
        from captious.images.clip import load_clip

        return load_clip(name).image_encoder(view)
    raise InputError(
        f"{model}: no image encoder of this name; there are {DEFAULT}, and by name "
        "timm/MODEL, torchvision/MODEL and clip/MODEL"
    )
