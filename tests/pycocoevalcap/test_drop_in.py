"""Existing evaluation code with only its imports changed."""

from __future__ import annotations

import json
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import captious
from captious.errors import InputError
from captious.pycocoevalcap.bleu.bleu import Bleu
from captious.pycocoevalcap.cider.cider import Cider
from captious.pycocoevalcap.coco import COCO
from captious.pycocoevalcap.eval import COCOEvalCap
from captious.pycocoevalcap.meteor.meteor import Meteor
from captious.pycocoevalcap.rouge.rouge import Rouge
from captious.pycocoevalcap.spice.spice import Spice
from captious.pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")


@pytest.fixture
def files(tmp_path: Path, candidates: dict[str, str], references: dict[str, list[str]]) -> Path:
    annotations = [
        {"image_id": number, "id": 10 * number + place, "caption": caption}
        for number, captions in enumerate(references.values())
        for place, caption in enumerate(captions)
    ]
    results = [
        {"image_id": number, "caption": caption}
        for number, caption in enumerate(candidates.values())
    ]
    (tmp_path / "captions.json").write_text(json.dumps({"annotations": annotations}))
    (tmp_path / "results.json").write_text(json.dumps(results[:20]))
    return tmp_path


@pytest.mark.slow
def test_the_toolkits_example_script(
    files: Path, candidates: dict[str, str], references: dict[str, list[str]]
) -> None:
    annotation_file = str(files / "captions.json")
    results_file = str(files / "results.json")
    coco = COCO(annotation_file)
    coco_result = coco.loadRes(results_file)
    coco_eval = COCOEvalCap(coco, coco_result)
    coco_eval.params["image_id"] = coco_result.getImgIds()
    coco_eval.evaluate()

    ids = list(candidates)[:20]
    expected = captious.score({i: candidates[i] for i in ids}, {i: references[i] for i in ids})
    assert list(coco_eval.eval) == [
        "Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "METEOR", "ROUGE_L", "CIDEr", "SPICE",
    ]  # fmt: skip
    assert coco_eval.eval["CIDEr"] == expected.corpus["cider_d"]
    assert coco_eval.evalImgs[3]["METEOR"] == expected.samples["meteor"][3]
    assert coco_eval.imgToEval[5]["image_id"] == 5
    assert coco_eval.eval["SPICE"] == pytest.approx(expected.corpus["spice"])
    assert coco_eval.imgToEval[5]["SPICE"]["All"]["f"] == expected.samples["spice"][5]


def test_each_class_takes_and_returns_what_the_toolkits_does(
    candidates: dict[str, str], references: dict[str, list[str]]
) -> None:
    tokenizer = PTBTokenizer()
    gts = tokenizer.tokenize({i: [{"caption": c} for c in r] for i, r in references.items()})
    res = tokenizer.tokenize({i: [{"caption": c}] for i, c in candidates.items()})
    assert gts["pizza-oven"][1] == "a chef puts a pizza in the wood-fired oven"
    expected = captious.score(candidates, references)
    score, scores = Bleu(4).compute_score(gts, res, verbose=0)
    assert score == [expected.corpus[f"bleu_{n}"] for n in (1, 2, 3, 4)]
    assert scores[3] == expected.samples["bleu_4"].tolist()
    assert len(Bleu(2).compute_score(gts, res)[0]) == 2
    scorer: Any
    for scorer, column, method in [
        (Rouge(), "rouge_l", "Rouge"),
        (Cider(), "cider_d", "CIDEr"),
        (Meteor(), "meteor", "METEOR"),
    ]:
        score, scores = scorer.compute_score(gts, res)
        assert score == expected.corpus[column]
        assert np.array(scores).tolist() == expected.samples[column].tolist()
        assert scorer.method() == method
    assert Rouge().calc_score(["a dog"], ["a dog"]) == 1.0


def test_spice_has_the_toolkits_dictionaries() -> None:
    gts: dict[Hashable, list[str]] = {
        2: ["a brown dog on a sofa", "two dogs"],
        1: ["a cat", "a big cat on a bench"],
    }
    res: dict[Hashable, list[str]] = {1: ["a cat on a red mat"], 2: ["a brown dog"]}
    score, scores = Spice().compute_score(gts, res)
    assert Spice().method() == "SPICE"
    assert score == pytest.approx(np.mean([each["All"]["f"] for each in scores]))
    # In the order of sorted ids: 1 first. Candidate: cat, mat, red, on; references: cat, bench,
    # big, on.
    cat, dog = scores
    assert set(cat) == {"All", "Object", "Attribute", "Relation", "Color", "Cardinality", "Size"}
    assert cat["All"] == {
        "pr": 0.25, "re": 0.25, "f": 0.25, "fn": 3.0, "numImages": 1.0, "fp": 3.0, "tp": 1.0,
    }  # fmt: skip
    assert cat["Object"]["f"] == 0.5
    assert np.isnan([cat["Color"]["f"], cat["Cardinality"]["pr"]]).all()
    assert (cat["Color"]["fp"], cat["Size"]["fn"], cat["Size"]["f"]) == (1.0, 1.0, 0.0)
    assert dog["Color"]["f"] == 1.0


def test_invalid_arguments_raise_errors(files: Path) -> None:
    coco = COCO(files / "captions.json")
    with pytest.raises(InputError, match="params"):
        COCOEvalCap(coco, coco.loadRes(files / "results.json")).evaluate()
    with pytest.raises(InputError, match="has a result but no captions"):
        coco.loadRes([{"image_id": 999, "caption": "x"}])
    with pytest.raises(InputError, match="same ids"):
        Rouge().compute_score({1: ["a"]}, {2: ["a"]})
    with pytest.raises(InputError, match="exactly one"):
        Rouge().compute_score({1: ["a"]}, {1: ["a", "b"]})
    with pytest.raises(InputError, match="from 1 up to 4"):
        Bleu(5)
