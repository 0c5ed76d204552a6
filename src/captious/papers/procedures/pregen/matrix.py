"""A captioner's matrix of probabilities, read as pre-gen metrics read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from captious.papers.measurements.experiment import Experiment
from captious.papers.result import Measured, Measurement, Table
from captious.pregen.inputs import logits_to_probabilities


def measure(
    experiment: Experiment,
    sentence: str,
    vocabulary: Mapping[str, Sequence[float]],
    published: Sequence[float],
) -> Measured:
    """The probability of each word of a sentence, whether it leads, and which word does.

    `vocabulary` has each word's probability at every place of the sentence.
    """
    words, places = list(vocabulary), sentence.split()
    matrix = np.array(list(vocabulary.values())).T
    with np.errstate(divide="ignore"):
        given, leads, _ = logits_to_probabilities(
            np.log(matrix), np.array([words.index(word) for word in places])
        )
    rows = [
        [word, Measurement(float(given[i]), published=published[i]), "yes" if leads[i] else "no",
         words[int(matrix[i].argmax())]]
        for i, word in enumerate(places)
    ]  # fmt: skip
    header = ["word", "probability", "ranked first", "the first"]
    return Measured((Table(f"{len(places)} words to predict", header, rows),))
