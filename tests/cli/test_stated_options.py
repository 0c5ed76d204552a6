"""Every option that changes a number changes the signature, whichever command prints it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from captious.cli.main import main
from tests.conftest import read_rows
from tests.made_up.judged_captions import RATINGS, REFERENCES, preferred, rated
from tests.places import EXAMPLES
from tests.report.browser.unpacking import Unpacked

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
Capture = pytest.CaptureFixture[str]
SCORE = "score terse.jsonl --references references.jsonl --metrics bleu,cider_d --no-cache"
SEVERAL = SCORE.replace("terse.jsonl", "terse.jsonl careful.jsonl")
RATED = "meta custom --judgements ratings.jsonl --metrics bleu_1,rouge_l --no-cache"
PAIRS = RATED.replace("ratings.jsonl", "pairs.jsonl")
GIVEN = "meta custom --judgements ratings.jsonl --own-scores mine"
DRAWN = ("--resamples 40", "--seed 3")
METHODS = ("--interval bca", "--interval t")
# Scores have percentile intervals by default, differences have t intervals.
METHODS_OF_DIFFERENCES = (*METHODS, "--interval percentile")

CHANGES = {
    SCORE: (
        *("--resamples 40", *METHODS, "--df coco-val2014", "--metrics bleu,cider_d(sigma=4)"),
        *("--tokenizer whitespace", "--metrics bleu,cider_d --language de"),
    ),
    f"{SCORE} --stream": ("--resamples 40", "--df coco-val2014"),
    SEVERAL: ("--resamples 40", *METHODS_OF_DIFFERENCES, "--df coco-val2014"),
    f"{SEVERAL} --by source": ("--resamples 40", *METHODS_OF_DIFFERENCES),
    "compare terse.csv careful.csv": (*DRAWN, *METHODS_OF_DIFFERENCES),
    "compare terse.csv careful.csv --by source": (*DRAWN, *METHODS_OF_DIFFERENCES),
    "compare terse.csv careful.csv --diversity": (*DRAWN, *METHODS),
    "report terse.csv careful.csv --output page.html": (*DRAWN, *METHODS_OF_DIFFERENCES),
    RATED: (
        *(*DRAWN, "--raters mean", "--statistic pearson", "--joined", "--references 1"),
        *("--documents pair", "--metrics bleu_1,rouge_l(beta=2)"),
    ),
    f"{RATED} --references 1,2": (*DRAWN, "--pool mean"),
    f"{RATED} --versus bleu_1,rouge_l": (*DRAWN, "--raters mean", "--statistic pearson"),
    f"{RATED} --versus bleu_1,rouge_l --power": (*DRAWN, "--statistic pearson"),
    PAIRS: (*DRAWN, "--ties wrong", "--ties first", "--references 1"),
    GIVEN: (*DRAWN, "--raters mean", "--statistic pearson"),
    "meta hat --data . --words": (*DRAWN, "--part choose"),
    "pregen search models.csv": DRAWN,
    "robustness --data . --kind gaming --metrics bleu_1,rouge_l": ("--seed 3", "--first 3"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Captions, judgements and score files."""
    folder = tmp_path_factory.mktemp("options")
    shutil.copy(EXAMPLES / "references.jsonl", folder)
    for name in ("terse", "careful"):
        rows = read_rows(EXAMPLES / f"{name}.jsonl")
        grouped = ({**row, "source": "ab"[place % 2]} for place, row in enumerate(rows))
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, grouped)))
    ratings, pairs = rated(), preferred()
    judged: list[dict[str, Any]] = [
        {"candidate": candidate, "references": references, "rating": said, "mine": len(candidate)}
        for candidate, references, said in zip(
            ratings.candidates, ratings.references, RATINGS, strict=True
        )
    ]
    (folder / "ratings.jsonl").write_text("\n".join(map(json.dumps, judged)))
    columns = zip(pairs.pairs, pairs.references, pairs.preferred, pairs.groups, strict=True)
    judged = [
        {"candidates": two, "references": references, "preferred": int(side), "group": group}
        for two, references, side, group in columns
    ]
    (folder / "pairs.jsonl").write_text("\n".join(map(json.dumps, judged)))
    marked = [
        {
            "caption": "a dog beside a giraffe",
            "grounding": [["a dog beside a", False], ["giraffe", image % 3 == 0]],
            "image_path": f"COCO_val2014_{image:012}.jpg",
            "references": ["a brown dog runs"],
        }
        for image in range(1, 9)
    ]
    (folder / "hat_trainval.json").write_text(json.dumps(marked))
    models = [f"toy,{'ab'[row % 2]},{row},{row % 5},{row * row % 7}" for row in range(12)]
    header = "dataset,architecture,run,CIDEr,geomean_join_pplx_none"
    (folder / "models.csv").write_text("\n".join([header, *models]))
    lines = [f"{n}.jpg#{i}\t{text}" for n, own in REFERENCES.items() for i, text in enumerate(own)]
    (folder / "Flickr8k.token.txt").write_text("\n".join(lines))
    (folder / "Flickr_8k.testImages.txt").write_text("\n".join(f"{n}.jpg" for n in REFERENCES))
    return folder


def header_of(page: Path) -> Any:
    """What a report's compressed block says of itself."""
    block = re.search(r"H4sI[A-Za-z0-9+/=]+", page.read_text())  # so gzip begins in base 64
    assert block
    return Unpacked(block[0]).header


def texts_in(value: Any) -> list[str]:
    """All texts inside JSON."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for each in value for text in texts_in(each)]
    return [value] if isinstance(value, str) else []


@pytest.fixture
def printed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> Callable[[str], list[str]]:
    """The signatures that a command prints, or writes into its page."""
    monkeypatch.chdir(folder)
    for name in ("terse", "careful"):
        if not Path(f"{name}.csv").exists():
            given = f"score {name}.jsonl --references references.jsonl --metrics bleu --no-cache"
            main([*given.split(), "--by", "source", "--output", f"{name}.csv", "--quiet"])

    def run(command: str) -> list[str]:
        capsys.readouterr()
        page = Path("page.html")
        is_page = str(page) in command
        status = main([*command.split(), "--quiet", *([] if is_page else ["--format", "json"])])
        text = capsys.readouterr().out
        assert not status, command
        printed = header_of(page) if is_page else json.loads(text)
        return [each for each in texts_in(printed) if "|bootstrap:" in each]

    return run


@pytest.mark.parametrize(
    ("command", "option"),
    [(command, option) for command, options in CHANGES.items() for option in options],
)
def test_options_that_change_numbers_change_the_signature(
    command: str, option: str, printed: Callable[[str], list[str]]
) -> None:
    plain, other = printed(command), printed(f"{command} {option}")
    assert plain and other and set(plain).isdisjoint(other)


@pytest.mark.parametrize("command", ["meta hat --data . --words", "pregen search models.csv"])
def test_tables_for_people_end_with_the_signature(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(folder)
    assert main([*command.split(), "--resamples", "40", "--seed", "3", "--quiet"]) == 0
    assert "bootstrap:40,seed=3" in capsys.readouterr().out.splitlines()[-1]
