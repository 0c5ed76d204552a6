"""Results of pycocoevalcap: tokens, and every metric's scores of samples and of the corpus."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from compare_tokenizer import find_jar, java_tokens
from toolkit_comparison.samples import Sample

COLUMNS = ("bleu_1", "bleu_2", "bleu_3", "bleu_4", "rouge_l", "cider_d", "meteor")


def tokenize_samples(samples: Sequence[Sample]) -> list[Sample]:
    """The samples as the toolkit's tokenizer cuts them, a blank between tokens."""
    texts = [text for sample in samples for text in (sample.candidate, *sample.references)]
    tokens = map(" ".join, java_tokens(texts, find_jar()))
    return [
        Sample(next(tokens), tuple(next(tokens) for _ in sample.references)) for sample in samples
    ]


def score_samples(samples: Sequence[Sample]) -> tuple[dict[str, np.ndarray], dict[str, float]]:
    """The toolkit's scores of tokenized samples, and of the corpus that they are."""
    from pycocoevalcap.bleu.bleu import Bleu
    from pycocoevalcap.cider.cider import Cider
    from pycocoevalcap.meteor.meteor import Meteor
    from pycocoevalcap.rouge.rouge import Rouge

    references = {place: list(sample.references) for place, sample in enumerate(samples)}
    candidates = {place: [sample.candidate] for place, sample in enumerate(samples)}
    corpus, each = Bleu(4).compute_score(references, candidates, verbose=0)
    corpora, found = list(corpus), list(each)
    for metric in (Rouge(), Cider(), Meteor()):
        corpus, each = metric.compute_score(references, candidates)
        corpora.append(corpus)
        found.append(each)
    return (
        {name: np.array(values, float) for name, values in zip(COLUMNS, found, strict=True)},
        {name: float(value) for name, value in zip(COLUMNS, corpora, strict=True)},
    )
