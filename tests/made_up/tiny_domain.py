"""A domain of two dimensions and a few words, and weights in one file with it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from captious.metrics.learned.features import FIXED, Feature, FeatureSet
from captious.metrics.learned.network import Network
from captious.metrics.learned.weights import LearnedModel, Scaling
from captious.text.domain import FILE, Domain
from captious.text.vectors.caption_vectors import PIECE, CaptionSpace
from captious.text.vectors.word_vectors import WordVectors
from captious.text.word_order import END, FIRST_KNOWN, START, WordOrder

DOG, RUNS = FIRST_KNOWN, FIRST_KNOWN + 1


def tiny_domain(language: str = "en") -> Domain:
    """`dog` and `cat` are at right angles, `runs` between them; `dog runs dog` is in order."""
    words = ["dog", "cat", "runs", f"{PIECE}<zz"]
    values = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [1.0, 1.0]], np.float32)
    table = np.full((FIRST_KNOWN + 2,) * 3, 160, np.uint8)
    usual = [START, START, DOG, RUNS, DOG, END]
    for place in range(len(usual) - 2):
        table[tuple(usual[place : place + 3])] = 16
    return Domain(
        language,
        CaptionSpace(WordVectors.of("domain", words, values)),
        WordOrder.of({"dog": DOG, "runs": RUNS}, table, np.array([1.0, 0.0, 0.0, 2.0, 1.5])),
    )


def write_domain(path: Path, language: str = "en") -> Path:
    """A file of the domain alone."""
    FILE.write(path, tiny_domain(language).contents())
    return path


def write_domain_metric(path: Path, language: str = "en") -> Path:
    """A file as `captious train captious` writes it: the chance rises with `consensus`."""
    features = FeatureSet("captious", (Feature("consensus"), Feature("bleu_1")), FIXED)
    network = Network((np.array([[0.0, 4.0], [0.0, 0.0]]),), (np.array([0.0, -2.0]),))
    scaling = Scaling.of(features, np.zeros((1, 2)))
    notes = {"usual": [0.8, 0.5]}
    LearnedModel(features, scaling, network, notes, tiny_domain(language)).save(path)
    return path
