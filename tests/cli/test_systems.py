"""Several systems on the command line: their names, their parts, their files, and groups."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from captious.cli.inputs import parse_systems
from captious.comparison.score_files import read_scores
from captious.errors import InputError
from tests.cli.command import HASTY, REFERENCES, captious
from tests.conftest import read_rows
from tests.places import EXAMPLES

NAMES = ("careful", "terse", "hasty")
FILES = [EXAMPLES / f"{name}.jsonl" for name in NAMES]
CHEAP = ("--references", REFERENCES, "--metrics", "bleu,rouge_l", "--no-cache")


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def rows_of(path: Path) -> list[dict[str, Any]]:
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written") / "scores"
    done = captious("score", *FILES, *CHEAP, "--output", folder)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_each_argument_is_a_system_and_its_scores_are_those_of_itself_alone(scores: Path) -> None:
    board = json.loads(captious("score", *FILES, *CHEAP, "--format", "json").stdout)
    assert board["systems"] == list(NAMES)
    for name, file in zip(NAMES, FILES, strict=True):
        alone = json.loads(captious("score", file, *CHEAP, "--format", "json").stdout)
        own = [row for row in board["leaderboard"] if row["system"] == name]
        assert {row["metric"]: row["score"] for row in own} == alone["corpus"]
        assert board["signatures"][name] == alone["signature"]


def test_written_scores_and_captions_can_be_compared(scores: Path) -> None:
    files = sorted(scores.iterdir())
    assert [file.name for file in files] == ["careful.csv", "hasty.csv", "terse.csv"]
    kept = read_scores(files[0]).captions
    assert kept is not None
    assert kept.candidates == [row["candidate"] for row in read_rows(FILES[0])]
    compared = json.loads(captious("compare", *files, "--format", "json").stdout)
    scored = json.loads(captious("score", *FILES, *CHEAP, "--format", "json").stdout)
    by_name = [{row["system"] + row["metric"]: row for row in each["leaderboard"]}
               for each in (compared, scored)]  # fmt: skip
    assert by_name[0] == by_name[1]
    assert len(compared["differences"]) == 3 and "rows" not in compared


def test_star_in_output_is_the_system_name_and_captions_are_optional(tmp_path: Path) -> None:
    done = captious("score", *FILES[:2], *CHEAP, "--output", "of *.csv", "--no-captions",
                    cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["of careful.csv", "of terse.csv"]
    assert read_scores(tmp_path / "of terse.csv").captions is None


def test_one_system_prints_what_it_always_did(tmp_path: Path) -> None:
    text = captious("score", HASTY, *CHEAP).stdout
    assert text.startswith("metric      score      95% interval\n") and "30 samples" in text
    named = captious("score", f"ours={HASTY}", *CHEAP).stdout
    assert named == text


def test_two_systems_have_their_differences_by_name(scores: Path) -> None:
    text = captious("compare", scores / "hasty.csv", scores / "careful.csv").stdout
    assert "careful - hasty" in text and "p randomization" in text and " A " not in text
    data = json.loads(
        captious("compare", f"x={scores}/hasty.csv", scores / "careful.csv", "--format",
                 "json").stdout
    )  # fmt: skip
    assert data["systems"] == ["x", "careful"] and data["n"] == 30
    assert {"n", "resamples", "seed", "rows", "leaderboard", "differences"} <= set(data)
    assert set(data["rows"][0]) == {
        *("metric", "a", "b", "difference", "interval", "p_bootstrap", "p_randomisation"),
    }


def test_csv_is_one_row_a_system_and_metric(scores: Path) -> None:
    files = sorted(scores.iterdir())
    rows = list(csv.DictReader(io.StringIO(captious("compare", *files, "--format", "csv").stdout)))
    assert list(rows[0])[:7] == ["system", "metric", "score", "low", "high", "rank", "letters"]
    alone = captious("score", HASTY, *CHEAP, "--format", "csv").stdout
    assert {row["system"] for row in csv.DictReader(io.StringIO(alone))} == {"hasty"}


def test_a_folder_and_a_pattern_are_one_system_in_parts(tmp_path: Path) -> None:
    rows = read_rows(FILES[2])
    for number, part in enumerate((rows[:10], rows[10:20], rows[20:])):
        write(tmp_path / "hasty" / f"part-{number}.jsonl", part)
    shutil.copy(FILES[0], tmp_path / "careful.jsonl")
    (tmp_path / "hasty" / "notes.md").write_text("not captions")
    wanted = json.loads(captious("score", HASTY, *CHEAP, "--format", "json").stdout)
    for argument in ("hasty", "hasty/part-*.jsonl", str(tmp_path / "hasty" / "*.jsonl")):
        done = captious("score", argument, *CHEAP, "--format", "json", cwd=tmp_path)
        assert json.loads(done.stdout) == wanted, done.stderr
    both = captious("score", "hasty", "careful.jsonl", *CHEAP, "--format", "json", cwd=tmp_path)
    assert json.loads(both.stdout)["systems"] == ["hasty", "careful"]
    write(tmp_path / "hasty" / "part-3.jsonl", rows[:1])
    twice = captious("score", "hasty", *CHEAP, cwd=tmp_path)
    assert twice.returncode == 2 and "part-3.jsonl: line 1: id " in twice.stderr


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["a/x.json", "y.csv.gz"], ["x", "y"]),
        (["a/x.json", "b/x.json"], ["a/x", "b/x"]),
        (["a/b/x.json", "c/b/x.json", "z.json"], ["a/b/x", "c/b/x", "z"]),
        (["x.v2.json", "x.v3.json"], ["x.v2", "x.v3"]),
        (["ours=a.json", "a.csv"], ["ours", "a"]),
        (["run/part-*.json", "other/*.json"], ["part", "other"]),
        (["-"], ["standard input"]),
        (["p=one.json", "q=one.json"], ["p", "q"]),
        (["weird name %&_.json"], ["weird name %&_"]),
    ],
)
def test_names(arguments: list[str], names: list[str]) -> None:
    assert list(parse_systems(arguments)) == names


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["a.json", "./a.json"], "given twice"),
        (["x=a.json", "x=b.json"], "two systems are called x"),
        (["x.json", "x=b.json"], "two systems are called x"),
        (["=a.json"], "NAME=FILE"),
        (["a="], "NAME=FILE"),
    ],
)
def test_names_that_tell_nothing(arguments: list[str], why: str) -> None:
    with pytest.raises(InputError, match=why):
        parse_systems(arguments)


def test_a_file_with_the_sign_in_its_name_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lr=0.1.json").write_text("[]")
    Path("a[1]*.json").write_text("[]")
    assert parse_systems(["lr=0.1.json"]) == {"lr=0.1": ["lr=0.1.json"]}
    assert parse_systems(["a[1]*.json"], in_parts=True)["a1"] == ["a[1]*.json"]


def bad(tmp_path: Path) -> list[tuple[list[str], str]]:
    """Command lines that cannot be meant, and what is said of each."""
    careful, terse = (read_rows(file) for file in FILES[:2])
    fewer = write(tmp_path / "fewer.jsonl", terse[1:])
    none = write(tmp_path / "none.jsonl", [])
    (tmp_path / "empty").mkdir()
    (tmp_path / "file.csv").write_text("kept")
    (tmp_path / "kept").mkdir()
    own = write(tmp_path / "kept" / "own.jsonl", careful)
    written = write(tmp_path / "kept" / "careful.csv", careful)
    half = write(tmp_path / "half.jsonl", [{**row, "candidate": "a \ud800"} for row in careful])
    given = list(CHEAP)
    first = str(FILES[0])
    both = [first, str(FILES[1]), *given]
    rows = [{**row, "references": ["x"]} for row in careful]
    with_own, with_others = (
        write(tmp_path / f"{name}.jsonl", [{**row, "references": [name]} for row in rows])
        for name in ("one", "other")
    )
    return [
        (["score", first, str(fewer), *given], "careful has a candidate and fewer has none"),
        (["score", str(fewer), first, *given], "careful has a candidate and fewer has none"),
        (["score", first, str(none), *given], "none.jsonl: no samples"),
        (["score", first, first, *given], "given twice"),
        (["score", first, "empty", *given], "empty: a folder without files of captions"),
        (["score", first, "no*.xyz", *given], "no*.xyz: no file has such a name"),
        (["score", first, "absent.json", *given], "absent.json"),
        (["score", "-", "b=-", *given], "standard input can be read only once"),
        (["score", str(with_own), str(with_others)], "one and other have different references"),
        (["score", *both, "--output", "file.csv"], "written to a folder, a file each"),
        (["score", *both, "--output", "new.csv"], "written to a folder, a file each"),
        (["score", *both, "--output", "no/where"], "no/where"),
        (["score", *both, "--output", "*/*.csv"], "put one star into the file name"),
        (["score", *both, "--output", "*.xyz"], "unknown kind of file"),
        (
            [
                "score",
                f"x={first}",
                f"careful={written}",
                *given,
                "--output",
                "kept",
                "--input-format",
                "jsonl",
            ],
            "careful.csv: would be overwritten",
        ),
        (["score", first, str(half), *given, "--output", "x"], "half.csv: 'a \\ud800\\na"),
        (["score", f"n={own}", *given, "--output", str(own)], "own.jsonl: would be overwritten"),
        (
            ["score", f"a/b={first}", f"a_b={FILES[1]}", *given, "--output", "x"],
            "two systems would be written to one file",
        ),
        (["score", *both, "--by", "domain"], "no column 'domain' to group by; the columns are"),
        (["compare", "empty", "kept"], "empty: a folder; name its files: empty/*"),
    ]


def test_contradicting_options_give_a_one_line_error(tmp_path: Path) -> None:
    for arguments, why in bad(tmp_path):
        before = sorted(tmp_path.rglob("*"))
        done = captious(*arguments, cwd=tmp_path)
        assert done.returncode == 2 and why in done.stderr, (arguments, done.stderr)
        assert done.stdout == "" and done.stderr.count("\n") == 1
        assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "file.csv").read_text() == "kept"


def test_bad_files_of_scores_are_one_line(tmp_path: Path, scores: Path) -> None:
    rows = rows_of(scores / "hasty.csv")
    careful = scores / "careful.csv"
    fewer = write(tmp_path / "fewer.jsonl", rows[3:])
    renamed = [{key.replace("bleu", "own").replace("rouge", "its"): value
                for key, value in row.items()} for row in rows]  # fmt: skip
    other = write(tmp_path / "other.jsonl", renamed)
    for arguments, why in (
        ((careful, fewer), "1 sample of careful and 0 of fewer"),
        ((careful, write(tmp_path / "none.jsonl", [])), "none.jsonl: no samples"),
        ((careful, other), "no scores in common"),
        ((careful, scores / "hasty.csv", "--by", "domain"), "no column 'domain'; the columns"),
    ):
        done = captious("compare", *arguments)
        assert done.returncode == 2 and why in done.stderr, done.stderr
        assert done.stdout == "" and done.stderr.count("\n") == 1


def test_common_metrics_and_differing_settings_are_noted(tmp_path: Path, scores: Path) -> None:
    rows = rows_of(scores / "hasty.csv")
    for row in rows:
        del row["rouge_l"]
        row["signature"] = row["signature"].replace("smoothing=1e-15", "smoothing=1e-9")
    write(tmp_path / "less.jsonl", rows)
    done = captious("compare", scores / "careful.csv", tmp_path / "less.jsonl")
    assert done.returncode == 0 and "rouge_l" not in done.stdout.splitlines()[0]
    assert "less has no rouge_l: left out for all systems" in done.stderr
    assert "careful and less were scored differently: " in done.stderr


DOMAINS = ("in", "near", "out")


def with_domains(folder: Path) -> tuple[list[Path], Path]:
    """Systems, and references that say which domain an image is of, as nocaps does."""
    rows = read_rows(EXAMPLES / "references.jsonl")
    numbers = {row["id"]: number for number, row in enumerate(rows)}
    document = {
        "images": [{"id": n, "domain": DOMAINS[n % 3], "width": 3} for n in numbers.values()],
        "annotations": [
            {"id": 7, "image_id": numbers[row["id"]], "caption": caption}
            for row in rows
            for caption in row["references"]
        ],
    }
    (folder / "nocaps.json").write_text(json.dumps(document))
    systems = [
        write(
            folder / file.name,
            [{"image_id": numbers[r["id"]], "caption": r["candidate"]} for r in read_rows(file)],
        )
        for file in FILES[:2]
    ]
    return systems, folder / "nocaps.json"


@pytest.mark.slow
def test_groups_of_the_references_are_scored_by_themselves(tmp_path: Path) -> None:
    systems, references = with_domains(tmp_path)
    cheap = ("--metrics", "bleu,rouge_l", "--no-cache")
    words = ("score", *systems, "--references", references, *cheap)
    done = captious(*words, "--by", "domain", "--format", "json", "--output", tmp_path / "s")
    board = json.loads(done.stdout)
    assert board["by"] == "domain" and list(board["groups"]) == list(DOMAINS)
    assert [group["n"] for group in board["groups"].values()] == [10, 10, 10]
    # A group's scores are those of its captions alone.
    rows = [row for row in read_rows(systems[0]) if row["image_id"] % 3 == 1]
    write(tmp_path / "near.jsonl", rows)
    alone = json.loads(
        captious("score", tmp_path / "near.jsonl", "--references", references, *cheap, "--format",
                 "json").stdout
    )  # fmt: skip
    near = board["groups"]["near"]["leaderboard"]
    own = {row["metric"]: row for row in near if row["system"] == "careful"}
    assert {name: row["score"] for name, row in own.items()} == alone["corpus"]
    assert {name: row["interval"] for name, row in own.items()} == alone["interval"]
    # The files keep the groups, which compare finds again.
    again = captious("compare", *sorted((tmp_path / "s").iterdir()), "--by", "domain", "--format",
                     "json")  # fmt: skip
    assert json.loads(again.stdout)["groups"] == board["groups"]
    plain = captious("compare", *sorted((tmp_path / "s").iterdir()), "--format", "json")
    assert plain.returncode == 0


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "csv"])
@pytest.mark.parametrize("count", [1, 2])
def test_groups_in_every_format(tmp_path: Path, format: str, count: int) -> None:
    systems, references = with_domains(tmp_path)
    done = captious(
        *("score", *systems[:count], "--references", references, "--metrics", "bleu_4,rouge_l"),
        *("--no-cache", "--by", "domain", "--format", format),
    )
    assert done.returncode == 0 and all(domain in done.stdout for domain in DOMAINS)
    if format == "text":
        assert done.stdout.count("to 0.") >= 4 * 2 * count and "10" in done.stdout
    if format == "csv":
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        assert len(rows) == 4 * 2 * count and {row["group"] for row in rows} == {"", *DOMAINS}


def test_groups_of_the_candidates_own_column(tmp_path: Path) -> None:
    rows = [{**row, "source": 10 * (number % 2)} for number, row in enumerate(read_rows(FILES[0]))]
    file = write(tmp_path / "c.jsonl", rows)
    done = captious("score", file, *CHEAP, "--by", "source", "--format", "json")
    assert list(json.loads(done.stdout)["groups"]) == ["0", "10"]
    mixed = [{"id": 1, "source": "a", "reference": "x"}, {"id": 1, "source": "b", "reference": "y"}]
    references = write(tmp_path / "r.jsonl", mixed)
    candidates = write(tmp_path / "d.jsonl", [{"id": 1, "candidate": "x"}])
    done = captious("score", candidates, "--references", references, "--metrics", "bleu", "--by",
                    "source")  # fmt: skip
    assert done.returncode == 2 and "r.jsonl: line 2: id 1 is of 'a' and 'b' by" in done.stderr
