"""The group `diversity` on the command line: below scores, alone, and beside files of scores."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import captious
from captious.cli.main import main
from tests.places import EXAMPLES

SYSTEMS = [str(EXAMPLES / f"{name}.jsonl") for name in ("careful", "terse", "hasty")]
REFERENCES = str(EXAMPLES / "references.jsonl")


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main([*words, "--quiet"]) == 0
    return capsys.readouterr().out


def in_json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    return json.loads(printed(capsys, *words, "--format", "json"))


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


def captions(path: str) -> dict[str, str]:
    rows = map(json.loads, Path(path).read_text(encoding="utf-8").splitlines())
    return {row["id"]: row["candidate"] for row in rows}


@pytest.mark.slow
def test_several_systems_have_a_table_below_the_leaderboard(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["score", *SYSTEMS, "--references", REFERENCES, "--metrics", "bleu_4,diversity"]
    text = printed(capsys, *words, "--training", SYSTEMS[1])
    assert text.index("ranks") < text.index("diversity of all captions") < text.index("novel")
    found = in_json(capsys, *words, "--training", SYSTEMS[1])
    assert [each["metric"] for each in found["leaderboard"]] == ["bleu_4"] * 3
    rows = {row["system"]: row for row in found["diversity"]["rows"]}
    assert [row["novel"] for row in rows.values()] == [1.0, 0.0, 1.0]
    alone = captious.diversity(captions(SYSTEMS[2]))
    assert rows["hasty"]["distinct_2"] == alone.distinct.distinct_2
    assert 0 < rows["terse"]["reference_vocabulary"] < rows["careful"]["reference_vocabulary"] < 1
    for format in ("markdown", "latex"):
        assert "captions" in printed(capsys, *words, "--format", format)


def test_diversity_alone_needs_no_references(capsys: pytest.CaptureFixture[str]) -> None:
    found = in_json(capsys, "score", SYSTEMS[0], "--metrics", "Diversity")
    assert list(found) == ["diversity"]
    assert found["diversity"]["rows"][0]["captions"] == 30
    assert "reference_vocabulary" not in found["diversity"]["rows"][0]
    text = printed(capsys, "score", SYSTEMS[0], "--metrics", "diversity")
    assert text.startswith("diversity")


def test_one_system_keeps_its_own_table_of_scores(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["score", SYSTEMS[0], "--references", REFERENCES, "--metrics", "bleu_4,diversity"]
    found = in_json(capsys, *words)
    scores = in_json(capsys, *words[:-1], "bleu_4")
    assert {name: found[name] for name in scores} == scores
    assert [*scores, "diversity"] == list(found)


def test_csv_has_a_row_for_every_measure(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["score", *SYSTEMS, "--references", REFERENCES, "--metrics", "bleu_4,diversity"]
    rows = list(csv.DictReader(io.StringIO(printed(capsys, *words, "--format", "csv"))))
    measures = [row["metric"] for row in rows if row["system"] == "terse"]
    assert measures[0] == "bleu_4"
    assert {"vocabulary", "distinct_1", "expected_vocabulary"} <= set(measures)


def test_several_captions_of_an_image_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"id": image, "candidate": caption}
        for name in SYSTEMS
        for image, caption in captions(name).items()
    ]
    path = tmp_path / "several.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    words = ["score", str(path), "--repeated", "--metrics"]
    paper = in_json(capsys, *words, "diversity")["diversity"]["rows"][0]
    released = in_json(capsys, *words, "diversity(variant=released)")["diversity"]["rows"][0]
    assert paper["images_with_several"] == 30
    assert 0 < paper["mbleu_4"] == released["mbleu_4"] < 1
    assert 0 < paper["self_cider"] != released["self_cider"] < 1
    low, high = paper["self_cider_interval"]
    assert low < paper["self_cider"] < high


@pytest.mark.slow
def test_files_of_scores_are_described_by_the_captions_beside_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["score", *SYSTEMS, "--references", REFERENCES, "--metrics", "bleu_4,diversity"]
    scored = in_json(capsys, *words, "--output", str(tmp_path / "*.csv"))
    files = [str(tmp_path / f"{name}.csv") for name in ("careful", "terse", "hasty")]
    compared = in_json(capsys, "compare", *files, "--diversity")
    assert compared["diversity"] == scored["diversity"]
    assert "diversity" not in in_json(capsys, "compare", *files)

    bare = str(tmp_path / "bare.csv")
    printed(capsys, *words[:2], *words[4:], "--output", bare, "--no-captions")
    assert "bare: no captions beside the scores" in refused(
        capsys, "compare", bare, files[1], "--diversity"
    )
    other = str(tmp_path / "other.csv")
    printed(capsys, *words[:2], *words[4:], "--output", other, "--tokenizer", "char")
    assert "different tokenizers" in refused(capsys, "compare", other, files[1], "--diversity")


def test_document_frequencies_may_be_for_self_cider_alone(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["score", SYSTEMS[0], "--references", REFERENCES, "--df", "coco-val2014", "--metrics"]
    assert in_json(capsys, *words, "bleu_4,diversity")["diversity"]
    assert "df" in refused(capsys, *words, "bleu_4")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--metrics", "diversity", "--output", "x.csv"], "--output: diversity alone"),
        (["--metrics", "diversity", "--by", "kind"], "--by: diversity alone"),
        (["--metrics", "diversity,diversity"], "asked for twice"),
        (["--metrics", "diversity(n=4)"], "no parameter 'n'"),
        (["--metrics", "diversity(variant=x)"], "variant"),
        (["--metrics", "diversity", "--df", "no-such"], "no-such"),
        (["--metrics", "diversity", "--training", "no-such.json"], "no-such.json: cannot be read"),
        (["--metrics", "form", "--training", REFERENCES], "--training: only diversity"),
        (["--metrics", "self_cider"], "`captious score --metrics diversity`"),
    ],
)
def test_impossible_options_give_a_one_line_error(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(capsys, "score", SYSTEMS[0], *words)


def test_compare_takes_what_diversity_reads_only_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]
    for file in files:
        printed(capsys, "score", SYSTEMS[0], "--metrics", "form", "--output", file)
    for option in ("--training", "--df"):
        said = refused(capsys, "compare", *files, option, REFERENCES)
        assert f"{option}: only --diversity uses it" in said


def test_diversity_group_is_listed_and_described(capsys: pytest.CaptureFixture[str]) -> None:
    assert "diversity: a group of measures of a system's captions" in printed(capsys, "metrics")
    told = in_json(capsys, "metrics", "diversity")
    assert {"self_cider", "novel"} <= {row["measure"] for row in told["measures"]}
    assert [row["parameter"] for row in told["parameters"]] == ["df", "variant"]
    assert "examples:" in printed(capsys, "metrics", "diversity")


def test_every_measure_that_is_given_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    several = {1: ["a dog", "a cat"], 2: ["two", "men"]}
    measured = captious.diversity(several, training=["a"], references={1: ["a"]})
    told = {row["measure"] for row in in_json(capsys, "metrics", "diversity")["measures"]}
    given = {name for name in measured.measures() if not name.endswith("_interval")}
    assert given == told
