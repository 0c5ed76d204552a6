"""COCOEvalCap: the toolkit's whole evaluation."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError, short_repr
from captious.pycocoevalcap.bleu.bleu import Bleu
from captious.pycocoevalcap.cider.cider import Cider
from captious.pycocoevalcap.console import print_line
from captious.pycocoevalcap.meteor.meteor import Meteor
from captious.pycocoevalcap.rouge.rouge import Rouge
from captious.pycocoevalcap.spice.spice import Spice
from captious.pycocoevalcap.tokenized import TokenizedCaptions, sorted_ids
from captious.pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer
from captious.samples import share_analysis

__all__ = ["Bleu", "COCOEvalCap", "Cider", "Meteor", "PTBTokenizer", "Rouge", "Spice"]

Annotations = dict[Hashable, list[dict[str, Any]]]


class COCOEvalCap:
    """Scores of results against captions, both given as COCO objects (pycocotools' or ours)."""

    def __init__(self, coco: Any, cocoRes: Any) -> None:  # noqa: N803 - the toolkit's name
        self.evalImgs: list[dict[str, Any]] = []
        self.eval: dict[str, float] = {}
        self.imgToEval: dict[Hashable, dict[str, Any]] = {}
        self.coco = coco
        self.cocoRes = cocoRes
        self.params: dict[str, Any] = {"image_id": coco.getImgIds()}

    def evaluate(self) -> None:
        """Fill `eval` with corpus scores, `imgToEval` and `evalImgs` with each image's."""
        self.evaluate_with(
            lambda: [
                (Bleu(4), ["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4"]),
                (Meteor(), "METEOR"),
                (Rouge(), "ROUGE_L"),
                (Cider(), "CIDEr"),
                (Spice(), "SPICE"),
            ]
        )

    def evaluate_with(self, make_scorers: Any) -> None:
        """The same with other scorers, each with its name or its list of names."""
        references, candidates = self.annotations()
        print_line("tokenization...")
        tokenizer = PTBTokenizer()
        gts, res = tokenizer.tokenize(references), tokenizer.tokenize(candidates)
        print_line("setting up scorers...")
        with share_analysis():
            self._score_with(make_scorers(), gts, res)
        self.setEvalImgs()

    def _score_with(self, scorers: Any, gts: TokenizedCaptions, res: TokenizedCaptions) -> None:
        for scorer, method in scorers:
            print_line(f"computing {scorer.method()} score...")
            score, scores = scorer.compute_score(gts, res)
            # SPICE gives its scores in the order of sorted ids. The toolkit takes them for being in
            # the images' own order, and so gives images each other's.
            ids = sorted_ids(gts) if isinstance(scorer, Spice) else gts.keys()
            several = isinstance(method, list)
            for name, one, each in (
                zip(method, score, scores, strict=False) if several else [(method, score, scores)]
            ):
                self.setEval(one, name)
                self.setImgToEvalImgs(each, ids, name)
                print_line(f"{name}: {one:0.3f}")

    def annotations(self) -> tuple[Annotations, Annotations]:
        """The captions and the results of the images in `params`, one result each."""
        images = self.params["image_id"]
        for image in images:
            self.check_results(image, len(self.cocoRes.imgToAnns.get(image, [])))
        return (
            {image: self.coco.imgToAnns[image] for image in images},
            {image: self.cocoRes.imgToAnns[image] for image in images},
        )

    def check_results(self, image: Hashable, number: int) -> None:
        """An error names an image that has no result, or several."""
        if number != 1:
            raise InputError(
                f"image_id {short_repr(image)}: {number} results where there must be one; to "
                "evaluate some images only, set params['image_id'] = results.getImgIds()"
            )

    def setEval(self, score: float, method: str) -> None:  # noqa: N802 - the toolkit's name
        """Keep a corpus score."""
        self.eval[method] = score

    @check_arguments
    def setImgToEvalImgs(  # noqa: N802 - the toolkit's name
        self,
        scores: Iterable[Any],
        imgIds: Iterable[Hashable],  # noqa: N803 - the toolkit's name
        method: str,
    ) -> None:
        """Keep a metric's score of each image."""
        for image, score in zip(imgIds, scores, strict=False):
            if not isinstance(image, Hashable):
                raise InputError(f"imgIds: ids, not {short_repr(image)}")
            self.imgToEval.setdefault(image, {"image_id": image})[method] = score

    def setEvalImgs(self) -> None:  # noqa: N802 - the toolkit's name
        """List what is kept of each image."""
        self.evalImgs = list(self.imgToEval.values())
