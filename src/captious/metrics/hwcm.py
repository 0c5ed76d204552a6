"""Head-word chain matching: which words depend on which, alike in candidate and reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from captious.errors import InputError
from captious.metrics.base import Metric, averaged
from captious.ragged import FloatArray
from captious.samples import References, Samples
from captious.text.analysis import Analysis
from captious.text.parses import Parses
from captious.text.sentence import Sentence

LENGTHS = range(1, 5)
VARIANTS = ("paper", "released")

Chains = list[Counter[tuple[str, ...]]]


def chains_of(sentences: Iterable[Sentence], by_label: bool) -> Chains:
    """For each length, the chains from a word to its head, the head's head, and so on, counted."""
    counted: Chains = [Counter() for _ in LENGTHS]
    for sentence in sentences:
        links = sentence.labels if by_label else sentence.lemmas
        for place in range(len(links)):
            chain: tuple[str, ...] = ()
            for counts in counted:
                chain = (*chain, links[place])
                counts[chain] += 1
                place = sentence.heads[place] - 1
                if place < 0:
                    break
    return counted


def chain_matches(analysis: Analysis, by_label: bool) -> list[Chains]:
    """The chains of every caption of an analysis."""
    sentences = analysis.layer(Parses).sentences
    return analysis.once(
        ("chains", by_label), lambda: [chains_of(parts, by_label) for parts in sentences]
    )


@dataclass(frozen=True)
class Hwcm(Metric):
    """Share of the candidate's chains of lemmas that a reference has, best reference.

    The paper divides by the candidate's chains; the code that its authors released divides by the
    reference's.
    """

    variant: str = "paper"

    name = "hwcm"
    columns = tuple(f"hwcm_{length}" for length in LENGTHS)
    description = "head-word chains of lemmas shared with a reference (Liu and Gildea, 2005)"
    by_label = False

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise InputError(
                f"{self.name}: unknown variant {self.variant!r}; choose one of: "
                f"{', '.join(VARIANTS)}"
            )

    def prepare(self, references: References) -> list[Chains]:
        """The references' chains."""
        return chain_matches(references.analysis, self.by_label)

    def statistics(self, samples: Samples, prepared: list[Chains]) -> FloatArray:
        """The best share over the references for each length; 0 without such chains."""
        candidates = chain_matches(samples.candidates, self.by_label)
        shares = np.zeros((len(samples.pairs.values), len(LENGTHS)))
        rows = samples.rows[samples.pairs.owners].tolist()
        for pair, (row, other) in enumerate(zip(rows, samples.pairs.values.tolist(), strict=True)):
            for place, (mine, theirs) in enumerate(
                zip(candidates[row], prepared[other], strict=True)
            ):
                total = (mine if self.variant == "paper" else theirs).total()
                if total:
                    shares[pair, place] = (mine & theirs).total() / total
        return averaged(np.maximum.reduceat(shares, samples.pairs.offsets[:-1], axis=0))

    def signature(self) -> str:
        """The variant, and the parser."""
        from captious.text.parses import shipped_parser

        return f"{self.name}(variant={self.variant},parser={shipped_parser().fingerprint})"


@dataclass(frozen=True)
class HwcmDep(Hwcm):
    """The same for chains of dependency labels."""

    name = "hwcm_dep"
    columns = tuple(f"hwcm_dep_{length}" for length in LENGTHS)
    description = "head-word chains of dependency labels shared with a reference"
    by_label = True
