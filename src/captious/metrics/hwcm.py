"""Head-word chain matching: which words depend on which, alike in candidate and reference."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.metrics.base import Metric, averaged
from captious.metrics.parameters import PAPER, PUBLISHED, variant_parameter
from captious.samples import References, Samples
from captious.text.analysis import Analysis
from captious.text.parser.parser import Parses, Sentence

LENGTHS = range(1, 5)

# For each length the chains as text, the second one of a kind marked as such and so on: what two
# captions share is then what two sets share, and a text's hash is worked out once.
Chains = list[set[str]]


def chains_of(sentences: Iterable[Sentence], by_label: bool) -> Chains:
    """For each length, the chains from a word to its head, the head's head, and so on."""
    by_length: Chains = [set() for _ in LENGTHS]
    times: dict[str, int] = {}
    for sentence in sentences:
        links = sentence.labels if by_label else sentence.lemmas
        heads = sentence.heads
        for place in range(len(links)):
            chain = ""
            for chains in by_length:
                chain = f"{chain} {links[place]}"
                time = times[chain] = times.get(chain, 0) + 1
                chains.add(chain if time == 1 else f"{chain}\n{time}")
                place = heads[place] - 1
                if place < 0:
                    break
    return by_length


def chains_in(analysis: Analysis, by_label: bool) -> list[Chains]:
    """The chains of every caption of an analysis."""
    sentences = analysis.layer(Parses).sentences
    return analysis.get_or_compute(
        ("chains", by_label), lambda: [chains_of(parts, by_label) for parts in sentences]
    )


@dataclass(frozen=True)
class Hwcm(Metric):
    """Share of the candidate's chains of lemmas that a reference has, best reference.

    The paper divides by the candidate's chains; the code that its authors released divides by the
    reference's. What the paper's figures fit is that, too, and the mean over all lengths up to the
    one named, as Liu and Gildea have it.
    """

    variant: str = variant_parameter(published=True)

    name = "hwcm"
    description = "head-word chains of lemmas shared with a reference (Liu and Gildea, 2005)"
    english = "its parser"
    by_label = False

    def prepare(self, references: References) -> list[Chains]:
        """The references' chains."""
        return chains_in(references.analysis, self.by_label)

    def statistics(self, samples: Samples, prepared: list[Chains]) -> FloatArray:
        """The best share over the references for each length; 0 without such chains.

        As published, the mean of those of all lengths up to it.
        """
        candidates = chains_in(samples.candidates, self.by_label)
        shares = np.zeros((len(samples.pairs.values), len(LENGTHS)))
        rows = samples.rows[samples.pairs.owners].tolist()
        for pair, (row, other) in enumerate(zip(rows, samples.pairs.values.tolist(), strict=True)):
            for place, (mine, theirs) in enumerate(
                zip(candidates[row], prepared[other], strict=True)
            ):
                total = len(mine if self.variant == PAPER else theirs)
                if total:
                    shares[pair, place] = len(mine & theirs) / total
        best = np.maximum.reduceat(shares, samples.pairs.offsets[:-1], axis=0)
        if self.variant == PUBLISHED:
            best = np.cumsum(best, axis=1) / np.array(LENGTHS)
        return averaged(best)

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
