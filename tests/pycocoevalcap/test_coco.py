"""pycocotools' COCO, as far as captions go."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from captious.errors import InputError
from captious.pycocoevalcap import quiet
from captious.pycocoevalcap.coco import COCO
from captious.pycocoevalcap.eval import COCOEvalCap
from captious.pycocoevalcap.eval_spice import COCOEvalCapSpice, SpiceEval
from captious.pycocoevalcap.rouge.rouge import Rouge

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")

DATASET: dict[str, Any] = {
    "info": {"year": 2014},
    "images": [{"id": 7, "file_name": "seven.jpg"}, {"id": 2, "file_name": "two.jpg"}, {"id": 9}],
    "annotations": [
        {"id": 10, "image_id": 7, "caption": "A dog runs."},
        {"id": 11, "image_id": 2, "caption": "A red bus on a street."},
        {"id": 12, "image_id": 7, "caption": "The brown dog."},
    ],
}
RESULTS = [{"image_id": 7, "caption": "a brown dog"}, {"image_id": 2, "caption": "a bus"}]


@pytest.fixture
def coco(tmp_path: Path) -> COCO:
    path = tmp_path / "captions.json"
    path.write_text(json.dumps(DATASET))
    return COCO(path)


def test_the_index(coco: COCO) -> None:
    assert coco.dataset == DATASET
    assert coco.getImgIds() == [7, 2, 9]  # an image without captions too
    assert coco.getImgIds(imgIds=[2]) == coco.getImgIds(2) == [2]
    assert coco.getAnnIds(imgIds=7) == [10, 12]
    assert coco.getAnnIds() == [10, 11, 12]
    assert coco.loadAnns([12, 11])[0]["caption"] == "The brown dog."
    assert coco.loadAnns(10) == [DATASET["annotations"][0]]
    assert coco.loadImgs(7)[0]["file_name"] == "seven.jpg"
    assert [each["id"] for each in coco.imgToAnns[7]] == [10, 12]
    assert coco.anns[11]["image_id"] == 2
    with pytest.raises(InputError, match="annotation 5: there is none of this id"):
        coco.loadAnns(5)


def test_a_dataset_is_indexed_by_hand() -> None:
    coco = COCO()
    coco.dataset = {"annotations": [{"image_id": 1, "caption": "a"}], "images": [{"id": 1}]}
    coco.createIndex()
    assert coco.anns[1]["caption"] == "a"
    assert coco.loadRes([{"image_id": 1, "caption": "b"}]).imgToAnns[1][0]["id"] == 1


def test_categories() -> None:
    coco = COCO()
    coco.dataset = {
        "images": [{"id": 1}, {"id": 2}],
        "categories": [
            {"id": 3, "name": "dog", "supercategory": "animal"},
            {"id": 4, "name": "cat", "supercategory": "animal"},
        ],
        "annotations": [
            {"id": 1, "image_id": 1, "category_id": 3, "area": 5.0, "iscrowd": 0},
            {"id": 2, "image_id": 1, "category_id": 4, "area": 50.0, "iscrowd": 1},
            {"id": 3, "image_id": 2, "category_id": 4, "area": 9.0, "iscrowd": 0},
        ],
    }
    coco.createIndex()
    assert coco.getCatIds(catNms="cat") == [4]
    assert coco.getCatIds(supNms=["animal"], catIds=[3]) == [3]
    assert coco.loadCats(3)[0]["name"] == "dog"
    assert coco.getImgIds(catIds=[3, 4]) == [1]
    assert coco.getAnnIds(catIds=4, areaRng=[1, 10]) == [3]
    assert coco.getAnnIds(iscrowd=True) == [2]


def test_results_have_their_images_alone(coco: COCO) -> None:
    given = [dict(result, score=0.5) for result in RESULTS[:1]]
    results = coco.loadRes(given)
    assert results.getImgIds() == [7]
    assert results.dataset["annotations"] == [{**given[0], "id": 1}]
    assert results.dataset["info"] == {"year": 2014}
    assert "id" not in given[0]
    with pytest.raises(InputError, match="image_id 9999"):
        coco.loadRes([{"image_id": 9999, "caption": "a"}])
    with pytest.raises(InputError, match="no results"):
        coco.loadRes([])


def test_lines_are_the_toolkits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "captions.json"
    path.write_text(json.dumps(DATASET))
    coco = COCO(path)
    results = coco.loadRes(RESULTS)
    evaluation = COCOEvalCap(coco, results)
    evaluation.params["image_id"] = results.getImgIds()
    evaluation.evaluate()
    coco.info()
    coco.showAnns(coco.loadAnns(10))
    scores = {name: f"{name}: {score:.3f}" for name, score in evaluation.eval.items()}
    printed = re.sub(r"t=\d+\.\d\ds", "t=s", capsys.readouterr().out).splitlines()
    ratio = printed.pop(12)
    assert ratio.startswith("ratio: 0.5555555")
    assert printed == [
        "loading annotations into memory...",
        "Done (t=s)",
        "creating index...",
        "index created!",
        "Loading and preparing results...",
        "DONE (t=s)",
        "creating index...",
        "index created!",
        "tokenization...",
        "setting up scorers...",
        "computing Bleu score...",
        "{'testlen': 5, 'reflen': 9, 'guess': [5, 3, 1, 0], 'correct': [5, 1, 0, 0]}",
        *(scores[f"Bleu_{n}"] for n in (1, 2, 3, 4)),
        "computing METEOR score...",
        scores["METEOR"],
        "computing Rouge score...",
        scores["ROUGE_L"],
        "computing CIDEr score...",
        scores["CIDEr"],
        "computing SPICE score...",
        scores["SPICE"],
        "year: 2014",
        "A dog runs.",
    ]


def test_quiet_is_quiet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "captions.json"
    path.write_text(json.dumps(DATASET))
    with quiet():
        COCO(path)
    assert capsys.readouterr().out == ""
    COCO(path)
    assert capsys.readouterr().out != ""


def test_an_evaluation_is_derived(coco: COCO) -> None:
    class RougeAlone(COCOEvalCap):
        def evaluate(self) -> None:
            gts = {image: ["a dog", "the dog"] for image in self.params["image_id"]}
            res = {image: ["a dog"] for image in self.params["image_id"]}
            score, scores = Rouge().compute_score(gts, res)
            self.setEval(score, "ROUGE_L")
            self.setImgToEvalImgs(scores, gts.keys(), "ROUGE_L")
            self.setEvalImgs()

    evaluation = RougeAlone(coco, coco.loadRes(RESULTS))
    evaluation.evaluate()
    assert evaluation.eval == {"ROUGE_L": 1.0}
    assert evaluation.evalImgs == [{"image_id": image, "ROUGE_L": 1.0} for image in (7, 2, 9)]


def test_each_image_gets_its_own_spice(coco: COCO) -> None:
    results = coco.loadRes([RESULTS[0], {"image_id": 2, "caption": "a man"}])
    evaluation = COCOEvalCap(coco, results)
    evaluation.params["image_id"] = results.getImgIds()
    assert evaluation.params["image_id"] == [7, 2]  # in no order, as in COCO's own files
    evaluation.evaluate()
    assert evaluation.imgToEval[7]["SPICE"]["All"]["f"] > 0
    assert evaluation.imgToEval[2]["SPICE"]["All"]["f"] == 0


def test_spice_of_several_candidates_together(coco: COCO) -> None:
    results = coco.loadRes([*RESULTS, {"image_id": 7, "caption": "a dog runs"}])
    evaluation = COCOEvalCapSpice(coco, results)
    evaluation.params["image_id"] = results.getImgIds()
    evaluation.evaluate()
    assert list(evaluation.eval) == ["SPICE"]
    alone = SpiceEval()
    gts = {7: coco.imgToAnns[7]}
    one, _ = alone.evaluate(gts, {7: [RESULTS[0]]})
    assert one == pytest.approx(2 * 2 / (2 + 3))  # dog, brown; of dog, brown, run
    both, scores = alone.evaluate(gts, {7: results.imgToAnns[7]})
    assert both == 1.0
    assert scores[7]["spice"]["All"]["tp"] == 3
    assert evaluation.imgToEval[7]["SPICE"]["All"] == scores[7]["spice"]["All"]
    with pytest.raises(InputError, match="9: no result"):
        COCOEvalCapSpice(coco, results).evaluate()


@pytest.mark.parametrize("name", ["id", "category_id"])
def test_an_id_is_a_number_or_a_text(name: str) -> None:
    coco = COCO()
    coco.dataset = {"annotations": [{"image_id": 1, "caption": "a dog", name: [1]}]}
    with pytest.raises(InputError, match=rf"annotation 1: '{name}' is a number or a text"):
        coco.createIndex()


def test_what_a_file_says_of_itself_may_be_anything(capsys: pytest.CaptureFixture[str]) -> None:
    coco = COCO()
    coco.dataset = {"info": ["made up"]}
    coco.info()
    assert capsys.readouterr().out == "info: ['made up']\n"
