"""captious meta and captious robustness: formats, files, plots, and mistakes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.metrics.learned.published import LcEval
from tests.cli.command import REFERENCES as REFERENCES_FILE
from tests.cli.command import captious
from tests.made_up.judged_captions import RATINGS, REFERENCES, preferred, rated

METRICS = ("--metrics", "bleu_1,rouge_l")
FEW = ("--resamples", "30", "--quiet")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with judgements of both kinds."""
    ratings, pairs = rated(), preferred()
    rows: list[dict[str, Any]] = [
        {"candidate": c, "references": r, "rating": said}
        for c, r, said in zip(ratings.candidates, ratings.references, RATINGS, strict=True)
    ]
    (tmp_path / "ratings.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "ratings.json").write_text(json.dumps(rows))
    columns = zip(pairs.pairs, pairs.references, pairs.preferred, pairs.groups, strict=True)
    rows = [
        {"candidates": two, "references": r, "preferred": int(side), "group": group}
        for two, r, side, group in columns
    ]
    (tmp_path / "pairs.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path


def custom(folder: Path, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return captious("meta", "custom", "--judgements", name, *arguments, cwd=folder)


def read_output(done: subprocess.CompletedProcess[str]) -> Any:
    """The JSON on standard output of a command that worked without a word."""
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def test_ratings_in_every_format(folder: Path) -> None:
    data = read_output(custom(folder, "ratings.jsonl", *METRICS, *FEW, "--format", "json"))
    assert data["benchmark"] == "custom" and data["protocol"]["name"] == "standard"
    assert [row["metric"] for row in data["rows"]] == ["bleu_1", "rouge_l"]
    keys = {"metric", "kendall_b", "kendall_c", "pearson", "spearman", "n", "ties", "published"}
    assert all(keys <= set(row) for row in data["rows"])
    shown = f"{data['rows'][0]['kendall_c']:.3f}"
    text = custom(folder, "ratings.jsonl", *METRICS, *FEW)
    assert text.stdout.startswith("custom: 24 ratings\nstandard: Kendall's tau_c")
    assert shown in text.stdout and data["signature"] in text.stdout
    markdown = custom(folder, "ratings.jsonl", *METRICS, *FEW, "--format", "markdown")
    assert markdown.stdout.startswith("|") and shown in markdown.stdout
    latex = custom(folder, "ratings.jsonl", *METRICS, *FEW, "--format", "latex")
    assert "tabular" in latex.stdout and shown in latex.stdout


def test_pairs_in_every_format(folder: Path) -> None:
    data = read_output(custom(folder, "pairs.jsonl", *METRICS, *FEW, "--format", "json"))
    assert data["protocol"]["statistic"] == data["statistic"] == "accuracy"
    for row in data["rows"]:
        assert set(row["accuracy"]) == {"HM", "MM", "mean"} and row["n"] == 6
    text = custom(folder, "pairs.jsonl", *METRICS, *FEW).stdout
    assert text.startswith("custom: 6 pairs\nstandard: accuracy, ties one half")
    assert f"{data['rows'][0]['accuracy']['HM']:.3f}" in text
    markdown = custom(folder, "pairs.jsonl", *METRICS, *FEW, "--format", "markdown").stdout
    assert "HM" in markdown.splitlines()[0]


def test_parts_of_the_protocol_can_be_changed(folder: Path) -> None:
    changed = ("--raters", "mean", "--statistic", "pearson", "--joined", "--seed", "7")
    data = read_output(
        custom(folder, "ratings.jsonl", *METRICS, *FEW, *changed, "--format", "json")
    )
    asked = {"raters": "mean", "statistic": "pearson", "joined": True}
    assert {name: data["protocol"][name] for name in asked} == asked
    assert (data["statistic"], data["seed"], data["resamples"]) == ("pearson", 7, 30)
    assert data["rows"][0]["n"] == 12
    plain = read_output(custom(folder, "ratings.jsonl", *METRICS, *FEW, "--format", "json"))
    assert data["rows"][1]["spearman"] != plain["rows"][1]["spearman"]


@pytest.mark.slow
def test_references_and_pools(folder: Path) -> None:
    done = custom(
        folder, "ratings.jsonl", *METRICS, *FEW, "--references", "2,1", "--pool", "max,own",
        "--format", "json",
    )  # fmt: skip
    data = read_output(done)
    assert data["references"] == [1, 2]
    asked = [(each["references"], each["pool"]) for each in data["evaluations"]]
    assert sorted(asked, key=str) == sorted([(1, "max"), (2, "max"), (1, None), (2, None)], key=str)
    text = custom(folder, "ratings.jsonl", *METRICS, *FEW, "--references", "1,2").stdout
    assert "by number of references" in text and "rouge_l max" not in text
    firsts = custom(folder, "ratings.jsonl", *METRICS, *FEW, "--references", "1,first:2").stdout
    assert "95% interval at first:2" in firsts
    plot = ("--references", "1,2,first:2", "--plot", "curves.svg")
    assert custom(folder, "ratings.jsonl", *METRICS, *FEW, *plot).returncode == 0
    assert "by number of references" in (folder / "curves.svg").read_text()


def test_versus(folder: Path) -> None:
    both = ("--versus", "bleu_1, rouge_l")
    data = read_output(custom(folder, "ratings.jsonl", *METRICS, *FEW, *both, "--format", "json"))
    assert (data["a"], data["b"]) == ("bleu_1", "rouge_l")
    assert [test["name"] for test in data["tests"]] == ["bootstrap", "permutation", "williams"]
    text = custom(folder, "ratings.jsonl", *METRICS, *FEW, *both).stdout
    assert "rouge_l - bleu_1" in text and "permutation" in text


def with_scores(folder: Path, name: str) -> str:
    """The judgements again, with two columns of scores beside them."""
    rows = [json.loads(line) for line in (folder / f"{name}.jsonl").read_text().splitlines()]
    for place, row in enumerate(rows):
        row["good"] = [0, 1] if row.get("preferred") == 1 else [1, 0]
        if "rating" in row:
            row["good"] = float(np.mean([r for r in np.ravel(row["rating"]) if r is not None]))
        row["poor"] = [place % 2, 0.5] if "preferred" in row else place % 3
    (folder / "own.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return "own.jsonl"


@pytest.mark.parametrize("name", ["ratings", "pairs"])
def test_own_scores_stand_beside_metrics_and_against_them(folder: Path, name: str) -> None:
    own = with_scores(folder, name)
    alone = read_output(custom(folder, own, "--own-scores", "good,poor", *FEW, "--format", "json"))
    assert [row["metric"] for row in alone["rows"]] == ["good", "poor"]
    beside = ("--own-scores", "poor", "--metrics", "bleu_1")
    data = read_output(custom(folder, own, *beside, *FEW, "--format", "json"))
    assert {row["metric"] for row in data["rows"]} == {"bleu_1", "poor"}
    for two in ("good,bleu_1", "bleu_1,good", "good,poor"):
        done = read_output(custom(folder, own, "--versus", two, *FEW, "--format", "json"))
        assert [done["a"], done["b"]] == two.split(",")
    assert done["value_a"] > done["value_b"]
    clash = json.loads((folder / own).read_text().splitlines()[0]) | {"bleu_1": 1}
    (folder / "clash.jsonl").write_text(json.dumps(clash))
    refused = custom(folder, own.replace("own", "clash"), "--own-scores", "bleu_1", *METRICS)
    assert refused.returncode == 2 and refused.stderr.count("\n") == 1


def test_versus_takes_metrics_in_files(folder: Path) -> None:
    (folder / "mine.py").write_text("def size(candidate, references):\n    return len(candidate)\n")
    weights = Path(LcEval().weights)
    (folder / "net.npz").write_bytes(weights.read_bytes())
    for name, column in (("mine.py:size", "size"), ("net.npz", "net")):
        data = read_output(
            custom(folder, "ratings.jsonl", "--versus", f"{name},bleu_1", *FEW, "--format", "json")
        )
        assert (data["a"], data["b"]) == (column, "bleu_1")


def test_versus_takes_spellings_and_a_column_of_that_name_first(folder: Path) -> None:
    own = with_scores(folder, "ratings")
    few = ("--resamples", "30", "--df", "coco-val2014", "--format", "json")
    taken = "captious: CIDEr is read as cider_d"
    plain = json.loads(custom(folder, own, "--versus", "cider_d,good", *few).stdout)
    for metrics in ((), ("--metrics", "cider_d,rouge_l")):
        done = custom(folder, own, "--versus", "CIDEr,good", *few, *metrics)
        shown = json.loads(done.stdout)
        shown["signature"] = shown["signature"].replace("|rouge_l(beta=1.2)", "")  # --metrics
        assert shown == plain and plain["a"] == "cider_d"
        assert done.stderr.startswith(taken) and done.stderr.count("\n") == 1
    assert (
        read_output(custom(folder, own, "--versus", "Bleu-4,ROUGE_L", *few[:2], *few[4:]))["a"]
        == "bleu_4"
    )

    text = (folder / own).read_text()
    (folder / "cider.jsonl").write_text(text.replace('"poor"', '"CIDEr"'))
    done = custom(folder, "cider.jsonl", "--versus", "CIDEr,cider_d", *few)
    data = json.loads(done.stdout)
    assert (data["a"], data["b"]) == ("CIDEr", "cider_d") and data["value_b"] == plain["value_a"]
    assert done.stderr == "captious: CIDEr is the column of cider.jsonl, not the metric cider_d\n"
    named = ("--own-scores", "CIDEr", "--versus", "CIDEr,rouge_l", *FEW[:2], "--format", "json")
    assert read_output(custom(folder, "cider.jsonl", *named))["a"] == "CIDEr"

    (folder / "same.jsonl").write_text(text.replace('"poor"', '"cider_d"'))
    both = ("--versus", "cider_d,rouge_l")
    column = custom(folder, "same.jsonl", *both, *FEW[:2], "--format", "json")
    assert column.stderr.count("not the metric cider_d") == 1
    assert json.loads(column.stdout)["value_a"] == data["value_a"]
    alone = custom(folder, "same.jsonl", "--versus", "cider_d,good", *few)
    assert alone.returncode == 2 and "no metric chosen by name has the option 'df'" in alone.stderr
    metric = custom(folder, "same.jsonl", *both, "--metrics", "cider_d,rouge_l", *few)
    assert read_output(metric)["value_a"] == plain["value_a"]


def test_versus_of_standard_input_reads_it_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = with_scores(folder, "ratings")
    asked = ("--versus", "ROUGE-L,good", *FEW, "--format", "json")
    with (folder / own).open(encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        piped = read_output(custom(folder, "-", *asked))
    assert piped == read_output(custom(folder, own, *asked))


def test_own_scores_go_with_the_rows_that_a_protocol_keeps(folder: Path) -> None:
    rows = [
        {"candidate": c, "references": [r], "rating": n, "mine": 10 * n}
        for n, (c, r) in enumerate([("a dog", "a dog"), ("a cat", "a dog"), ("a bus", "two buses")])
    ]
    (folder / "few.jsonl").write_text("\n".join(map(json.dumps, rows)))
    kept = ("--own-scores", "mine", "--own", "drop_pair", "--resamples", "0", "--format", "json")
    data = read_output(custom(folder, "few.jsonl", *kept))
    assert data["rows"][0]["n"] == 2 and data["rows"][0]["pearson"] == pytest.approx(1)


def test_own_document_frequencies_are_used(folder: Path) -> None:
    asked = ("--metrics", "cider_d", *FEW, "--format", "json")
    shipped = read_output(custom(folder, "ratings.jsonl", *asked, "--df", "coco-val2014"))
    same = read_output(custom(folder, "ratings.jsonl", *asked, "--documents", "coco-val2014"))
    assert shipped == same and shipped["protocol"]["documents"] == "coco-val2014"
    made = captious("df", REFERENCES_FILE, "--output", "own.npz", "--quiet", cwd=folder)
    assert made.returncode == 0
    own = read_output(custom(folder, "ratings.jsonl", *asked, "--df", "own.npz"))
    assert "df=own.npz@" in own["signature"] and own["protocol"]["documents"] == "own.npz"
    text = custom(folder, "ratings.jsonl", "--metrics", "cider_d", *FEW, "--df", "own.npz")
    assert "document frequencies of own.npz" in text.stdout


@pytest.mark.parametrize("name", ["ratings.jsonl", "pairs.jsonl"])
def test_samples_are_scored_by_anything_and_come_back(folder: Path, name: str) -> None:
    written = custom(folder, name, "--samples", "rows.jsonl", "--quiet")
    assert (written.returncode, written.stdout, written.stderr) == (0, "", "")
    scored = captious(
        "score", "rows.jsonl", "--metrics", "rouge_l", "--output", "mine.csv", "--quiet", cwd=folder
    )
    assert scored.returncode == 0, scored.stderr
    lines = (folder / "mine.csv").read_text().replace("rouge_l", "mine").splitlines()
    (folder / "mine.csv").write_text("\n".join([lines[0], *reversed(lines[1:])]))  # any order
    alone = read_output(custom(folder, name, "--scores", "mine.csv", *FEW, "--format", "json"))
    assert [row["metric"] for row in alone["rows"]] == ["mine"]
    beside = read_output(
        custom(
            folder, name, "--scores", "mine.csv", "--metrics", "rouge_l", *FEW, "--format", "json"
        )
    )
    ours, mine = beside["rows"]
    assert (ours.pop("metric"), mine.pop("metric")) == ("rouge_l", "mine")
    assert ours == mine


def test_time(folder: Path) -> None:
    data = read_output(
        custom(folder, "ratings.jsonl", *METRICS, "--time", "--quiet", "--format", "json")
    )
    assert [(row["metric"], row["captions"]) for row in data["rows"]] == [
        ("bleu", 12),
        ("rouge_l", 12),
    ]
    loud = custom(folder, "ratings.jsonl", *METRICS, "--time")
    assert "seconds" in loud.stdout and loud.stderr == "captious: bleu\ncaptious: rouge_l\n"


def test_output_has_everything_whatever_is_printed(folder: Path) -> None:
    done = custom(folder, "ratings.jsonl", *METRICS, *FEW, "--output", "all.json")
    assert done.stdout.startswith("custom:")
    data = read_output(custom(folder, "ratings.jsonl", *METRICS, *FEW, "--format", "json"))
    assert json.loads((folder / "all.json").read_text()) == data


@pytest.mark.slow
def test_plots(folder: Path) -> None:
    done = custom(
        folder, "ratings.jsonl", *METRICS, *FEW, "--plot", "bars.svg", "--scatter", "points.png"
    )
    assert done.returncode == 0, done.stderr
    drawn = (folder / "bars.svg").read_text()
    assert "<svg" in drawn and "rouge_l" in drawn and "tau_c" in drawn
    assert (folder / "points.png").read_bytes().startswith(b"\x89PNG")


def test_all_benchmarks_say_what_is_absent(tmp_path: Path) -> None:
    lines = [f"{name}.jpg#{i}\t{text}" for name, own in REFERENCES.items()
             for i, text in enumerate([*own, f"{own[0]} today", f"{own[1]} now"])]  # fmt: skip
    (tmp_path / "Flickr8k.token.txt").write_text("\n".join(lines) + "\n")
    said = [f"beach.jpg\t{name}.jpg#1\t{n}\t1\t2\n" for n, name in enumerate(REFERENCES) if n]
    (tmp_path / "ExpertAnnotations.txt").write_text("".join(said))
    done = captious("meta", "all", "--data", ".", *METRICS, *FEW, "--format", "json", cwd=tmp_path)
    data = read_output(done)
    assert [each["benchmark"] for each in data["evaluations"]] == ["flickr8k-expert"]
    assert "pascal-50s" in data["absent"] and "https://" in data["absent"]["composite"]


def test_systems_option_takes_results_of_other_systems(tmp_path: Path) -> None:
    teams = ["NeuralTalk", "Montreal/Toronto", "m-RNN", "m-RNN (Baidu/ UCLA)"]
    board = [
        {"team": {"name": team}, "results": {f"q{m}": place * m for m in range(1, 6)}}
        for place, team in enumerate(teams)
    ]
    (tmp_path / "cap_challenge2015.json").write_text(json.dumps(board))
    rows = [{"image_id": i, "caption": text} for i, own in enumerate(REFERENCES.values())
            for text in own]  # fmt: skip
    (tmp_path / "captions_val2014.json").write_text(json.dumps({"annotations": rows}))
    folder = tmp_path / "theirs"
    folder.mkdir()
    files = ["captions_val2014_NeuralTalk_results", "montreal_toronto", "mRNN", "m-RNN-Baidu-UCLA"]
    for place, name in enumerate(files):
        results = [
            {"image_id": i, "caption": own[0] if i < place else "a car"}
            for i, own in enumerate(REFERENCES.values())
        ]
        (folder / f"{name}.json").write_text(json.dumps(results))
    command = ("meta", "coco-2015", "--data", ".", "--systems", "theirs", "--protocol", "lceval")
    data = read_output(captious(*command, *METRICS, *FEW, "--format", "json", cwd=tmp_path))
    assert list(data["parts"]) == ["M1", "M2", "M3", "M4", "M5"]
    for part in data["parts"].values():
        assert [row["metric"] for row in part] == ["bleu_1", "rouge_l"]
        assert all(row["n"] == 4 and 0 < row["p_value"] < 0.1 < row["pearson"] for row in part)
        assert all(len(row["interval"]["pearson"]) == 2 for row in part)
    text = captious(*command, *METRICS, *FEW, cwd=tmp_path).stdout
    assert text.startswith("coco-2015: 4 systems") and "p of Pearson's r" in text
    (folder / "LeicNet.json").write_text("[]")
    done = captious(*command, *METRICS, *FEW, cwd=tmp_path)
    assert done.returncode == 2 and "no team is called 'LeicNet'" in done.stderr


RATED = ["meta", "custom", "--judgements", "ratings.jsonl", *METRICS, "--quiet"]
PAIRS = ["meta", "custom", "--judgements", "pairs.jsonl", *METRICS, "--quiet"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["meta", "flickr8k-expert"], "with --data; they come from"),
        (["meta", "flickr8k-expert", "--data", "."], "get it from"),
        (["meta", "all"], "name the folder of its files with --data"),
        (["meta", "all", "--data", "."], "no benchmark's files are there"),
        (["meta", "all", "--data", ".", "--time"], "--time is for one benchmark"),
        (["meta", "flickr9k", "--data", "."], "invalid choice"),
        (["meta"], "required"),
        (["meta", "custom"], "name your judgements with --judgements"),
        (["meta", "custom", "--judgements", "absent.csv"], "absent.csv: cannot be read"),
        (["meta", "composite", "--judgements", "ratings.jsonl"], "--judgements is for custom"),
        ([*RATED, "--metrics", "cidr"], "did you mean"),
        ([*RATED, "--metrics", ","], "no metrics"),
        ([*RATED, "--protocol", "clipscore"], "says nothing of 'custom'"),
        ([*RATED, "--protocol", "mine"], "invalid choice"),
        ([*RATED, "--statistic", "accuracy"], "accuracy is of preferences"),
        ([*RATED, "--pool", "max"], "--pool needs --references"),
        ([*RATED, "--references", "1", "--pool", "median"], "cannot pool by 'median'"),
        ([*RATED, "--references", "1,two"], "first:5 for the first five, not 'two'"),
        ([*RATED, "--references", "first:0"], "first:5 for the first five, not 'first:0'"),
        ([*RATED, "--references", ","], "numbers of references: none is given"),
        ([*RATED, "--versus", "bleu_1"], "--versus takes two names"),
        ([*RATED, "--versus", "bleu_1,nothing"], "no column 'nothing'"),
        ([*RATED, "--own-scores", "nothing"], "no column 'nothing'"),
        ([*RATED, "--own-scores", "candidate"], "'candidate' must be a number"),
        ([*RATED, "--df", "coco-val2014", "--documents", "pair"], "--df and --documents both"),
        ([*RATED, "--df", "coco-val2014"], "has the option 'df'"),
        ([*RATED, "--metrics", "cider_d", "--df", "nothing"], "nothing: no document"),
        ([*RATED, "--versus", "bleu_1,meteor"], "no metric named 'meteor'"),
        ([*RATED, "--resamples", "-1"], "argument --resamples: a whole number from 0"),
        ([*RATED, "--plot", "x.gif", "--output", "x.json"], "x.gif: plots are written as"),
        ([*RATED, "--plot", "x.svg", "--scatter", "y.pdf"], "y.pdf: plots are written as"),
        ([*RATED, "--plot", "no/where.svg"], "no/where.svg"),
        ([*RATED, "--versus", "bleu_1,rouge_l", "--plot", "x.svg"], "--plot draws one benchmark"),
        ([*PAIRS, "--plot", "x.svg", "--scatter", "y.svg"], "these are no ratings"),
        ([*RATED, "--output", "x.csv"], "name the file .json"),
        ([*RATED, "--samples", "x.txt"], "unknown kind of file"),
        ([*RATED, "--samples", "ratings.jsonl"], "would be overwritten"),
        (["meta", "custom", "--judgements", "ratings.json", "--output", "./ratings.json"],
         "would be overwritten"),
        ([*RATED, "--scores", "absent.csv"], "absent.csv: cannot be read"),
        ([*RATED, "--scores", "ratings.jsonl"], "ratings.jsonl"),
        (["robustness"], "give --data DIR"),
        (["robustness", "--data", "nowhere"], "nowhere: no Flickr8k.token.txt"),
        (["robustness", "--data", ".", "--metrics", "cidr"], "did you mean"),
        (["robustness", "--data", ".", "--kind", "nonsense"], "invalid choice"),
        (["robustness", "--data", ".", "--output", "x.csv"], "name the file .json"),
        (["robustness", "--data", ".", "--plot", "x.gif"], "x.gif: plots are written as"),
        (["robustness", "--data", ".", "--seed", "-1"], "seed"),
    ],
)  # fmt: skip
def test_invalid_arguments_give_a_one_line_error_and_write_nothing(
    arguments: list[str], message: str, folder: Path
) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done = captious(*arguments, cwd=folder)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr
    assert done.stdout == ""
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("statistic", ["acc_eq", "acc_eq_image"])
def test_pairwise_accuracy(folder: Path, statistic: str) -> None:
    asked = ("--statistic", statistic, *METRICS, *FEW)
    text = custom(folder, "ratings.jsonl", *asked)
    assert "pairwise accuracy with calibrated ties" in text.stdout and "mean rating" in text.stdout
    assert "epsilon" in text.stdout and text.stdout.startswith("custom: 12 ratings")
    data = read_output(custom(folder, "ratings.jsonl", *asked, "--format", "json"))
    assert data["statistic"] == statistic and data["protocol"]["raters"] == "mean"
    assert all(0 <= row[statistic] <= 1 and row["epsilon"] >= 0 for row in data["rows"])
    versus = read_output(
        custom(folder, "ratings.jsonl", *FEW, "--statistic", statistic, "--versus",
               "bleu_1,rouge_l", "--format", "json", "--metrics", "bleu_1,rouge_l")
    )  # fmt: skip
    assert [test["name"] for test in versus["tests"]] == ["bootstrap", "williams"]


@pytest.mark.slow
def test_ceiling_is_the_agreement_among_raters(folder: Path) -> None:
    text = custom(folder, "ratings.jsonl", *METRICS, *FEW, "--ceiling")
    assert "best possible metric" in text.stdout and "Krippendorff's alpha" in text.stdout
    data = read_output(
        custom(folder, "ratings.jsonl", *METRICS, *FEW, "--ceiling", "--format", "json")
    )
    assert data["raters"]["statistic"] == "kendall_c"
    assert data["raters"]["ceiling"]["value"] >= data["raters"]["one_rater"]["value"]
    plain = read_output(custom(folder, "ratings.jsonl", *METRICS, *FEW, "--format", "json"))
    assert {**plain, "raters": data["raters"]} == data
    done = custom(folder, "pairs.jsonl", *METRICS, "--ceiling")
    assert done.returncode == 2 and "every caption has one" in done.stderr
    done = custom(folder, "ratings.jsonl", *METRICS, "--ceiling", "--time")
    assert done.returncode == 2 and "--ceiling shows one evaluation" in done.stderr
    page = custom(folder, "ratings.jsonl", *METRICS, *FEW, "--ceiling", "--report", "r.html")
    assert page.returncode == 0 and (folder / "r.html").exists()


def test_how_many_images_tell_two_metrics_apart(folder: Path) -> None:
    asked = ("--versus", "bleu_1,rouge_l", "--power", *FEW)
    data = read_output(custom(folder, "ratings.jsonl", *asked, "--format", "json"))
    assert (data["a"], data["b"]) == ("bleu_1", "rouge_l") and data["rows"][-1]["images"] >= 6
    text = custom(folder, "pairs.jsonl", *asked)
    assert text.returncode == 0 and "right sign" in text.stdout
    done = custom(folder, "ratings.jsonl", *METRICS, "--power")
    assert done.returncode == 2 and "--power needs --versus A,B" in done.stderr


def test_aspects_in_one_table(folder: Path) -> None:
    rows = json.loads((folder / "ratings.json").read_text())
    for place, row in enumerate(rows):
        row |= {"fluency": place % 3, "relevance": [place % 4, 2]}
    (folder / "aspects.json").write_text(json.dumps(rows))
    asked = ("--ratings", "fluency,relevance", *METRICS, *FEW)
    text = custom(folder, "aspects.json", *asked)
    assert "fluency" in text.stdout and "ratings of fluency 12, relevance 24" in text.stdout
    data = read_output(custom(folder, "aspects.json", *asked, "--format", "json"))
    alone = custom(folder, "aspects.json", "--ratings", "relevance", *METRICS, *FEW, "--format",
                   "json")  # fmt: skip
    assert data["aspects"]["relevance"] == read_output(alone)
    done = custom(folder, "aspects.json", *asked, "--versus", "bleu_1,rouge_l")
    assert done.returncode == 2 and "--versus is of one column of ratings" in done.stderr
    done = captious("meta", "composite", "--data", folder, "--ratings", "a")
    assert done.returncode == 2 and "--ratings is for custom" in done.stderr


def test_another_language(folder: Path) -> None:
    asked = ("--language", "de", *FEW, "--format", "json")
    data = read_output(custom(folder, "ratings.jsonl", *METRICS, *asked))
    assert "tokenizer:intl|language:de" in data["signature"]
    done = custom(folder, "ratings.jsonl", "--metrics", "meteor", *asked)
    assert done.returncode == 2 and "English only" in done.stderr
    done = custom(folder, "ratings.jsonl", *METRICS, *asked, "--report", "r.html")
    assert done.returncode == 2 and "--report is for English" in done.stderr


def test_candidates_among_their_references_are_noted(folder: Path) -> None:
    rows = json.loads((folder / "ratings.json").read_text())
    rows[0]["candidate"] = rows[0]["references"][0]
    (folder / "own.json").write_text(json.dumps(rows))
    done = custom(folder, "own.json", *METRICS, "--resamples", "0")
    assert done.returncode == 0 and "among their own references" in done.stderr
    assert "--own" in done.stderr
    done = custom(folder, "own.json", *METRICS, "--resamples", "0", "--own", "drop_reference")
    assert (done.returncode, done.stderr) == (0, "")
