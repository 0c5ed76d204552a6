"""COCOEvalCap: the toolkit's whole evaluation."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from captious.errors import InputError
from captious.metrics.bleu import Bleu
from captious.metrics.cider.cider_d import CiderD
from captious.metrics.meteor.meteor import Meteor
from captious.metrics.rouge_l import RougeL
from captious.pycocoevalcap.spice.spice import category_scores
from captious.scorer import Scorer
from captious.shown import shown

# The toolkit's names for our columns, in the order of its report.
NAMES = {
    "bleu_1": "Bleu_1",
    "bleu_2": "Bleu_2",
    "bleu_3": "Bleu_3",
    "bleu_4": "Bleu_4",
    "meteor": "METEOR",
    "rouge_l": "ROUGE_L",
    "cider_d": "CIDEr",
}


class COCOEvalCap:
    """Scores of results against captions, both given as COCO objects (pycocotools' or ours)."""

    def __init__(self, coco: Any, cocoRes: Any) -> None:  # noqa: N803 - the toolkit's name
        self.coco = coco
        self.cocoRes = cocoRes
        self.params: dict[str, Any] = {"image_id": coco.getImgIds()}
        self.eval: dict[str, float] = {}
        self.imgToEval: dict[Hashable, dict[str, Any]] = {}
        self.evalImgs: list[dict[str, Any]] = []

    def evaluate(self) -> None:
        """Fill `eval` with corpus scores, `imgToEval` and `evalImgs` with each image's."""
        references, candidates = {}, {}
        for image in self.params["image_id"]:
            results = self.cocoRes.imgToAnns.get(image, [])
            if len(results) != 1:
                raise InputError(
                    f"image_id {shown(image)}: {len(results)} results where there must be one; to "
                    "evaluate some images only, set params['image_id'] = results.getImgIds()"
                )
            candidates[image] = results[0]["caption"]
            references[image] = [annotation["caption"] for annotation in self.coco.imgToAnns[image]]
        scorer = Scorer(references, [Bleu(), Meteor(), RougeL(), CiderD()])
        result = scorer.score(candidates)
        each = {name: result.samples[column].tolist() for column, name in NAMES.items()}
        each["SPICE"] = category_scores(scorer, list(candidates.values()))
        self.eval = {name: result.corpus[column] for column, name in NAMES.items()}
        self.eval["SPICE"] = float(np.mean([scores["All"]["f"] for scores in each["SPICE"]]))
        self.imgToEval = {image: {"image_id": image} for image in result.ids}
        for name, values in each.items():
            for image, value in zip(result.ids, values, strict=True):
                self.imgToEval[image][name] = value
        self.evalImgs = list(self.imgToEval.values())
