"""SPICE alone, of one or several candidates an image, as forks of coco-caption have it.

Several candidates give what is called AllSPICE: what all of them say together, beside what all
references say.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError, short_repr
from captious.pycocoevalcap.console import print_line
from captious.pycocoevalcap.eval import COCOEvalCap
from captious.pycocoevalcap.spice.spice import CategoryScores
from captious.pycocoevalcap.spice.spice import Spice as SpiceOfOne
from captious.pycocoevalcap.tokenized import TokenizedCaptions, sorted_ids
from captious.pycocoevalcap.tokenizer.ptbtokenizer import AnnotatedCaptions, PTBTokenizer


class Spice(SpiceOfOne):
    """SPICE of any number of candidates an image, taken together."""

    @check_arguments
    def compute_score(
        self, gts: TokenizedCaptions, res: TokenizedCaptions
    ) -> tuple[np.float64, list[CategoryScores]]:
        """The mean, and each image's scores by category, in the order of sorted ids."""
        return self.score_together(gts, res)


class SpiceEval:
    """SPICE of captions that are not tokenized yet."""

    def __init__(self) -> None:
        self.evalImgs: list[dict[str, Any]] = []
        self.eval: dict[str, float] = {}
        self.imgToEval: dict[Hashable, dict[str, Any]] = {}
        self.spice = Spice()
        self.tokenizer = PTBTokenizer()

    @check_arguments
    def evaluate(
        self, gts: AnnotatedCaptions, res: AnnotatedCaptions
    ) -> tuple[float, dict[Hashable, dict[str, Any]]]:
        """The mean, and each image's scores, of captions given as COCO annotations."""
        print_line(f"computing {self.spice.method()} score...")
        references, candidates = self.tokenizer.tokenize(gts), self.tokenizer.tokenize(res)
        mean, scores = self.spice.compute_score(references, candidates)
        print_line(f"spice: {mean:0.3f}")
        self.eval["spice"] = mean
        print_line(scores)
        for image, score in zip(sorted_ids(references), scores, strict=True):
            self.imgToEval.setdefault(image, {"image_id": image})["spice"] = score
        return mean, self.imgToEval


class COCOEvalCapSpice(COCOEvalCap):
    """The toolkit's evaluation, with SPICE alone."""

    def __init__(self, coco: Any, cocoRes: Any) -> None:  # noqa: N803 - the toolkit's name
        super().__init__(coco, cocoRes)
        self.Spice = Spice()

    def evaluate(self) -> None:
        """Fill `eval`, `imgToEval` and `evalImgs`."""
        self.evaluate_with(lambda: [(self.Spice, "SPICE")])

    def check_results(self, image: Hashable, number: int) -> None:
        """An error names an image that has no result."""
        if not number:
            raise InputError(
                f"image_id {short_repr(image)}: no result; to evaluate some images only, set "
                "params['image_id'] = results.getImgIds()"
            )
