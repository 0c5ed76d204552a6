"""The tokenizer as pyciderevalcap's class."""

from __future__ import annotations

from typing import Any

from captious._internal.checks.arguments import LIST, check_arguments, check_choice
from captious.errors import InputError, short_repr
from captious.pycocoevalcap.tokenizer import ptbtokenizer
from captious.pycocoevalcap.tokenizer.ptbtokenizer import PUNCTUATIONS

__all__ = ["PUNCTUATIONS", "PTBTokenizer"]


class PTBTokenizer:
    """Tokens of references (`gts`), a dict by image, or of results (`res`), a list of dicts."""

    @check_arguments
    def __init__(self, _source: str = "gts") -> None:
        check_choice("_source", _source, ("gts", "res"))
        self.source = _source

    @check_arguments
    def tokenize(self, captions_for_image: Any) -> Any:
        """References as a dict of lists, results as a list of dicts with a list of one caption."""
        tokenizer = ptbtokenizer.PTBTokenizer()
        if self.source == "gts":
            return tokenizer.tokenize(captions_for_image)
        if not LIST.allows(captions_for_image):
            raise InputError(f"a list of results, not {short_repr(captions_for_image)}")
        results: list[Any] = list(captions_for_image)
        tokenized = tokenizer.tokenize({place: [each] for place, each in enumerate(results, 1)})
        for place, result in enumerate(results, 1):
            if "image_id" not in result:
                raise InputError(f"result {place}: needs an 'image_id'")
        return [
            {"image_id": result["image_id"], "caption": captions}
            for result, captions in zip(results, tokenized.values(), strict=True)
        ]
