"""Files of word vectors that MOWE can read: those that can be had here, and a user's own."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from captious.papers.measurements.experiment import Experiment
from captious.text.vectors.caption_vectors import CaptionSpace
from captious.text.vectors.word_vectors import DEFAULT, WordVectors


def vector_files(experiment: Experiment, folder: str) -> dict[str, Path | None]:
    """Vectors by name; none stands for those that ship."""
    files: dict[str, Path | None] = {DEFAULT: None, "caption space": _caption_space(experiment)}
    for path in sorted((experiment.data / folder).glob("*.npz")):
        files[WordVectors.load(path).name] = path
    return files


def _caption_space(experiment: Experiment) -> Path:
    """The caption space's vectors of the words that ship with vectors, as a file of vectors."""
    space = CaptionSpace.load()
    path = experiment.store.path(f"vectors-{space.signature.replace('@', '-')}.npz")
    if not path.is_file():
        words = WordVectors.load().words
        values = np.asarray(space.of_words(words), np.float32)
        WordVectors.of("caption-space", words, values).save(path)
    return path
