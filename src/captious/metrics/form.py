"""Form: whether a caption's words are in a usual order, whatever they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.metrics.base import Metric, mean_statistics
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

DISORDER_WEIGHT = 0.5  # of disorder in the logarithm of the score


@dataclass(frozen=True)
class Form(Metric):
    """1 for captions in the usual order, down to 0 for shuffled, repetitive or cut-off ones.

    Of several sentences it is the mean, weighted by words, with 0 for a repeated sentence, and at
    most that of the last sentence, where a caption that is cut off ends. It uses no references.
    99.5% of human captions score 1.
    """

    domain: DomainSource = domain_parameter()

    name = "form"
    reference_free_columns = ("form",)
    description = "fluency of the word order, without references; 1 for nearly all captions"
    english = "its order of words"
    language_free_with = ("domain",)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_domain(self.domain)

    def statistics(self, samples: Samples, prepared: None) -> FloatArray:
        """The score of each sample."""
        scores = form_scores(samples.candidates, load_order(self.domain))
        return mean_statistics(scores[samples.rows])

    def depends_on(self) -> dict[str, Any]:
        """The table of word order."""
        if self.domain is not None:
            return domain_signature(self.domain)
        return {"order": load_order(None).fingerprint}


def form_scores(analysis: Analysis, order: WordOrder) -> FloatArray:
    """The form of each caption of an analysis."""
    sentences = analysis.layer(Sentences)
    if not sentences.several:
        return _sentence_forms(analysis, order)
    is_short = ~sentences.has_several
    forms = _sentence_forms(analysis, order) if is_short.any() else np.empty(len(is_short))
    flat, rows = unique_rows([each for several in sentences.several.values() for each in several])
    sentence_analysis = Analysis(flat, analysis.tokenizer)
    sentence_forms = _sentence_forms(sentence_analysis, order)
    words = sentence_analysis.layer(Tokens).ids.lengths
    sequences = word_sequences(sentence_analysis)
    start = 0
    for row, several in sentences.several.items():
        sentence_rows = rows[start : start + len(several)].tolist()
        start += len(several)
        seen: set[bytes] = set()
        total = formed = 0.0
        for each in sentence_rows:
            total += words[each]
            if sequences[each] not in seen:
                seen.add(sequences[each])
                formed += words[each] * sentence_forms[each]
        forms[row] = min(formed / total, sentence_forms[sentence_rows[-1]]) if total else 1.0
    return forms


def _sentence_forms(analysis: Analysis, order: WordOrder) -> FloatArray:
    forms: FloatArray = np.exp(-DISORDER_WEIGHT * disorder(analysis, order))
    return forms
