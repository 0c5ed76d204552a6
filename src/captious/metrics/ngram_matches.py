"""How often a candidate's n-grams occur in each of its references: what n-gram metrics share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious.ragged import IntArray, Ragged
from captious.samples import References, Samples
from captious.text.ngrams import Bags, Ngrams, find_keys


@dataclass(frozen=True, slots=True)
class NgramMatches:
    """The candidates' distinct n-grams of one order, each beside every reference of its sample.

    Entries are the n-grams of each sample's candidate; each entry is repeated for every reference
    of the sample, and the repetitions of one entry stand together from `first_match` on.
    """

    sample: IntArray  # of each entry
    ngram: IntArray  # of each entry
    count: IntArray  # of each entry: occurrences in the candidate
    first_match: IntArray  # of each entry
    entry: IntArray  # of each match
    pair: IntArray  # of each match: candidate and reference, numbered through all samples
    reference_count: IntArray  # of each match: occurrences in that reference


def reference_bags(references: References, n: int) -> Bags:
    """The references' n-grams of one order, counted."""
    order = references.analysis.layer(Ngrams).orders[n - 1]
    return references.once(("bags", n), order.bags_by_id)


def _reference_keys(references: References, n: int) -> IntArray:
    """Caption and n-gram of every counted n-gram of the references as one integer, ascending."""
    bags = reference_bags(references, n)
    size = references.analysis.layer(Ngrams).orders[n - 1].size
    keys: IntArray = bags.ngrams.owners * size + bags.ngrams.values
    return keys


def ngram_matches(samples: Samples, n: int) -> NgramMatches:
    """The matches of order n, computed once for all metrics that read them."""
    return samples.once(("ngram matches", n), lambda: _match(samples, n))


def _match(samples: Samples, n: int) -> NgramMatches:
    references = samples.references
    bags = samples.candidates.layer(Ngrams).orders[n - 1].bags_by_place()
    size = references.analysis.layer(Ngrams).orders[n - 1].size
    known = references.once(("n-gram keys", n), lambda: _reference_keys(references, n))

    ngrams = bags.ngrams.take(samples.rows)
    counts = Ragged(bags.counts, bags.ngrams.offsets).take(samples.rows).values
    sample = ngrams.owners
    references_each = samples.pairs.lengths[sample]
    last_match = np.cumsum(references_each)
    first_match = last_match - references_each
    entry = np.repeat(np.arange(len(sample)), references_each)
    within = np.arange(len(entry)) - first_match[entry]
    pair = samples.pairs.offsets[sample[entry]] + within

    ngram = ngrams.values[entry]
    places, found = find_keys(known, samples.pairs.values[pair] * size + ngram)
    # An n-gram that no reference has at all would be taken for one of the next caption's.
    found &= ngram < size
    reference_count = np.zeros(len(entry), np.int64)
    reference_count[found] = reference_bags(references, n).counts[places[found]]
    return NgramMatches(sample, ngrams.values, counts, first_match, entry, pair, reference_count)


def clipped_matches(samples: Samples, n: int) -> IntArray:
    """For each sample, its n-grams found in the references, each as often as one reference has it.

    This is BLEU's numerator.
    """

    def count() -> IntArray:
        matches = ngram_matches(samples, n)
        highest = np.maximum.reduceat(matches.reference_count, matches.first_match)
        clipped = np.minimum(matches.count, highest)
        sums = np.bincount(matches.sample, weights=clipped, minlength=len(samples))
        return sums.astype(np.int64)

    return samples.once(("clipped matches", n), count)
