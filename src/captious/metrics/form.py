"""Form: whether a caption's words are in a usual order, whatever they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, Ragged, distinct, offsets_of
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
from captious.text.tokens import Tokens
from captious.text.word_order import WordOrder, disorder

DISORDER_WEIGHT = 0.5  # of disorder in the logarithm of the score
SUM_LIMIT = 1 << 32  # of the sums by which repeated sentences are looked for


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
    if not sentences.texts:
        return _sentence_forms(analysis, order)
    has_several = sentences.has_several
    is_all_long = bool(has_several.all())
    forms = np.empty(len(has_several)) if is_all_long else _sentence_forms(analysis, order)
    different, rows = unique_rows(sentences.texts)
    sentence_analysis = Analysis(different, analysis.tokenizer)
    sentence_forms = _sentence_forms(sentence_analysis, order)[rows]
    words = sentence_analysis.layer(Tokens).ids.lengths[rows]
    of_captions = Ragged(rows, sentences.offsets[np.append(True, has_several)])
    owners, count = of_captions.owners, len(of_captions)
    formed = words * sentence_forms
    formed[_repeated_sentences(of_captions, sentence_analysis)] = 0.0
    # One sentence after another: a mean must not depend on how others' sums are rounded.
    sums, totals = np.bincount(owners, formed, count), np.bincount(owners, words, count)
    means = np.divide(sums, totals, out=np.ones(count), where=totals > 0)
    lasts = np.where(totals > 0, sentence_forms[of_captions.offsets[1:] - 1], 1.0)
    forms[has_several] = np.minimum(means, lasts)
    return forms


def _repeated_sentences(of_captions: Ragged, analysis: Analysis) -> list[int]:
    """Return which sentences have the words of an earlier one of the same caption.

    Few captions have any: those that may are known by the sums of their word ids.
    """
    ids = analysis.layer(Tokens).ids
    sums = offsets_of(ids.values.astype(np.int64) ** 2)[ids.offsets]
    remainders = np.diff(sums)[of_captions.values] % SUM_LIMIT
    keys = np.sort(of_captions.owners * SUM_LIMIT + remainders)
    repeated: list[int] = []
    for row in distinct(keys[1:][keys[1:] == keys[:-1]] // SUM_LIMIT).tolist():
        seen: set[bytes] = set()
        for place in range(*of_captions.offsets[row : row + 2].tolist()):
            sentence = of_captions.values[place]
            start, end = ids.offsets[sentence : sentence + 2].tolist()
            if (words := ids.values[start:end].tobytes()) in seen:
                repeated.append(place)
            seen.add(words)
    return repeated


def _sentence_forms(analysis: Analysis, order: WordOrder) -> FloatArray:
    forms: FloatArray = np.exp(-DISORDER_WEIGHT * disorder(analysis, order))
    return forms
