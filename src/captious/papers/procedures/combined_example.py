"""References combined, step by step: which pieces are added, and what a candidate matches."""

from __future__ import annotations

import numpy as np

from captious.metrics.bertscore.multiref import BertScoreMultiref, piece_sets
from captious.metrics.parameters import PAPER
from captious.metrics.pooling import COMBINED
from captious.papers.measurements.experiment import Experiment
from captious.papers.result import Measured, Table, Value
from captious.text.encoder.encoder import load_encoder, unit

REFERENCES = (
    "a dog runs on the beach",
    "a brown puppy is running along the shore",
    "waves break behind a running dog",
)
CANDIDATE = "a brown dog on the sand"


def measure(experiment: Experiment) -> Measured:
    """A row a piece of the combination, with the candidate's most similar piece."""
    encoder = load_encoder()
    metric = BertScoreMultiref()
    known = metric.depends_on()
    beta = float(known["beta"])
    states = encoder.token_states([*REFERENCES, CANDIDATE], known["layer"])
    vectors = unit(states.states)
    names, offsets = encoder.piece_names(), states.pieces.offsets
    states = type(states)(states.pieces, vectors)
    combination = piece_sets(states, tuple(range(len(REFERENCES))), COMBINED, beta, PAPER)
    inner = slice(int(offsets[-2]) + 1, int(offsets[-1]) - 1)
    similarity = vectors[combination.vectors] @ vectors[inner].T
    candidate_pieces = states.pieces.values[inner]
    rows: list[list[Value]] = []
    for piece, place, row in zip(
        combination.pieces.tolist(), combination.vectors.tolist(), similarity, strict=True
    ):
        best = int(np.argmax(row))
        matched = float(row[best]) > beta
        reference = int(np.searchsorted(offsets, place, "right"))
        rows.append(
            [
                names[piece],
                f"reference {reference}",
                names[int(candidate_pieces[best])] if matched else "nothing",
                float(row[best]) if matched else 0.0,
            ]
        )
    listed = "; ".join(f"({place}) {text}" for place, text in enumerate(REFERENCES, 1))
    table = Table(
        f"The combination of {listed}, beside *{CANDIDATE}*",
        ["piece", "from", "matched by", "cosine"],
        rows,
        texts=3,
    )
    return Measured((table,), settings=(f"layer {known['layer']}, threshold {beta:g}",))
