"""Matches of candidates' n-grams in their references, shared by n-gram metrics."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import IntArray, Ragged
from captious._internal.loops.ngrams import match_ngrams
from captious.samples import Samples
from captious.text.ngrams import MAX_ORDER, Ngrams


@dataclass(frozen=True, slots=True)
class NgramMatches:
    """The distinct n-grams of each sample's candidate, and where the references have them.

    Entries are the n-grams, sample after sample. A hit is an entry that one of the sample's
    references has; pairs of candidate and reference are numbered through all samples.
    """

    sample: IntArray  # of each entry
    order: IntArray  # of each entry: its number of words less one
    node: IntArray  # of each entry
    count: IntArray  # of each entry: occurrences in the candidate
    highest: IntArray  # of each entry: most occurrences in one reference
    entry: IntArray  # of each hit
    pair: IntArray  # of each hit
    reference_count: IntArray  # of each hit: occurrences in that reference


def ngram_matches(samples: Samples) -> NgramMatches:
    """The matches, computed once for all metrics that read them."""
    return samples.get_or_compute("n-gram matches", lambda: _match(samples))


def _match(samples: Samples) -> NgramMatches:
    candidates = samples.candidates.layer(Ngrams)
    references = samples.references.analysis.layer(Ngrams)
    rows = (samples.rows[:, None] * MAX_ORDER + np.arange(MAX_ORDER)).ravel()
    nodes = candidates.nodes.take(rows)
    counts = Ragged(candidates.counts, candidates.nodes.offsets).take(rows).values
    row = nodes.owners
    first, last = (references.nodes.offsets[MAX_ORDER * (samples.pairs.values + n)] for n in (0, 1))
    max_hits = int((last - first).sum())
    highest = np.zeros(len(nodes.values), np.int32)
    entry, pair, reference_count = (np.empty(max_hits, np.int32) for _ in range(3))
    hits = match_ngrams(
        candidates.nodes.values.data,
        candidates.nodes.offsets.data,
        samples.rows.data,
        references.nodes.values.data,
        references.counts.data,
        references.nodes.offsets.data,
        samples.pairs.values.data,
        samples.pairs.offsets.data,
        np.zeros(candidates.size, np.int32).data,
        highest.data,
        entry.data,
        pair.data,
        reference_count.data,
    )
    return NgramMatches(
        row // MAX_ORDER,
        row % MAX_ORDER,
        nodes.values,
        counts,
        highest,
        entry[:hits],
        pair[:hits],
        reference_count[:hits],
    )


def clipped_matches(samples: Samples) -> IntArray:
    """Count each sample's n-grams found in references, clipped to the most in one reference.

    This is BLEU's numerator, one column an order.
    """
    matches = ngram_matches(samples)
    clipped = np.minimum(matches.count, matches.highest)
    place = matches.sample * MAX_ORDER + matches.order
    sums = np.bincount(place, weights=clipped, minlength=len(samples) * MAX_ORDER)
    return sums.reshape(-1, MAX_ORDER).astype(np.int64)


def ngram_totals(samples: Samples) -> IntArray:
    """The number of each candidate's n-grams, one column an order."""
    totals: IntArray = np.maximum(samples.candidate_lengths[:, None] - np.arange(MAX_ORDER), 0)
    return totals
