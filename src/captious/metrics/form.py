"""Form: whether a caption's words stand in an order that captions have, whatever they say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.metrics.base import Metric, averaged
from captious.metrics.consensus.caption_space import (
    DomainSource,
    check_domain,
    domain_parameter,
    domain_signature,
)
from captious.samples import Samples, unique_rows
from captious.text.analysis import Analysis
from captious.text.domain import load_order
from captious.text.sentences import Sentences
from captious.text.tokens import Tokens, word_sequences
from captious.text.word_order import WordOrder, disorder

DISORDER_WEIGHT = 0.5  # disorder is measured so as to be found; it need not be all that counts


@dataclass(frozen=True)
class Form(Metric):
    """1 for captions in the usual order, down to 0 for shuffled, repetitive or cut-off ones.

    Of several sentences it is the mean, weighted by words, with 0 for a repeated sentence, and at
    most that of the last sentence, where a caption that is cut off ends. It uses no references.
    99.5 % of human captions score 1.
    """

    domain: DomainSource = domain_parameter()

    name = "form"
    without_references = ("form",)
    description = "fluency of the word order, without references; 1 for nearly all captions"
    english = "its order of words"
    language_free_with = ("domain",)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_domain(self.domain)

    def statistics(self, samples: Samples, prepared: None) -> FloatArray:
        """The score of each sample."""
        return averaged(form_scores(samples.candidates, load_order(self.domain))[samples.rows])

    def depends_on(self) -> dict[str, Any]:
        """The table of word order."""
        if self.domain is not None:
            return domain_signature(self.domain)
        return {"order": load_order(None).fingerprint}


def form_scores(analysis: Analysis, order: WordOrder) -> FloatArray:
    """The form of each caption of an analysis."""
    every = _sentence_forms(analysis, order)
    cut = analysis.layer(Sentences)
    if not cut.several:
        return every
    flat, rows = unique_rows([each for several in cut.several.values() for each in several])
    sentences = Analysis(flat, analysis.tokenizer)
    alone, words = _sentence_forms(sentences, order), sentences.layer(Tokens).ids.lengths
    said = word_sequences(sentences)
    start = 0
    for row, several in cut.several.items():
        mine = rows[start : start + len(several)].tolist()
        start += len(several)
        seen: set[bytes] = set()
        total = formed = 0.0
        for each in mine:
            total += words[each]
            if said[each] not in seen:
                seen.add(said[each])
                formed += words[each] * alone[each]
        every[row] = min(formed / total, alone[mine[-1]]) if total else 1.0
    return every


def _sentence_forms(analysis: Analysis, order: WordOrder) -> FloatArray:
    formed: FloatArray = np.exp(-DISORDER_WEIGHT * disorder(analysis, order))
    return formed
