"""The tokenizer, called without being made."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from captious._internal.checks.arguments import LIST, check_arguments
from captious.errors import InputError, short_repr
from captious.pycocoevalcap.tokenizer.ptbtokenizer import PUNCTUATIONS, tokenized_caption


class PTBTokenizer:
    """Penn Treebank tokens, lower case, without punctuation."""

    punctuations = PUNCTUATIONS

    @classmethod
    @check_arguments
    def tokenize(cls, corpus: Mapping[Any, Any] | Sequence[Any]) -> dict[Hashable, list[str]]:
        """Captions by id as tokens with spaces between.

        `corpus` is a dict from ids to captions, or a list, whose places are then the ids. Each
        entry is a caption or a list of them.
        """
        entries = corpus if isinstance(corpus, Mapping) else dict(enumerate(corpus))
        return {
            image: [tokenized_caption(caption) for caption in _captions(image, given)]
            for image, given in entries.items()
        }


def _captions(image: Hashable, given: Any) -> list[str]:
    captions = [given] if isinstance(given, str) else given
    if not LIST.allows(captions) or not all(isinstance(caption, str) for caption in captions):
        raise InputError(
            f"id {short_repr(image)}: a caption or a list of captions, not {short_repr(given)}"
        )
    return list(captions)
