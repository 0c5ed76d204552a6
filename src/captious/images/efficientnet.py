"""The default image encoder: EfficientNet-Lite2 without its classifier, run by ONNX Runtime."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import Any

from captious._internal.backends.onnx import create_session, read_weights
from captious.images.encoder import DEFAULT, ImageEncoder
from captious.images.preprocessing import Floats, Recipe
from captious.resources import RESOURCES

FILE = f"{DEFAULT}.onnx"
HASH = "c1cdb2ca97965023412777f37b83770e3a96a6c59cfebef7168eb1fc855d7fd9"
SIDE, SHARE = 260, 0.875  # of a picture's shorter side, what the network sees
WIDTH = 1280  # channels of the last convolution
FOLDER_VARIABLE = "CAPTIOUS_MODELS"
_HOW = "tools/export_image_encoder.py makes it"


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
        path = self.file or found_file()
        return read_weights(path, "image encoder", HASH if self.checked else None, _HOW)

    @cached_property
    def _session(self) -> Any:
        path = self.file or found_file()
        return create_session(lambda: self._graph_and_hash[0], path, "image encoder", "image", _HOW)


def models_folder() -> Path:
    """Where models are that did not come with the package: CAPTIOUS_MODELS, or the user's data."""
    where = os.environ.get(FOLDER_VARIABLE, "")
    if where:
        return Path(where)
    from platformdirs import user_data_path

    return user_data_path("captious", appauthor=False) / "models"


def found_file() -> Path:
    """The weights: those that came with the package, or else those in the folder of models."""
    shipped = RESOURCES / "image_encoder" / FILE
    return shipped if shipped.is_file() else models_folder() / FILE
