"""The tokenizer as the toolkit's class."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from captious.text.tokenizer import tokenize


class PTBTokenizer:
    """Penn Treebank tokens, lower case, without punctuation."""

    def tokenize(
        self, captions_for_image: Mapping[Hashable, Sequence[Mapping[str, Any]]]
    ) -> dict[Hashable, list[str]]:
        """Each image's captions, given as COCO annotations, as tokens with spaces between."""
        return {
            image: [" ".join(tokenize(annotation["caption"])) for annotation in annotations]
            for image, annotations in captions_for_image.items()
        }
