"""Training on captions of one's own: with one's own judgements, or with none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from captious.cli.main import main
from captious.metrics.learned.weights import load_model
from captious.training.learned_metrics import job as job_module
from captious.training.learned_metrics.negatives import MACHINE_DEFAULT, NO_MACHINE_DEFAULT
from tests.made_up import flickr8k
from tests.made_up.captions_to_learn import machine, people

pytest.importorskip("torch")

TOML = """
feature = ["bleu_1", "rouge_l", "cider_d"]
[training]
hidden = [6]
learning_rate = 0.05
epochs = 20
batch = 32
"""
Run = Callable[..., tuple[int, Any]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `captious train mine.toml` beside a user's files; return code and output."""
    monkeypatch.chdir(tmp_path)
    human = people(60)
    rows = [{"image_id": image, "caption": text} for image in human for text in human[image]]
    Path("people.json").write_text(json.dumps({"annotations": rows}))
    written = [{"image_id": image, "caption": text} for image, text in machine(60).items()]
    Path("system.json").write_text(json.dumps(written))
    Path("mine.toml").write_text(TOML)

    def run_train(*options: str, human: str = "people.json") -> tuple[int, Any]:
        given = ("mine.toml", "--human", human, "--output", "mine.npz", *options)
        code = main(["train", *given])
        return code, capsys.readouterr()

    return run_train


def write_ratings(path: str, images: range, column: str = "rating", **more: Any) -> None:
    """Human captions rated above a machine's."""
    rows = [
        {"candidate": text, "references": own[1:4], column: rating, **more}
        for image, own in people(100).items()
        if int(image[1:]) in images
        for text, rating in ((own[0], 4), (machine(100)[image], 1))
    ]
    Path(path).write_text(json.dumps(rows))


def write_preferences(path: str) -> None:
    rows = [
        {"candidates": [machine(100)[image], own[0]], "references": own[1:4], "preferred": 1}
        for image, own in list(people(100).items())[80:]
    ]
    Path(path).write_text(json.dumps(rows))


def test_without_judgements_images_are_held_out(run: Run) -> None:
    code, printed = run("--machine", "system.json", "--format", "json")
    assert code == 0
    result = json.loads(printed.out)
    assert result["validation"]["measure"] == "pair_accuracy"
    assert result["validation"]["name"] == "6 held-out images"
    assert result["counts"]["images given"] == 54
    assert result["validation"]["value"] == max(p["pair_accuracy"] for p in result["curve"])
    assert result["figures"] == {}
    (line,) = printed.err.splitlines()
    assert "no human judgements were used: validated on 18 pairs" in line
    card = Path("mine.md").read_text()
    assert "No human judgements were used" in card and "pairwise accuracy on 6 held" in card
    assert load_model("mine.npz").notes["pair_accuracy"] == result["validation"]["value"]


def test_text_output_has_the_measure_and_the_best_feature(run: Run) -> None:
    _, printed = run("--machine", "system.json")
    rows = [line.split("  ")[0] for line in printed.out.splitlines()]
    assert "pairwise accuracy in validation" in rows
    assert any(row.startswith("the same of ") and row.endswith(" alone") for row in rows)
    _, quiet = run("--machine", "system.json", "--quiet")
    assert quiet.err == ""


@pytest.mark.parametrize("with_machine", [True, False])
def test_the_default_mixture_depends_on_machine_captions(run: Run, with_machine: bool) -> None:
    options = ("--machine", "system.json") if with_machine else ()
    default = MACHINE_DEFAULT if with_machine else NO_MACHINE_DEFAULT
    shares = ",".join(f"{kind}={share}" for kind, share in default.items())
    _, printed = run(*options, "--format", "json")
    first = Path("mine.npz").read_bytes()
    run(*options, "--mixture", shares, "--format", "json")
    assert Path("mine.npz").read_bytes() == first
    assert ("system" in str(json.loads(printed.out)["counts"])) == with_machine


