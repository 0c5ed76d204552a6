"""Sentence vectors: computed once a caption in the life of a cache."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from captious.io.cache import AnalysisCache
from captious.text.analysis import Analysis
from captious.text.encoder.encoder import sentence_vectors


class Lengths:
    """An encoder that says how long a caption is, and counts what it was asked."""

    width = 2
    fingerprint = "lengths"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, captions: list[str]) -> np.ndarray:
        self.asked += captions
        return np.array([[len(caption), 0.1] for caption in captions], np.float32)


def test_what_the_cache_has_is_not_computed_again(tmp_path: Path) -> None:
    encoder: Any = Lengths()
    for captions in (["a", "bb"], ["bb", "ccc", "a"]):
        analysis = Analysis(captions, cache=AnalysisCache(tmp_path))
        vectors = sentence_vectors(analysis, encoder)
        expected = np.array([[len(caption), 0.1] for caption in captions], np.float32)
        assert vectors.dtype == np.float32 and vectors.tolist() == expected.tolist()
        assert sentence_vectors(analysis, encoder) is vectors
    assert encoder.asked == ["a", "bb", "ccc"]


def test_without_a_cache_all_is_computed() -> None:
    encoder: Any = Lengths()
    assert sentence_vectors(Analysis(["a"]), encoder).shape == (1, 2)
    assert sentence_vectors(Analysis([]), encoder).shape[0] == 0
    assert encoder.asked == ["a"]
