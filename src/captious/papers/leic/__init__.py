"""LEIC's paper: what stands for each of its tables and figures."""

from __future__ import annotations

from captious.papers.declaration import run_procedure
from captious.papers.exhibit import Exhibit
from captious.papers.leic import agreement, critics
from captious.papers.rows import LEIC

DRAWINGS = (
    Exhibit(
        LEIC.figure(1),
        "overview of the metric",
        drawing="A critic tells human from system captions, given an image and a reference: "
        "docs/critic.md.",
    ),
    Exhibit(
        LEIC.figure(2),
        "the architecture with compact bilinear pooling",
        drawing="`captious.metrics.leic`; fusions are linear, mlp and bilinear: docs/critic.md.",
    ),
    Exhibit(
        LEIC.figure(3),
        "captions before and after each transformation",
        (run_procedure("examples.corrupt_examples", kinds=critics.CORRUPTIONS),),
        drawing="Examples. The three transformations are in `captious.text.transformations`; at "
        "least two words change.",
    ),
)
EXHIBITS = (
    agreement.CORRELATION,
    agreement.SYSTEMS,
    *DRAWINGS,
    critics.WORD_FREQUENCIES,
    critics.CAPABILITY,
    critics.CRITIC_ROBUSTNESS,
    agreement.AGAINST_PEOPLE,
    agreement.TWO_FOLDS,
)
