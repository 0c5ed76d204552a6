"""Files of scores: what no captions can have is refused, and all that captions have is kept."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import captious
from captious.cli.main import main
from captious.errors import InputError
from captious.score_files import read_scores

pytestmark = pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
CANDIDATES = [
    "a dog runs over the grass",
    "",
    ".",
    "a dog",
    "two cats on two cats on two cats",
    "犬",
]
REFERENCES = [
    ["a dog runs over the grass", "the dog ran"], [""], ["a man"], ["!"],
    ["two cats on a mat", "a pair of cats"], ["犬 犬"],
]  # fmt: skip
OF_BLEU, OF_METEOR, OF_SPICE = "statistic:bleu:", "statistic:meteor:", "statistic:spice:"


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, float | str]]:
    path = tmp_path_factory.mktemp("scores") / "scores.jsonl"
    captious.score(CANDIDATES, REFERENCES, ["bleu", "meteor", "spice"]).save(path)
    return [json.loads(line) for line in path.read_text().splitlines()]


def write(path: Path, rows: list[dict[str, float | str]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_all_that_captions_give_is_read_back(
    rows: list[dict[str, float | str]],
    tmp_path: Path,
    candidates: dict[str, str],
    references: dict[str, list[str]],
) -> None:
    write(tmp_path / "own.jsonl", rows)
    assert list(read_scores(tmp_path / "own.jsonl").samples["bleu_4"]) == [
        row["bleu_4"] for row in rows
    ]
    many = captious.score(candidates, references, ["bleu", "meteor", "spice"])
    many.save(tmp_path / "many.csv")
    assert read_scores(tmp_path / "many.csv").corpus == many.corpus


@pytest.mark.parametrize(
    ("column", "value"),
    [
        (f"{OF_BLEU}correct_1", -1),
        (f"{OF_BLEU}correct_1", 7),
        (f"{OF_BLEU}correct_2", 0.5),
        (f"{OF_BLEU}total_1", 1e308),
        (f"{OF_BLEU}total_1", 1e149),
        (f"{OF_BLEU}total_3", 99),
        (f"{OF_BLEU}length", -6),
        (f"{OF_BLEU}length", 0),
        (f"{OF_BLEU}reference_length", -1e-9),
        (f"{OF_METEOR}candidate_words", 0),
        (f"{OF_METEOR}reference_words", -3),
        (f"{OF_METEOR}candidate_exact_content", 50),
        (f"{OF_METEOR}reference_stem_function", 50),
        (f"{OF_METEOR}candidate_function_words", 50),
        (f"{OF_METEOR}chunks", 50),
        (f"{OF_METEOR}chunks", -1),
        (f"{OF_SPICE}spice", 1.5),
        (f"{OF_SPICE}spice_object", -0.5),
        (f"{OF_SPICE}samples", 0),
        (f"{OF_SPICE}object_samples", 0.5),
        (f"{OF_SPICE}object_samples", 2),
    ],
)
def test_impossible_statistics_are_refused_by_file_row_and_column(
    rows: list[dict[str, float | str]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    column: str,
    value: float,
) -> None:
    write(tmp_path / "a.jsonl", rows)
    write(tmp_path / "b.jsonl", [rows[0] | {column: value}, *rows[1:]])
    paths = [str(tmp_path / name) for name in ("a.jsonl", "b.jsonl")]
    assert main(["compare", *paths, "--format", "json"]) == 2
    said = capsys.readouterr()
    metric = column.rpartition(":")[0]
    assert said.out == "" and said.err.count("\n") == 1
    assert f"{paths[1]}: line 1: '{metric}:" in said.err


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e308, "nan", "inf", None, [1]])
def test_what_is_no_number_is_refused(tmp_path: Path, value: Any) -> None:
    write(tmp_path / "a.jsonl", [{"id": 1, "mine": 0.5}, {"id": 2, "mine": value}])
    with pytest.raises(InputError, match=r"a\.jsonl: line 2: 'mine' must be a number"):
        read_scores(tmp_path / "a.jsonl")


def test_scores_of_other_tools_are_compared_whatever_their_range(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(0)
    for name in "ab":
        values = (rng.normal(size=20) * 1e100).tolist()
        rows = [{"id": n, "mine": value, "bleu_4": -3} for n, value in enumerate(values)]
        write(tmp_path / f"{name}.jsonl", rows)
    assert (
        main(["compare", *(f"{tmp_path}/{name}.jsonl" for name in "ab"), "--format", "json"]) == 0
    )
    found = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert all(math.isfinite(row["difference"]) for row in found["rows"])
