"""An encoder small enough to work a score out by hand: one vector a word, whatever is round it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from captious.text.encoder.encoder import Encoder

VECTORS = {
    "[CLS]": [1, 0, 0, 0, 0, 0],
    "[SEP]": [0, 1, 0, 0, 0, 0],
    "dog": [0, 0, 2, 0, 0, 0],
    "cat": [0, 0, 3, 4, 0, 0],  # .6 to dog
    "red": [0, 0, 0, 0, 1, 0],
    "the": [0, 0, 0, 0, 0, 1],
    "big": [0, 0, 0, -1, 0, 0],  # -.8 to cat
}


class ToyEncoder(Encoder):
    name = "toy"
    layers = 6
    window = 256
    fingerprint = "toy"

    def piece_names(self) -> list[str]:
        return list(VECTORS)

    def _tokenize(self, captions: Sequence[str]) -> tuple[list[list[int]], int]:
        names = self.piece_names()
        cut = ([names.index(word) for word in caption.split()] for caption in captions)
        return [[0, *row, 1] for row in cut], 0

    def _states(self, pieces: np.ndarray, layers: Sequence[int]) -> list[np.ndarray]:
        states: np.ndarray = np.array(list(VECTORS.values()), np.float32)[pieces]
        return [states for _ in layers]