def test_validation_by_own_ratings_is_what_meta_measures(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    write_ratings("ratings.json", range(70, 100))
    code, printed = run("--judgements", "ratings.json", "--format", "json")
    assert code == 0
    validation = json.loads(printed.out)["validation"]
    assert (validation["name"], validation["measure"]) == ("ratings.json", "tau")
    command = "meta custom --judgements ratings.json --metrics mine.npz --format json --resamples 0"
    assert main(command.split()) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert validation["value"] == pytest.approx(row["kendall_b"], abs=1e-9)


def test_validation_by_own_preferences(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    write_preferences("pairs.json")
    code, printed = run("--judgements", "pairs.json", "--format", "json")
    assert code == 0
    validation = json.loads(printed.out)["validation"]
    assert validation["measure"] == "pair_accuracy"
    command = "meta custom --judgements pairs.json --metrics mine.npz --format json --resamples 0"
    assert main(command.split()) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert validation["value"] == pytest.approx(row["accuracy"]["mean"], abs=1e-9)


def test_another_column_of_ratings(run: Run) -> None:
    write_ratings("ratings.json", range(70, 100), "fluency")
    code, printed = run("--judgements", "ratings.json")
    assert code == 2 and "'rating'" in printed.err and printed.err.count("\n") == 1
    assert run("--judgements", "ratings.json", "--ratings", "fluency")[0] == 0
    assert run("--ratings", "fluency")[0] == 2


@pytest.mark.parametrize("column", ["image", None])
def test_judged_images_are_not_trained_on(run: Run, column: str | None) -> None:
    """By their ids, and where they have none by their captions."""
    rows = [
        {"candidate": f"words {image}", "references": [f"other words {image}"],
         "rating": image % 4, "image": f"i{image}"}
        for image in range(10)
    ]  # fmt: skip
    if column is None:
        rows = [
            {"candidate": own[0], "references": own[1:3], "rating": int(image[1:]) % 4}
            for image, own in list(people(10).items())
        ]
    Path("ratings.json").write_text(json.dumps(rows))
    _, printed = run("--judgements", "ratings.json", "--format", "json")
    counts = json.loads(printed.out)["counts"]
    reason = "judged images" if column else "images with a judged caption"
    assert counts[reason] == 10 and counts["images used"] == 50


def test_all_images_judged_is_an_error(run: Run) -> None:
    write_ratings("ratings.json", range(60))
    code, printed = run("--judgements", "ratings.json")
    assert code == 2
    assert "60 images given, 60 images with a judged caption" in printed.err


def test_own_judgements_go_before_the_benchmarks(run: Run, tmp_path: Path) -> None:
    write_ratings("ratings.json", range(70, 100))
    flickr8k.written(tmp_path / "data")
    options = ("--judgements", "ratings.json", "--data", "data", "--format", "json")
    code, printed = run(*options)
    result = json.loads(printed.out)
    assert code == 0 and result["validation"]["name"] == "ratings.json"
    card = Path("mine.md").read_text()
    assert "ratings.json were left out" in card and "Images of the benchmarks" in card


def test_a_network_below_a_feature_is_reported(run: Run) -> None:
    write_ratings("ratings.json", range(70, 100))  # which ROUGE-L tells apart perfectly
    code, printed = run("--judgements", "ratings.json", "--format", "json")
    validation = json.loads(printed.out)["validation"]
    best = validation["best_feature"]
    assert code == 0 and validation["value"] < best["value"]
    (line,) = printed.err.splitlines()
    for text in (best["column"], f"{best['value']:.4f}", f"{validation['value']:.4f}"):
        assert text in line
        assert text in Path("mine.md").read_text()
    assert "In validation on ratings.json" in Path("mine.md").read_text().replace("\n  ", " ")


def test_ids_that_do_not_match_are_shown(run: Run) -> None:
    written = [{"image_id": n, "caption": "a dog"} for n in range(9)]
    Path("other.json").write_text(json.dumps(written))
    code, printed = run("--machine", "other.json")
    assert code == 2 and printed.err.count("\n") == 1
    for text in ("other.json", "people.json", "'0'", "'i0'"):
        assert text in printed.err
    written += [{"image_id": "i3", "caption": "a dog"}, {"image_id": "i4", "caption": "a dog"}]
    Path("other.json").write_text(json.dumps(written))
    code, printed = run("--machine", "other.json", "--mixture", "machine=1")
    assert "9 of 11 ids" in printed.err


@pytest.mark.parametrize(
    ("name", "word"), [("human.json", "'human'"), ("word_permutation.json", "'word_permutation'")]
)
def test_a_machine_is_not_named_like_other_captions(run: Run, name: str, word: str) -> None:
    Path("system.json").rename(name)
    code, printed = run("--machine", name)
    assert code == 2 and word in printed.err and "rename" in printed.err


def test_two_machines_have_two_names(run: Run) -> None:
    Path("b").mkdir()
    Path("b/system.json").write_bytes(Path("system.json").read_bytes())
    code, printed = run("--machine", "system.json", "--machine", "b/system.json")
    assert code == 2 and "rename" in printed.err and printed.err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--machine", "system.json", "--mixture", "random_caption=1"), "no machine's captions"),
        (("--judgements", "absent.csv"), "absent.csv"),
        (("--judgements", "system.json"), "system.json"),
        (("--machine", "people.json", "--references", "6"), "0 of 60 images"),
        (("--mixture", "machine=1"), "no machine captions"),
        (("--judgements", "people.json", "--data", "absent"), "people.json"),
    ],
)
def test_mistakes_get_one_line_and_leave_no_files(
    run: Run, options: tuple[str, ...], word: str
) -> None:
    before = sorted(Path().rglob("*"))
    code, printed = run(*options)
    assert code == 2 and printed.out == ""
    assert word in printed.err and printed.err.count("\n") == 1
    assert sorted(Path().rglob("*")) == before


def test_interrupted_training_resumes_to_the_same_bits(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    class StoppedError(Exception):
        pass

    def stop(*arguments: Any, **options: Any) -> None:
        raise StoppedError

    options = ("--machine", "system.json", "--checkpoint", "state.npz")
    with monkeypatch.context() as patch:
        patch.setattr(job_module, "model_card", stop)
        with pytest.raises(StoppedError):
            run(*options)
    assert Path("state.npz").exists() and not Path("mine.npz").exists()
    assert run(*options)[0] == 0
    resumed = Path("mine.npz").read_bytes()
    Path("state.npz").unlink()
    run("--machine", "system.json")
    assert Path("mine.npz").read_bytes() == resumed
    run("--machine", "system.json", "--checkpoint", "state.npz")
    code, printed = run("--mixture", "random_caption=1", "--checkpoint", "state.npz")
    assert code == 2 and "another training" in printed.err


def test_the_plot_shows_pairwise_accuracy(run: Run) -> None:
    pytest.importorskip("matplotlib")
    assert run("--machine", "system.json", "--plot", "curve.svg")[0] == 0
    assert "pairwise accuracy in validation" in Path("curve.svg").read_text()
