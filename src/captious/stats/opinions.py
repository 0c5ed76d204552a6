"""Opinions: how people's ratings of one caption vary, as distributions that all captions share.

Captions are taken to be of a few kinds. A kind has a chance for each step of the scale, and
people's ratings of a caption are draws from its kind's chances. Kinds and how frequent they are fit
all captions by maximum likelihood (a mixture of multinomials, by expectation maximisation); what
kind a caption is of, its ratings tell more or less surely. What other people would say of the same
captions can then be drawn, and with it what somebody who knew each caption's kind would agree with.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray

KINDS = 8  # at most
ROUNDS = 1000  # of fitting at most
CONVERGED = 1e-7  # of log likelihood a caption
SMOOTHED = 0.1  # the share of all captions' chances in those that a kind begins with


@dataclass(frozen=True, eq=False)
class Opinions:
    """How often each step was given to each caption, and the kinds that captions may be of."""

    counts: IntArray  # one row a caption, one column a step
    kinds: FloatArray  # one row a kind: the chances of the steps
    belongs: FloatArray  # one row a caption: the chances of the kinds

    @classmethod
    def of(cls, counts: IntArray, steps: FloatArray) -> Opinions:
        """Fit kinds to counts."""
        # Captions of which people said the same are of the same kinds.
        patterns, places, often = np.unique(counts, axis=0, return_inverse=True, return_counts=True)
        places = places.reshape(-1)
        patterns = patterns.astype(np.float64)
        kinds = _beginning(patterns, often, steps)
        shares = np.full(len(kinds), 1 / len(kinds))
        before = -np.inf
        for _ in range(ROUNDS):
            log = patterns @ np.log(np.maximum(kinds, 1e-300)).T + np.log(shares)
            highest = log.max(axis=1, keepdims=True)
            likely = np.exp(log - highest)
            totals = likely.sum(axis=1, keepdims=True)
            belongs = likely / totals
            weights = belongs * often[:, None]
            shares = np.maximum(weights.sum(axis=0) / often.sum(), 1e-300)
            given = weights.T @ patterns
            kinds = given / np.maximum(given.sum(axis=1, keepdims=True), 1e-300)
            fit = float((often * (np.log(totals) + highest)[:, 0]).sum() / often.sum())
            if fit - before < CONVERGED:
                break
            before = fit
        return cls(counts, kinds, belongs[places])

    def drawn(self, rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
        """A kind's chances for each caption, given what was said of it, and as many new ratings."""
        up_to = np.cumsum(self.belongs, axis=1)
        lots = rng.random(len(up_to))[:, None] * up_to[:, -1:]
        chances = self.kinds[(lots >= up_to[:, :-1]).sum(axis=1)]
        return chances, rng.multinomial(self.counts.sum(axis=1), chances)


def _beginning(patterns: FloatArray, often: IntArray, steps: FloatArray) -> FloatArray:
    """Kinds to begin with: captions in order of their mean rating, cut into equal parts."""
    everything = often @ patterns
    everything = everything / everything.sum()
    order = np.argsort(patterns @ steps / patterns.sum(axis=1), kind="stable")
    middle = (np.cumsum(often[order]) - often[order] / 2) / often.sum()
    parts = (middle * KINDS).astype(np.int64)
    rows = []
    for part in np.unique(parts):
        inside = order[parts == part]
        given = often[inside] @ patterns[inside]
        rows.append((1 - SMOOTHED) * given / given.sum() + SMOOTHED * everything)
    return np.array(rows)
