"""Samples split into pairs: each candidate with one reference at a time."""

from __future__ import annotations

import numpy as np

from captious.samples import References, Samples


def single_references(references: References) -> References:
    """Every unique reference caption as if it were the only one of an image.

    It stands at its row in the analysis, and shares that analysis: nothing is read twice.
    """

    def take_apart() -> References:
        analysis = references.analysis
        single = References(
            analysis.captions,
            np.arange(len(analysis.captions) + 1),
            analysis.tokenizer,
            analysis.cache,
        )
        single.analysis = analysis
        return single

    return references.get_or_compute("one at a time", take_apart)


def split_by_reference(samples: Samples, single: References) -> Samples:
    """One sample a pair, in the order of the pairs, with the candidates' analysis shared."""

    def take_apart() -> Samples:
        owners = samples.pairs.owners
        captions = samples.candidates.captions
        rows = samples.rows[owners]
        apart = Samples([captions[row] for row in rows], samples.pairs.values, single)
        apart.candidates, apart.rows = samples.candidates, rows
        return apart

    return samples.get_or_compute("one at a time", take_apart)
