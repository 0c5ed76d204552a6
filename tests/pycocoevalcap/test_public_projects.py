"""The calls that public projects make, with the toolkit's classes and with ours.

Each function here makes the calls of one project in our own words, once with each set of imports.
It needs pycocoevalcap, pycocotools and Java, which only the toolkit's side uses.
"""

from __future__ import annotations

import importlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

pytestmark = [
    pytest.mark.filterwarnings("ignore::captious.CaptiousWarning"),
    # The toolkit leaves its pipes to METEOR open.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.slow,
]

Captions = tuple[dict[int, str], dict[int, list[str]]]


class Imports(NamedTuple):
    """Where a project's imports lead."""

    toolkit: str
    coco: str

    def get(self, module: str, name: str) -> Any:
        """A class of the toolkit's."""
        return getattr(importlib.import_module(f"{self.toolkit}.{module}"), name)

    @property
    def COCO(self) -> Any:  # noqa: N802 - a class
        """pycocotools' class."""
        return importlib.import_module(self.coco).COCO


THEIRS = Imports("pycocoevalcap", "pycocotools.coco")
OURS = Imports("captious.pycocoevalcap", "captious.pycocoevalcap.coco")


@pytest.fixture(scope="module", autouse=True)
def toolkit() -> None:
    for module in ("pycocoevalcap.eval", "pycocotools.coco"):
        pytest.importorskip(module)
    if shutil.which("java") is None:
        pytest.skip("needs Java")


@pytest.fixture
def captions(candidates: dict[str, str], references: dict[str, list[str]]) -> Captions:
    """Images by number, not in order, as in COCO's own files."""
    numbers = {image: (7 * place + 3) % 101 for place, image in enumerate(candidates)}
    return (
        {numbers[image]: caption for image, caption in candidates.items()},
        {numbers[image]: references[image] for image in candidates},
    )


def of_results(imports: Imports, captions: Captions, folder: Path) -> Any:
    """BLIP, LAVIS, the toolkit's example: a file of captions, a file of results, all scores."""
    candidates, references = captions
    annotations = [
        {"image_id": image, "id": 100 * image + place, "caption": text}
        for image, texts in references.items()
        for place, text in enumerate(texts)
    ]
    dataset = {"images": [{"id": image} for image in references], "annotations": annotations}
    results = [{"image_id": image, "caption": text} for image, text in candidates.items()]
    (folder / "captions.json").write_text(json.dumps(dataset))
    (folder / "results.json").write_text(json.dumps(results))
    coco = imports.COCO(str(folder / "captions.json"))
    found = coco.loadRes(str(folder / "results.json"))
    evaluation = imports.get("eval", "COCOEvalCap")(coco, found)
    evaluation.params["image_id"] = found.getImgIds()
    evaluation.evaluate()
    return (
        {name: score for name, score in evaluation.eval.items() if name != "SPICE"},
        [
            {name: score for name, score in each.items() if name != "SPICE"}
            for each in evaluation.evalImgs
        ],
        found.getImgIds(),
        sorted(coco.getAnnIds(imgIds=found.getImgIds()[:2])),
        [each["caption"] for each in coco.loadAnns(coco.getAnnIds(found.getImgIds()[0]))],
        coco.loadImgs(found.getImgIds()[:1]),
    )


def of_an_index_made_by_hand(imports: Imports, captions: Captions, folder: Path) -> Any:
    """lmms-eval's caption tasks: `COCO()` filled by hand, one metric after the other."""
    candidates, references = captions
    dataset: dict[str, list[dict[str, Any]]] = {"annotations": [], "images": []}
    for image, texts in references.items():
        for text in texts:
            number = len(dataset["annotations"])
            dataset["annotations"].append({"image_id": image, "caption": text, "id": number})
        dataset["images"].append({"id": image})
    coco = imports.COCO()
    coco.dataset = dataset
    coco.createIndex()
    results = coco.loadRes(
        [{"image_id": image, "caption": text} for image, text in candidates.items()]
    )
    evaluation = imports.get("eval", "COCOEvalCap")(coco, results)
    images = evaluation.params["image_id"]
    tokenizer = imports.get("tokenizer.ptbtokenizer", "PTBTokenizer")()
    gts = tokenizer.tokenize({image: evaluation.coco.imgToAnns[image] for image in images})
    res = tokenizer.tokenize({image: evaluation.cocoRes.imgToAnns[image] for image in images})
    kinds = {name: imports.get("eval", name) for name in ("Bleu", "Meteor", "Rouge", "Cider")}
    scores = {name: kind().compute_score(gts, res) for name, kind in kinds.items()}
    assert type(scores["Bleu"][0]) is list
    return gts, res, scores


