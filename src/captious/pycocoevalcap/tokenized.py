"""Scores of captions in the toolkit's form: dicts from id to lists of tokenised captions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from captious.checks.kinds import LIST
from captious.corpus import Corpus
from captious.errors import InputError
from captious.metrics.base import Metric
from captious.result import Result
from captious.scorer import score
from captious.shown import shown

TokenizedCaptions = Mapping[Hashable, Sequence[str]]


def score_tokenized(
    references: TokenizedCaptions, candidates: TokenizedCaptions, metrics: Sequence[Metric]
) -> Result:
    """Score one tokenised candidate an id, in the order of the references."""
    return score(tokenized_corpus(references, candidates), metrics=metrics, tokenizer="whitespace")


def tokenized_corpus(references: TokenizedCaptions, candidates: TokenizedCaptions) -> Corpus:
    """One tokenised candidate an id beside its references, checked."""
    if references.keys() != candidates.keys():
        raise InputError("references and candidates must have the same ids")
    for image, captions in candidates.items():
        if not LIST.allows(captions) or len(captions) != 1:
            raise InputError(f"id {shown(image)}: there must be a list of exactly one candidate")
    return Corpus.of({image: candidates[image][0] for image in references}, references)
