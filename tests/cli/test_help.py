"""Help: bare, by name, in groups; what metrics there are in a hundred columns, and all of one."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from captious.cli.main import COMMANDS, GROUPS, main
from captious.metrics.declarations import METRICS
from tests.cli.command import captious


@pytest.mark.parametrize("arguments", [(), ("help",), ("--help",), ("-h",)])
def test_all_commands_in_groups(arguments: tuple[str, ...]) -> None:
    done = captious(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    for group, commands in GROUPS.items():
        start = lines.index(f"{group}:")
        listed = lines[start + 1 : start + 1 + len(commands)]
        assert [line.split()[0] for line in listed] == list(commands)
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("words", [("score",), ("captioner",), ("captioner", "train"), ("help",)])
def test_help_of_a_command_is_its_own(words: tuple[str, ...]) -> None:
    assert captious("help", *words).stdout == captious(*words, "--help").stdout


def test_every_command_is_in_one_group() -> None:
    assert sum(map(len, GROUPS.values())) == len(COMMANDS)


def test_the_list_of_metrics_fits_a_hundred_columns() -> None:
    lines = captious("metrics").stdout.splitlines()
    assert max(map(len, lines)) <= 100
    rows = lines[2 : lines.index("")]
    assert [line.split()[0] for line in rows if not line.startswith(" ")] == list(METRICS)
    words = " ".join(captious("metrics").stdout.split())
    assert "CIDEr with clipping and a length penalty; the" in words
    rows = captious("metrics", "--format", "markdown").stdout.splitlines()
    assert len(rows) == 2 + len(METRICS)  # nothing is cut into two rows there


def test_the_metrics_of_a_group() -> None:
    rows = captious("metrics", "syntactic").stdout.splitlines()[2:]
    assert [row.split()[0] for row in rows if not row.startswith(" ")] == ["hwcm", "hwcm_dep"]


def test_the_list_says_what_is_english_only(tmp_path: Path) -> None:
    told = captious("metrics", "--format", "markdown").stdout.splitlines()[2:]
    cells = [[cell.strip() for cell in row.split("|")[1:-1]] for row in told]
    languages = {row[0].replace("\\", ""): row[3].replace("\\", "") for row in cells}
    assert languages["rouge_l"] == "any"
    assert (languages["meteor"], languages["wmd"]) == ("English", "English*")
    star = "English*: other languages need a parameter"
    assert star in captious("metrics").stdout and star not in captious("metrics", "coco").stdout
    (tmp_path / "mine.py").write_text("def overlap(candidate, references):\n    return 0.5\n")
    own = captious("metrics", "mine.py:overlap", "--format", "json", cwd=tmp_path).stdout
    assert json.loads(own)["english"] == ""


def test_a_metric_with_parameters_or_in_a_file(tmp_path: Path) -> None:
    assert '--metrics "cider_d(sigma=4)"' in captious("metrics", "cider_d(sigma=4)").stdout
    (tmp_path / "mine.py").write_text("def overlap(candidate, references):\n    return 0.5\n")
    told = captious("metrics", "mine.py:overlap", cwd=tmp_path).stdout
    assert told.startswith("overlap: ") and "--metrics mine.py:overlap" in told


@pytest.mark.parametrize("name", [*METRICS, "bleu_4", "spice_color", "refclipscore"])
def test_all_of_one_metric(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    declared = METRICS.find(name)
    assert declared is not None
    data = json.loads(captious("metrics", name, "--format", "json").stdout)
    text = captious("metrics", name).stdout
    assert text.startswith(f"{declared.name}: {declared.kind.description}\n")
    tables, _ = text.split("\nexamples:\n")
    assert max(map(len, tables.splitlines())) <= 100
    for column in declared.columns:
        assert column in text
    for parameter in declared.kind.parameters():
        assert f"\n{parameter} " in text
    assert ("images (--images" in text) == declared.needs_images
    assert (data["english"], data["english_unless"]) == (
        declared.kind.english,
        list(declared.kind.language_free_with),
    )
    languages = f"English only ({data['english']})" if data["english"] else "any"
    assert f"languages {languages}" in " ".join(text.split())
    for parameter in data["english_unless"]:
        assert f"{parameter}=..." in text
    assert f"--metrics {name}" in text
    for example in data["examples"]:  # it is understood, to the file that is not there
        assert example in text
        assert main(shlex.split(example)[1:]) == 2
        said = capsys.readouterr().err
        assert "captions.jsonl: cannot be read" in said or "photos/: no such folder" in said