def of_single_captions(imports: Imports, captions: Captions, folder: Path) -> Any:
    """nlg-eval, FunQA, CUVA: captions as they are, one at a time, by the same scorers."""
    scorers = [
        imports.get("bleu.bleu", "Bleu")(4),
        imports.get("bleu.bleu", "Bleu")(2),
        imports.get("meteor.meteor", "Meteor")(),
        imports.get("rouge.rouge", "Rouge")(),
        imports.get("cider.cider", "Cider")(),
    ]
    odd = [
        ("A dog, running!", ["a dog  runs.", " The dog (brown) runs"]),
        ("un chien à la plage", ["Le chien est à la plage."]),
        ("犬", ["犬"]),
        ("", ["a dog", ""]),
    ]
    return [
        scorer.compute_score({0: [text.strip() for text in texts]}, {0: [candidate.strip()]})
        for candidate, texts in odd
        for scorer in scorers
    ]


def of_mutual_bleu(imports: Imports, captions: Captions, folder: Path) -> Any:
    """ImageCaptioning.pytorch: how alike an image's captions are to each other."""
    _, references = captions
    sets = {image: texts[:3] for image, texts in references.items() if len(texts) >= 3}
    scorer = imports.get("bleu.bleu", "Bleu")(4)
    return [
        scorer.compute_score(
            {image: texts[:place] + texts[place + 1 :] for image, texts in sets.items()},
            {image: [texts[place]] for image, texts in sets.items()},
        )
        for place in range(3)
    ]


def of_added_captions(imports: Imports, captions: Captions, folder: Path) -> Any:
    """Scorers filled one caption at a time, with each choice of reference length."""
    candidates, references = captions
    bleu, cider = (
        imports.get("bleu.bleu_scorer", "BleuScorer"),
        imports.get("cider.cider_scorer", "CiderScorer"),
    )
    scores: list[Any] = []
    for option in ("shortest", "average", "closest", None):
        scorer = bleu(n=4)
        for image, text in candidates.items():
            scorer += (text, references[image])
        scores.append((scorer.compute_score(option=option, verbose=2), scorer.compute_score()))
        scores.append((scorer.reflen(option), scorer.testlen(option), scorer.size()))
        scores.append(scorer.rescore([texts[0] for texts in references.values()]))
    first = bleu("a dog", ["a dog runs", "the dog"])
    first += bleu("two men", ["men"])
    scores.append((first.compute_score(), first.copy().compute_score(), first.single_reflen()))
    filled = cider()
    for image, text in candidates.items():
        filled += (text, references[image])
    scores.append(filled.compute_score())
    # The toolkit's looking up puts in the candidates' n-grams, too, with 0.
    counts = {ngram: count for ngram, count in filled.document_frequency.items() if count}
    return scores, sorted(counts.items()), filled.ref_len


def of_subsequences(imports: Imports, captions: Captions, folder: Path) -> Any:
    """ROUGE-L of one caption, and its subsequence."""
    candidates, references = captions
    rouge, lcs = imports.get("rouge.rouge", "Rouge")(), imports.get("rouge.rouge", "my_lcs")
    return [
        (
            rouge.calc_score([text], references[image]),
            lcs(text.split(), references[image][0].split()),
        )
        for image, text in candidates.items()
    ]


PROJECTS: list[Callable[[Imports, Captions, Path], Any]] = [
    of_results, of_an_index_made_by_hand, of_single_captions, of_mutual_bleu, of_added_captions,
    of_subsequences,
]  # fmt: skip


class NoSpice:
    """In place of the toolkit's SPICE, which needs what is not in any package."""

    def compute_score(self, gts: dict[Any, Any], res: Any) -> tuple[float, list[float]]:
        return 0.0, [0.0] * len(gts)

    def method(self) -> str:
        return "SPICE"


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.__name__)
def test_numbers_types_and_lines_are_the_toolkits(
    project: Callable[[Imports, Captions, Path], Any],
    captions: Captions,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("pycocoevalcap.eval.Spice", NoSpice)
    monkeypatch.setattr("captious.pycocoevalcap.eval.Spice", NoSpice)
    theirs = project(THEIRS, captions, tmp_path)
    their_lines = _lines(capsys)
    ours = project(OURS, captions, tmp_path)
    assert_same(ours, theirs)
    assert _lines(capsys) == their_lines


def _lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What was printed, less the time that it took and the last digits of a ratio."""
    lines = capsys.readouterr().out.splitlines()
    return [line[:16] if line.startswith("ratio") else line.split(" (t=")[0] for line in lines]


def assert_same(ours: Any, theirs: Any, where: str = "") -> None:
    """Equal numbers, within 1e-9, in containers of the same kind."""
    if isinstance(theirs, dict):
        assert list(ours) == list(theirs), where
        for key, value in theirs.items():
            assert_same(ours[key], value, f"{where}/{key}")
    elif isinstance(theirs, list | tuple | np.ndarray):
        assert type(ours) is type(theirs), where
        assert len(ours) == len(theirs), where
        for place, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
            assert_same(mine, other, f"{where}/{place}")
    elif isinstance(theirs, float):
        assert isinstance(ours, float) and abs(ours - theirs) < 1e-9, where
    else:
        assert ours == theirs, where
