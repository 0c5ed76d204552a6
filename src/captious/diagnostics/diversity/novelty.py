"""Novelty: captions compared with training captions and with the references' vocabulary."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from captious.diagnostics.diversity.systems import System
from captious.samples import unique_rows
from captious.text.analysis import Analysis
from captious.text.tokens import Tokens, word_sequences


def analyse_beside(systems: Analysis, captions: Sequence[str]) -> Analysis:
    """Analyse other captions with the word ids of the systems' analysis."""
    return Analysis(unique_rows(captions)[0], systems.tokenizer, systems)


def novel_share(systems: Analysis, system: System, training: Analysis) -> float:
    """The share of a system's captions that are not among the training captions."""
    seen = training.get_or_compute("word sequences", lambda: frozenset(word_sequences(training)))
    is_new = np.array([words not in seen for words in word_sequences(systems)], np.bool_)
    return float(is_new[system.rows.values].mean())


def vocabulary_share(systems: Analysis, system: System, references: Analysis) -> float:
    """The share of the references' vocabulary that a system uses; NaN where that has no words."""
    theirs = np.unique(references.layer(Tokens).pieces.values)
    mine = systems.layer(Tokens).pieces.take(np.unique(system.rows.values)).values
    return float(np.isin(theirs, mine).mean()) if len(theirs) else float("nan")
