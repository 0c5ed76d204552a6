"""Named image encoders: found, checked by hash, and near the features made elsewhere."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from captious.errors import CaptiousError, InputError, MissingDependencyError
from captious.images import encoder as encoders
from captious.images.encoder import (
    FILE,
    EfficientNetLite2,
    load_image_encoder,
    models_folder,
    weights_path,
)
from captious.images.encoding import encode_files
from captious.images.folder import ImageFolder
from captious.images.vectors import read_image_vectors
from tests.made_up.toy_images import noise


@pytest.fixture
def mean_colour_graph(tmp_path: Path) -> Path:
    """A graph with the real one's inputs and outputs that takes the mean over places."""
    pytest.importorskip("onnxruntime")
    onnx = pytest.importorskip("onnx")
    helper = onnx.helper
    number = onnx.TensorProto.FLOAT
    graph = helper.make_graph(
        [
            helper.make_node("GlobalAveragePool", ["pixels"], ["mean"]),
            helper.make_node("Flatten", ["mean"], ["vectors"], axis=1),
        ],
        "toy",
        [helper.make_tensor_value_info("pixels", number, ["images", 3, 260, 260])],
        [helper.make_tensor_value_info("vectors", number, ["images", 3])],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path = tmp_path / FILE
    path.write_bytes(model.SerializeToString())
    return path


def test_graph_is_run_on_preprocessed_pixels(mean_colour_graph: Path) -> None:
    encoder = EfficientNetLite2("whole", mean_colour_graph, checked=False)
    vector = encoder.vector(noise(260, 260))
    expected = (np.asarray(noise(260, 260), np.float64).mean(axis=(0, 1)) - 127) / 128
    assert vector == pytest.approx(expected, abs=1e-5)
    again = pickle.loads(pickle.dumps(encoder))
    assert again.signature == encoder.signature
    assert encoder.signature.startswith("efficientnet-lite2:") and "whole" in encoder.signature


def test_weights_with_another_hash_are_not_run(
    mean_colour_graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAPTIOUS_MODELS", str(mean_colour_graph.parent))
    monkeypatch.setattr(encoders, "RESOURCES", mean_colour_graph.parent / "none")
    assert weights_path() == mean_colour_graph
    with pytest.raises(CaptiousError, match=r"not the image encoder's weights .*export_image"):
        EfficientNetLite2().vector(noise())


def test_damaged_graph_is_a_one_line_error(mean_colour_graph: Path, tmp_path: Path) -> None:
    whole = mean_colour_graph.read_bytes()
    for damaged in (b"", b"text", whole[: len(whole) // 2]):
        (tmp_path / "damaged.onnx").write_bytes(damaged)
        encoder = EfficientNetLite2("whole", tmp_path / "damaged.onnx", checked=False)
        with pytest.raises(
            CaptiousError, match=r"damaged\.onnx: not the image encoder's"
        ) as caught:
            encoder.vector(noise())
        assert "\n" not in str(caught.value)


def test_missing_weights_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("onnxruntime")
    monkeypatch.setenv("CAPTIOUS_MODELS", str(tmp_path))
    monkeypatch.setattr(encoders, "RESOURCES", tmp_path / "none")
    with pytest.raises(CaptiousError, match=r"can't be read .*export_image_encoder\.py"):
        EfficientNetLite2().vector(noise())


def test_models_folder_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CAPTIOUS_MODELS", raising=False)
    assert models_folder().parts[-2:] == ("captious", "models")


def test_without_onnx_runtime_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    monkeypatch.setattr(encoders, "weights_path", lambda: Path("nowhere"))
    with pytest.raises(MissingDependencyError, match=r"captious\[image\]"):
        EfficientNetLite2().vector(noise())


def test_encoders_are_loaded_by_name() -> None:
    encoder = load_image_encoder()
    assert encoder is load_image_encoder("efficientnet-lite2", "crop")
    assert pickle.loads(pickle.dumps(encoder)) is encoder
    assert load_image_encoder(view="whole") is not encoder
    for name in ("efficientnet", "timm/", "somewhere/resnet50"):
        with pytest.raises(InputError, match="no image encoder of this name"):
            load_image_encoder(name)
    with pytest.raises(InputError, match="is a name"):
        load_image_encoder(cast(Any, 3))
    with pytest.raises(InputError, match="no view 'left'"):
        load_image_encoder(view="left")


@pytest.mark.parametrize("library", ["timm", "torchvision"])
def test_missing_library_is_an_error(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("timm", "torchvision"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingDependencyError, match=f"pip install {library} torch"):
        load_image_encoder(f"{library}/resnet18")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("view", "features"),
    [("crop", "efficientnet_lite2.npz"), ("whole", "efficientnet_lite2_whole.npz")],
)
def test_vectors_match_published_features(view: str, features: str, shared: Path) -> None:
    pytest.importorskip("onnxruntime")
    if not weights_path().is_file():
        pytest.skip("needs the weights that tools/export_image_encoder.py makes")
    folder = ImageFolder(shared / "data" / "flickr8k" / "images")
    files = {name: folder.find(name) for name in folder.names[::10]}
    mine = encode_files(files, EfficientNetLite2(view), cache=None).vectors
    theirs = read_image_vectors(shared / "data" / "flickr8k" / features).take(mine.names)
    cosines = (mine.vectors * theirs.vectors).sum(axis=1)
    assert len(cosines) == 30 and cosines.min() > 0.99
