"""Score captions in the toolkit's format: dicts from id to lists of tokenized captions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from captious._internal.checks.arguments import LIST
from captious.corpus import Corpus
from captious.errors import InputError, short_repr
from captious.metrics.base import Metric
from captious.result import Result
from captious.scorer import score

TokenizedCaptions = Mapping[Any, Sequence[str]]


def score_tokenized(
    references: TokenizedCaptions, candidates: TokenizedCaptions, metrics: Sequence[Metric]
) -> Result:
    """Score one tokenized candidate per id, in the order of the references."""
    return score(tokenized_corpus(references, candidates), metrics=metrics, tokenizer="whitespace")


def tokenized_corpus(references: TokenizedCaptions, candidates: TokenizedCaptions) -> Corpus:
    """Return a checked corpus of one tokenized candidate per id and its references."""
    check_ids(references, candidates)
    for image, captions in candidates.items():
        if not LIST.allows(captions) or len(captions) != 1:
            raise InputError(
                f"id {short_repr(image)}: there must be a list of exactly one candidate"
            )
    return Corpus.of({image: candidates[image][0] for image in references}, references)


def check_ids(references: TokenizedCaptions, candidates: TokenizedCaptions) -> None:
    """Raise an error unless references and candidates have the same ids."""
    if references.keys() != candidates.keys():
        raise InputError("references and candidates must have the same ids")


def sorted_ids(ids: Iterable[Any]) -> list[Any]:
    """Sort ids as the toolkit does for SPICE's scores."""
    try:
        return sorted(ids)
    except TypeError:
        raise InputError("ids must all be numbers, or all texts, to be sorted") from None
