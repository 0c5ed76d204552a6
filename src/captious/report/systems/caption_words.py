"""Words of captions: how many there are, which no reference supports, and which are missing.

Of captions of several sentences, how likely each sentence is, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import IntArray
from captious._internal.progress import track
from captious.diagnostics.explanation import split_into_sentences
from captious.metrics.consensus.word_support import WordsInOrder
from captious.metrics.hallucination.doubts import Doubts
from captious.metrics.learned.captious import Captious
from captious.report.browser.contents import Sentence
from captious.samples import References, iterate_blocks
from captious.text.vectors.caption_vectors import CaptionSpace

PROGRESS_LABEL = "words explained"  # in progress messages


@dataclass(frozen=True, eq=False)
class CaptionWords:
    """Words of each caption of a system, in the order of its rows."""

    counts: IntArray
    unsupported: list[list[str]] | None  # None: there is no space of the captions' language
    missing: list[list[str]] | None
    sentences: list[tuple[Sentence, ...]] | None  # of long captions

    @classmethod
    def of(
        cls, captions: Sequence[str], images: IntArray, references: References, explained: bool
    ) -> CaptionWords:
        """Count the words and, where they can be explained, find those of one side alone."""
        counts: list[IntArray] = []
        unsupported: list[list[str]] = []
        missing: list[list[str]] = []
        sentences: list[tuple[Sentence, ...]] = []
        space, model = CaptionSpace.load(), Captious().model()
        for samples in track(
            PROGRESS_LABEL, iterate_blocks(captions, images, references), len, len(captions)
        ):
            counts.append(samples.candidate_lengths)
            if explained:
                unsupported += Doubts.of(samples).unsupported()
                missing += WordsInOrder.of(samples, space)[1].unsupported_by_weight()
                sentences += [
                    tuple(Sentence(each.sentence, each.chance) for each in several)
                    for several in split_into_sentences(model, samples, space)
                ]
        if not explained:
            return cls(np.concatenate(counts), None, None, None)
        return cls(np.concatenate(counts), unsupported, missing, sentences)
