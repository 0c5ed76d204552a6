"""The whole evaluation: captions are analysed once, whatever the scorers are."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import pytest

from captious.pycocoevalcap import eval as eval_module
from captious.pycocoevalcap import quiet
from captious.pycocoevalcap.coco import COCO
from captious.pycocoevalcap.eval import Bleu, Cider, COCOEvalCap, Meteor, Rouge, Spice
from captious.pycocoevalcap.tokenized import sorted_ids
from captious.text.analysis import TOKENIZERS
from captious.text.tokenizer.chunks import Chunks

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")

REFERENCES = {
    7: ["A dog runs on the beach.", "A brown dog by the sea."],
    3: ["A cat sleeps on a sofa.", "The cat is on a red sofa."],
    5: ["Two men ride horses.", "Men on two brown horses."],
}
RESULTS = {7: "A dog on the beach.", 3: "A cat on a sofa.", 5: "Two men and a horse."}


@pytest.fixture
def evaluation() -> COCOEvalCap:
    coco = COCO()
    coco.dataset = {
        "images": [{"id": image} for image in REFERENCES],
        "annotations": [
            {"id": 10 * image + place, "image_id": image, "caption": caption}
            for image, captions in REFERENCES.items()
            for place, caption in enumerate(captions)
        ],
    }
    coco.createIndex()
    results = coco.loadRes([{"image_id": i, "caption": text} for i, text in RESULTS.items()])
    return COCOEvalCap(coco, results)


def scorers() -> list[tuple[Any, Any]]:
    return [
        (Bleu(4), ["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4"]),
        (Meteor(), "METEOR"),
        (Rouge(), "ROUGE_L"),
        (Cider(), "CIDEr"),
        (Spice(), "SPICE"),
    ]


def test_captions_are_tokenized_once(
    evaluation: COCOEvalCap, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = TOKENIZERS["whitespace"]
    sizes: list[int] = []

    def counted(captions: Sequence[str]) -> Chunks:
        sizes.append(len(captions))
        return cut(captions)

    monkeypatch.setitem(TOKENIZERS, "whitespace", counted)
    with quiet():
        evaluation.evaluate_with(lambda: scorers()[:4])
    assert sorted(sizes) == [3, 6]  # candidates, references


@pytest.mark.slow
def test_scores_are_those_of_each_class_alone(evaluation: COCOEvalCap) -> None:
    with quiet():
        evaluation.evaluate()
        tokenizer = eval_module.PTBTokenizer()
        gts, res = map(tokenizer.tokenize, evaluation.annotations())
        for scorer, method in scorers():
            score, scores = scorer.compute_score(gts, res)
            if isinstance(method, str):
                score, scores, method = [score], [scores], [method]
            ids = sorted_ids(gts) if isinstance(scorer, Spice) else list(gts)
            for name, one, each in zip(method, score, scores, strict=True):
                assert evaluation.eval[name] == one
                kept = {image: evaluation.imgToEval[image][name] for image in ids}
                assert repr(list(kept.values())) == repr(list(each))  # NaN is not equal to itself


def test_a_scorer_that_changes_captions_changes_what_the_next_one_scores(
    evaluation: COCOEvalCap,
) -> None:
    class Changed(Rouge):
        def compute_score(self, gts: Any, res: Any) -> Any:
            before = super().compute_score(gts, res)
            gts[3][0] = "nothing at all"
            res[5] = ["something else"]
            return before

    seen: dict[str, tuple[Mapping[Hashable, Any], ...]] = {}

    class Seen(Cider):
        def compute_score(self, gts: Any, res: Any) -> Any:
            seen["captions"] = (dict(gts), dict(res))
            return super().compute_score(gts, res)

    with quiet():
        evaluation.evaluate_with(
            lambda: [(Cider(), "first"), (Changed(), "ROUGE_L"), (Seen(), "second")]
        )
    expected, each = Cider().compute_score(*seen["captions"])
    assert evaluation.eval["second"] == expected != evaluation.eval["first"]
    assert [evaluation.imgToEval[image]["second"] for image in REFERENCES] == each.tolist()


def test_the_names_of_the_module_are_what_is_called(
    evaluation: COCOEvalCap, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Nothing(Meteor):
        def compute_score(self, gts: Any, res: Any) -> tuple[float, list[float]]:
            return 0.0, [0.0] * len(gts)

    monkeypatch.setattr(eval_module, "Meteor", Nothing)
    with quiet():
        evaluation.evaluate()
    assert evaluation.eval["METEOR"] == 0.0 < evaluation.eval["CIDEr"]
