"""Image encoders from classifiers of timm and torchvision, by name, where they are installed."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from captious._internal.backends.pytorch import weights_hash
from captious._internal.locks import ForkSafeLock
from captious.errors import InputError, MissingDependencyError
from captious.images.encoder import ImageEncoder
from captious.images.preprocessing import Floats, Recipe


class TorchImageEncoder(ImageEncoder):
    """Encoder whose vectors are the input of a classifier's last linear layer."""

    def __init__(self, library: str, model: str, view: str = "crop") -> None:
        super().__init__(view)
        self.name = f"{library}/{model}"
        load = {"timm": _from_timm, "torchvision": _from_torchvision}[library]
        try:
            self._model, self.recipe = load(model)
        except ImportError:
            raise MissingDependencyError(
                f"{self.name}: an image encoder of {library}'s needs: pip install {library} torch"
            ) from None
        except InputError:
            raise
        except Exception as error:  # the network's, the hub's and the library's own alike
            reason = " ".join(str(error).split())[:160]
            raise InputError(
                f"{self.name}: cannot be loaded ({reason}); see {library}'s list of models"
            ) from None
        self._lock = ForkSafeLock()

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the weights and of how pictures are prepared for them."""
        return weights_hash(self._model, repr(self.recipe))

    def _run(self, pixels: Floats) -> Floats:
        import torch

        # One caller at a time: torch has threads of its own.
        with self._lock, torch.no_grad():
            vectors: Floats = self._model(torch.from_numpy(pixels)).float().numpy()
        return vectors


def _from_timm(model: str) -> tuple[Any, Recipe]:
    import timm
    from timm.data import resolve_model_data_config

    # `num_classes=0` is timm's way to ask for what goes into the classifier.
    network = timm.create_model(model, pretrained=True, num_classes=0).eval()
    config = resolve_model_data_config(network)
    side = int(config["input_size"][-1])
    return network, Recipe.of_torchvision(
        side,
        int(side / config["crop_pct"]),
        config["mean"],
        config["std"],
        str(config["interpolation"]),
    )


def _from_torchvision(model: str) -> tuple[Any, Recipe]:
    from torchvision.models import get_model, get_model_weights

    weights = get_model_weights(model).DEFAULT
    network = remove_last_layer(get_model(model, weights=weights).eval(), model)
    preset = weights.transforms()
    return network, Recipe.of_torchvision(
        int(preset.crop_size[-1]),
        int(preset.resize_size[-1]),
        preset.mean,
        preset.std,
        str(preset.interpolation.value),
    )


def remove_last_layer(network: Any, model: str) -> Any:
    """Replace the last linear layer of a classifier by the identity, and return the network."""
    import torch

    layers = [name for name, part in network.named_modules() if isinstance(part, torch.nn.Linear)]
    if not layers:
        raise InputError(f"torchvision/{model}: has no linear layer to take vectors before")
    parent, _, last = layers[-1].rpartition(".")
    setattr(network.get_submodule(parent), last, torch.nn.Identity())
    return network
