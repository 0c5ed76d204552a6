"""Models of timm's and torchvision's by name: what goes into the classifier, as they prepare it."""

from __future__ import annotations

import importlib
import pickle
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.images.encoder import load_image_encoder
from captious.images.torch_models import remove_last_layer
from tests.made_up.toy_images import noise

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")  # the libraries' own


def library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except (ImportError, RuntimeError) as error:  # torchvision beside another build of torch
        pytest.skip(f"{name}: {error}")


@pytest.fixture
def timm(monkeypatch: pytest.MonkeyPatch) -> Any:
    """timm without its network: random weights."""
    library("torchvision")
    found = library("timm")
    make = found.create_model

    def untrained(name: Any, pretrained: Any, **options: Any) -> Any:
        torch.manual_seed(0)
        return make(name, pretrained=False, **options)

    monkeypatch.setattr(found, "create_model", untrained)
    return found


@pytest.fixture
def torchvision(monkeypatch: pytest.MonkeyPatch) -> Any:
    """torchvision without its network: random weights."""
    found = library("torchvision.models")
    make = found.get_model

    def untrained(name: Any, weights: Any) -> Any:
        torch.manual_seed(0)
        return make(name, weights=None)

    monkeypatch.setattr(found, "get_model", untrained)
    return found


def test_timm_model_is_an_encoder(timm: Any) -> None:
    from timm.data import create_transform, resolve_model_data_config

    encoder = load_image_encoder("timm/resnet18")
    model = timm.create_model("resnet18", pretrained=False, num_classes=0).eval()
    image = noise(300, 280)
    prepared = create_transform(**resolve_model_data_config(model), is_training=False)(image)
    assert encoder.recipe.pixels(image) == pytest.approx(prepared.numpy(), abs=0.05)
    with torch.no_grad():
        expected = model(prepared[None])[0].numpy()
    vector = encoder.vector(image)
    cosine = vector @ expected / np.linalg.norm(vector) / np.linalg.norm(expected)
    assert vector.shape == (512,) and cosine > 0.999
    assert pickle.loads(pickle.dumps(encoder)) is encoder
    with pytest.raises(InputError, match="timm/no_such_net: cannot be loaded"):
        load_image_encoder("timm/no_such_net")


def test_torchvision_model_is_an_encoder(torchvision: Any) -> None:
    encoder = load_image_encoder("torchvision/resnet18")
    image = noise(300, 280)
    prepared = torchvision.get_model_weights("resnet18").DEFAULT.transforms()(image)
    assert encoder.recipe.pixels(image) == pytest.approx(prepared.numpy(), abs=0.05)
    assert encoder.vector(image).shape == (512,)
    with pytest.raises(InputError, match="torchvision/no_such_net: cannot be loaded"):
        load_image_encoder("torchvision/no_such_net")


def test_last_linear_layer_is_replaced_by_identity() -> None:
    head = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU(), torch.nn.Linear(3, 2))
    network = torch.nn.Sequential(torch.nn.Flatten(), head)
    given = torch.ones(1, 4)
    expected = head[1](head[0](given))
    assert remove_last_layer(network, "toy")(given).tolist() == expected.tolist()
    with pytest.raises(InputError, match="no linear layer"):
        remove_last_layer(torch.nn.Sequential(torch.nn.Flatten()), "toy")
