"""Head-word chain matching (HWCM): dependency chains that candidate and reference share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.metrics.base import Metric, mean_statistics
from captious.metrics.parameters import PAPER, PUBLISHED, VARIANTS, variant_parameter
from captious.samples import References, Samples
from captious.text.analysis import Analysis
from captious.text.parser.parser import Parses, Sentence

LENGTHS = range(1, 5)

# For each length the chains as text, repeated ones numbered: the chains that two captions share are
# then the intersection of two sets, and the hash of a text is computed once.
Chains = list[set[str]]


def extract_chains(sentences: Iterable[Sentence], by_label: bool) -> Chains:
    """For each length, the chains from a word to its head, the head's head, and so on."""
    by_length: Chains = [set() for _ in LENGTHS]
    counts: dict[str, int] = {}
    for sentence in sentences:
        links = sentence.labels if by_label else sentence.lemmas
        heads = sentence.heads
        for place in range(len(links)):
            chain = ""
            for chains in by_length:
                chain = f"{chain} {links[place]}"
                count = counts[chain] = counts.get(chain, 0) + 1
                chains.add(chain if count == 1 else f"{chain}\n{count}")
                place = heads[place] - 1
                if place < 0:
                    break
    return by_length


def caption_chains(analysis: Analysis, by_label: bool) -> list[Chains]:
    """The chains of every caption of an analysis."""
    sentences = analysis.layer(Parses).sentences
    return analysis.get_or_compute(
        ("chains", by_label), lambda: [extract_chains(parts, by_label) for parts in sentences]
    )


@dataclass(frozen=True)
class Hwcm(Metric):
    """Share of the candidate's chains of lemmas that a reference has, best reference.

    The paper divides by the candidate's chains; the code that its authors released divides by the
    reference's. The paper's figures fit the latter, as a mean over all lengths up to the one
    named, as Liu and Gildea define it.
    """

    variant: str = variant_parameter((*VARIANTS, PUBLISHED))

    name = "hwcm"
    description = "head-word chains of lemmas shared with a reference (Liu and Gildea, 2005)"
    english = "its parser"
    by_label = False

    def prepare(self, references: References) -> list[Chains]:
        """The references' chains."""
        return caption_chains(references.analysis, self.by_label)

    def statistics(self, samples: Samples, prepared: list[Chains]) -> FloatArray:
        """The best share over the references for each length; 0 without such chains.

        As published, the mean of those of all lengths up to it.
        """
        candidates = caption_chains(samples.candidates, self.by_label)
        shares = np.zeros((len(samples.pairs.values), len(LENGTHS)))
        rows = samples.rows[samples.pairs.owners].tolist()
        for pair, (row, other) in enumerate(zip(rows, samples.pairs.values.tolist(), strict=True)):
            for place, (candidate_chains, reference_chains) in enumerate(
                zip(candidates[row], prepared[other], strict=True)
            ):
                total = len(candidate_chains if self.variant == PAPER else reference_chains)
                if total:
                    shares[pair, place] = len(candidate_chains & reference_chains) / total
        best = np.maximum.reduceat(shares, samples.pairs.offsets[:-1], axis=0)
        if self.variant == PUBLISHED:
            best = np.cumsum(best, axis=1) / np.array(LENGTHS)
        return mean_statistics(best)

    def depends_on(self) -> dict[str, Any]:
        """The parser."""
        from captious.text.parser.parser import shipped_parser

        return {"parser": shipped_parser().fingerprint}


@dataclass(frozen=True)
class HwcmDep(Hwcm):
    """The same for chains of dependency labels."""

    name = "hwcm_dep"
    description = "head-word chains of dependency labels shared with a reference"
    by_label = True
