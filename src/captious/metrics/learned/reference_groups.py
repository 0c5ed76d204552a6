"""Reference groups: many references, read a few at a time.

Most scores change with the number of references: beside fifty, nearly every word of a candidate
stands in some reference, and few of the references' words stand in the candidate. A network that
learned from four or five has never seen such numbers. So an image with more references than that is
taken apart into groups, and a feature is its mean over the groups: what it would be on average
beside so few, better known the more references there are.

The references are ordered by the alphabet and dealt to the groups in turn, so that neither their
order nor chance decides, and every group gets its share of captions that begin alike. All groups
are of one size; where that does not come out even, some references serve in two groups.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray, Ragged, offsets_of
from captious.samples import References, Samples


def single_references(references: References) -> References:
    """Return every unique reference caption as the only reference of an image.

    It stands at its row in the analysis, and shares that analysis: nothing is read twice.
    """

    def split() -> References:
        analysis = references.analysis
        single = References(
            analysis.captions,
            np.arange(len(analysis.captions) + 1),
            analysis.tokenizer,
            analysis.cache,
        )
        single.analysis = analysis
        return single

    return references.get_or_compute("one at a time", split)


def split_by_reference(samples: Samples, single: References) -> Samples:
    """Split samples into pairs of candidate and reference, sharing the candidates' analysis."""

    def split() -> Samples:
        owners = samples.pairs.owners
        captions = samples.candidates.captions
        rows = samples.rows[owners]
        split_samples = Samples([captions[row] for row in rows], samples.pairs.values, single)
        split_samples.candidates, split_samples.rows = samples.candidates, rows
        return split_samples

    return samples.get_or_compute("one at a time", split)


class GroupedReferences(NamedTuple):
    """References as groups, each an image of its own, and the numbers of each image's groups."""

    references: References
    groups: Ragged
    most: int  # references of a group


def group_references(references: References, most: int) -> GroupedReferences | None:
    """Split references into groups of at most `most`; None if no image has more."""
    if references.rows.lengths.max(initial=0) <= most:
        return None

    def split() -> GroupedReferences:
        rows, captions = references.rows, references.analysis.captions
        parts: list[IntArray] = []
        counts = -(-rows.lengths // most)
        for image, count in enumerate(counts.tolist()):
            image_rows = rows.values[rows.offsets[image] : rows.offsets[image + 1]]
            if count > 1:
                image_rows = np.array(sorted(image_rows.tolist(), key=captions.__getitem__))
                parts += [
                    image_rows[places] for places in deal_to_groups(len(image_rows), count, most)
                ]
            else:
                parts.append(image_rows)
        names = references.image_names
        analysis = references.analysis
        groups = References([], np.zeros(1, np.int64), analysis.tokenizer, analysis.cache)
        groups.analysis = analysis  # shared: nothing is read twice
        groups.rows = Ragged(np.concatenate(parts), offsets_of(np.array(list(map(len, parts)))))
        if names is not None:
            groups.image_names = np.repeat(np.array(names, object), counts).tolist()
        return GroupedReferences(groups, Ragged(np.arange(len(parts)), offsets_of(counts)), most)

    return references.get_or_compute(("groups", most), split)


def deal_to_groups(size: int, groups: int, most: int) -> list[IntArray]:
    """Return the indices of each group's members when `size` items are dealt in turn."""
    in_turn = np.concatenate([np.arange(first, size, groups) for first in range(groups)])
    starts = [group * size // groups for group in range(groups)]
    return [in_turn[np.arange(start, start + most) % size] for start in starts]


def split_by_group(samples: Samples, grouped: GroupedReferences) -> Samples:
    """Split samples by groups of references, sharing the candidates' analysis."""

    def split() -> Samples:
        groups = grouped.groups.take(samples.images)
        captions = samples.candidates.captions
        rows = samples.rows[groups.owners]
        split_samples = Samples([captions[row] for row in rows], groups.values, grouped.references)
        split_samples.candidates, split_samples.rows = samples.candidates, rows
        return split_samples

    return samples.get_or_compute(("groups", grouped.most), split)


def mean_over_groups(
    values: FloatArray, samples: Samples, grouped: GroupedReferences
) -> FloatArray:
    """Average rows of groups into rows of samples."""
    counts = grouped.groups.lengths_at(samples.images)
    sums: FloatArray = np.add.reduceat(values, offsets_of(counts)[:-1], axis=0)
    return sums / counts[:, None]
