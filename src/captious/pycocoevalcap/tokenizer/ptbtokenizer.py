"""The tokenizer as the toolkit's class."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from captious._internal.checks.arguments import ITERABLE, check_arguments
from captious.errors import InputError, short_repr
from captious.text.tokenizer.tokenizer import tokenize

# What the toolkit removes; the bracket names are in its list and never met, in capitals.
PUNCTUATIONS = [
    "''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-",
    ".", "?", "!", ",", ":", "-", "--", "...", ";",
]  # fmt: skip

AnnotatedCaptions = Mapping[Any, Sequence[Mapping[str, Any]]]


class PTBTokenizer:
    """Penn Treebank tokens, lower case, without punctuation."""

    @check_arguments
    def tokenize(self, captions_for_image: AnnotatedCaptions) -> dict[Hashable, list[str]]:
        """Each image's captions, given as COCO annotations, as tokens with spaces between."""
        return {
            image: [tokenized_caption(caption) for caption in _captions(image, annotations)]
            for image, annotations in captions_for_image.items()
        }


def tokenized_caption(caption: str) -> str:
    """A caption's tokens with spaces between."""
    return " ".join(tokenize(caption))


def _captions(image: Hashable, annotations: Any) -> list[str]:
    captions: list[Any] = [
        annotation.get("caption") if isinstance(annotation, Mapping) else None
        for annotation in (annotations if ITERABLE.allows(annotations) else [None])
    ]
    if not all(isinstance(caption, str) for caption in captions):
        raise InputError(
            f"id {short_repr(image)}: a list of annotations, each a dict with a 'caption' of text, "
            f"not {short_repr(annotations)}"
        )
    return captions
