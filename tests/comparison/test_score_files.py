"""Files of scores: what no captions can have is refused, and all that captions have is kept."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import captious
from captious.cli.main import main
from captious.comparison.score_files import read_scores
from captious.errors import InputError, OutputError
from captious.io.captions import read_corpus
from captious.io.formats import read_table
from captious.result import Result

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


def write(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
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
def test_cells_that_are_not_numbers_are_refused(tmp_path: Path, value: Any) -> None:
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


ENDINGS = ["json", "jsonl", "csv", "tsv", "parquet", "csv.gz"]
TABS = "\t" * 40 + "\n" + "\t" * 3  # in a file with tabs, as good as a row
NULL = "\0" if sys.version_info >= (3, 11) else ""  # the oldest csv module has none in its cells
HOSTILE = {
    "a": 'say "hi",\n\tyou\r\n| [x] {}',
    "=b": "=SUM(A1)",
    "c": "['one', 'two']",
    "d": "",
    "e": f"犬\u2028{NULL} \x1b[31m",
    "f": "-5",
    "g": TABS,
}
HOSTILE_REFERENCES = {
    **{image: [text, '["a"]', "", "[", f"{text}'"] for image, text in HOSTILE.items()},
    "f": ["5"],
}


def reread(result: Result, path: Path, **how: Any) -> Result:
    """A result as it comes back from a file."""
    result.save(path, **how)
    return read_scores(path)


def captions_of(result: Result) -> tuple[list[str], list[list[str]]]:
    """What was scored."""
    assert result.captions is not None
    return list(result.captions.candidates), result.captions.reference_sets()


@pytest.mark.skipif(bool(NULL), reason="cells may have null characters")
def test_a_null_character_is_refused_where_cells_have_none(tmp_path: Path) -> None:
    result = captious.score(["a\0b"], [["a"]], ["bleu"])
    with pytest.raises(OutputError, match="null character"):
        result.save(tmp_path / "s.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", ENDINGS)
def test_captions_come_back_as_they_were(tmp_path: Path, ending: str) -> None:
    result = captious.score(HOSTILE, HOSTILE_REFERENCES, ["bleu", "rouge_l"])
    again = reread(result, tmp_path / f"s.{ending}")
    assert captions_of(again) == (list(HOSTILE.values()), list(HOSTILE_REFERENCES.values()))
    assert list(again.ids) == list(HOSTILE) and again.corpus == result.corpus
    assert again.columns == result.columns and again.signature == result.signature


LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters="" if NULL else "\0")


@pytest.mark.slow
@given(st.lists(st.text(LETTERS), min_size=1, max_size=4))
def test_any_captions_come_back_from_cells_between_tabs(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    result = captious.score(texts, [texts] * len(texts), ["unigram_recall"])
    again = reread(result, tmp_path_factory.mktemp("tabs") / "s.tsv")
    assert captions_of(again) == (texts, [texts] * len(texts))


@pytest.mark.parametrize("ending", ENDINGS)
def test_captions_can_be_left_out(tmp_path: Path, ending: str) -> None:
    result = captious.score(CANDIDATES, REFERENCES, ["bleu"])
    again = reread(result, tmp_path / f"s.{ending}", captions=False)
    assert again.captions is None and again.corpus == result.corpus


def test_several_candidates_of_an_image_keep_their_captions(tmp_path: Path) -> None:
    scorer = captious.Scorer({"x": ["a dog", "dogs"], "y": ["a cat"]}, ["rouge_l"])
    result = scorer.score(["a", "b", "a cat"], ids=["y", "x", "y"])
    again = reread(result, tmp_path / "s.csv")
    wanted = (["a", "b", "a cat"], [["a cat"], ["a dog", "dogs"], ["a cat"]])
    assert captions_of(result) == captions_of(again) == wanted


def test_candidates_without_references_are_kept_alone(tmp_path: Path) -> None:
    again = reread(captious.score(["a dog", "b"], metrics=["form"]), tmp_path / "s.csv")
    assert captions_of(again) == (["a dog", "b"], [[], []])
    assert "references" not in (tmp_path / "s.csv").read_text().splitlines()[0]


def test_half_a_character_is_kept_by_json_and_refused_by_others(tmp_path: Path) -> None:
    result = captious.score(["a \ud800 dog", "b"], [["a dog"], ["c \udfff"]], ["bleu"])
    again = reread(result, tmp_path / "s.jsonl")
    assert captions_of(again) == captions_of(result)
    for ending in ("csv", "tsv", "parquet"):
        with pytest.raises(InputError, match="half a character"):
            result.save(tmp_path / f"s.{ending}")
        assert not (tmp_path / f"s.{ending}").exists()


def test_references_of_an_id_must_agree(tmp_path: Path) -> None:
    rows = [{"id": 1, "candidate": "a", "references": [text], "mine": 1} for text in "xy"]
    write(tmp_path / "s.jsonl", rows)
    with pytest.raises(InputError, match=r"line 2: id 1 occurs again with other references"):
        read_scores(tmp_path / "s.jsonl")


@pytest.mark.parametrize("name", ["id", "candidate", "references", "signature", "group:x"])
def test_scores_may_not_take_the_name_of_another_column(tmp_path: Path, name: str) -> None:
    result = captious.score(["a"], [["a"]], ["rouge_l"])
    renamed = Result(result.ids, result.metrics, (name,), result.statistics)
    with pytest.raises(InputError, match="rename the metric"):
        renamed.save(tmp_path / "s.csv")


@pytest.mark.parametrize("ending", ENDINGS)
def test_groups_come_back_and_are_no_scores(tmp_path: Path, ending: str) -> None:
    result = replace(
        captious.score(["a", "b", "c"], [["a"], ["b"], ["c"]], ["rouge_l"]),
        groups={"domain": ["in", "=out", "in"], "year": ["2014", "2015", "2014"]},
    )
    again = reread(result, tmp_path / f"s.{ending}")
    assert again.groups == result.groups and again.columns == ("rouge_l",)


def test_a_column_becomes_a_group_by_its_name(tmp_path: Path) -> None:
    rows = [
        {"id": n, "mine": n, "domain": domain} for n, domain in enumerate([1, 1.0, None, "", "b"])
    ]
    write(tmp_path / "s.jsonl", rows)
    with pytest.raises(InputError, match="'domain' must be a number"):
        read_scores(tmp_path / "s.jsonl")
    result = read_scores(tmp_path / "s.jsonl", by=["domain"])
    assert result.groups == {"domain": ["1", "1", "(none)", "(none)", "b"]}
    assert result.columns == ("mine",)
    with pytest.raises(InputError, match="no column 'area'; the columns are: 'id'"):
        read_scores(tmp_path / "s.jsonl", by=["area"])


@pytest.mark.parametrize(("cell", "why"), [([1], "must be a text or a number"), (None, "most")])
def test_invalid_groups_are_refused(tmp_path: Path, cell: Any, why: str) -> None:
    rows = [{"id": n, "mine": n, "domain": cell or str(n)} for n in range(101)]
    write(tmp_path / "s.jsonl", rows)
    with pytest.raises(InputError, match=why):
        read_scores(tmp_path / "s.jsonl", by=["domain"])


@pytest.mark.parametrize("ending", ENDINGS)
def test_names_of_images_come_back_and_are_no_scores(tmp_path: Path, ending: str) -> None:
    rows: list[dict[str, Any]] = [
        {"id": n, "candidate": f"a {n}", "references": ["a"], "image": f"{n}.jpg"} for n in range(3)
    ]
    write(tmp_path / "c.jsonl", rows)
    result = captious.score(read_corpus(tmp_path / "c.jsonl"), metrics=["rouge_l"])
    again = reread(result, tmp_path / f"s.{ending}")
    assert again.captions is not None
    assert again.captions.references.images == ["0.jpg", "1.jpg", "2.jpg"]
    assert again.columns == ("rouge_l",)


@pytest.fixture
def result(candidates: dict[str, str], references: dict[str, list[str]]) -> Result:
    return captious.score(candidates, references, ["bleu", "rouge_l"])


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_signature_stands_in_a_file_once(tmp_path: Path, ending: str, result: Result) -> None:
    path = tmp_path / f"scores.{ending}"
    assert reread(result, path).signature == result.signature
    if ending not in ("parquet", "csv.gz"):
        assert path.read_text().count(result.signature) == 1


@pytest.mark.parametrize("ending", ENDINGS)
def test_precision_and_statistics_are_a_choice(tmp_path: Path, ending: str, result: Result) -> None:
    path = tmp_path / f"scores.{ending}"
    again = reread(result, path, precision="float32", statistics=False)
    for name, scores in result.samples.items():
        assert (again.samples[name].astype(np.float32) == scores.astype(np.float32)).all()
    assert "statistic:" not in "".join(read_table(path).columns)
    if ending == "parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
        assert str(parquet.read_schema(path).field("rouge_l").type) == "float"
    with pytest.raises(InputError, match="precision 'half': one of float32, float64"):
        result.save(path, precision="half")


def test_rows_that_were_scored_in_different_ways_are_warned_of(tmp_path: Path) -> None:
    said: list[dict[str, str]] = [{"signature": "a"}, {}, {"signature": "b"}, {"signature": "a"}]
    rows = [{"id": number, "mine": 0.5} | each for number, each in enumerate(said)]
    write(tmp_path / "s.jsonl", rows)
    with pytest.warns(captious.CaptiousWarning, match=r"s\.jsonl: 2 different signatures"):
        assert read_scores(tmp_path / "s.jsonl").signature == "a"
