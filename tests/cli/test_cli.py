"""The command line: what it prints, writes and refuses."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import COMMAND, HASTY, REFERENCES, captious, score
from tests.places import EXAMPLES


@pytest.mark.slow
def test_score_prints_a_table() -> None:
    done = score("--df", "coco-val2014")
    assert done.returncode == 0, done.stderr
    for name in ("bleu_4", "rouge_l", "meteor", "cider_d"):
        assert name in done.stdout
    assert "captious:" in done.stdout


@pytest.mark.slow
def test_the_installed_command_says_the_same() -> None:
    assert COMMAND.exists(), "the package is not installed"
    words = ["score", HASTY, "--references", REFERENCES, "--metrics", "bleu,cider_d"]
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False)
    here = captious(*words)
    assert (done.returncode, done.stdout, done.stderr) == (0, here.stdout, here.stderr)
    assert "cider_d" in done.stdout


def test_score_as_json_is_the_documented_form() -> None:
    done = score("--format", "json", "--metrics", "bleu_4,cider_d", "--df", "coco-val2014")
    data = json.loads(done.stdout)
    assert set(data) == {"n", "corpus", "interval", "signature"}
    assert data["n"] == 30 and set(data["corpus"]) == {"bleu_4", "cider_d"}
    low, high = data["interval"]["bleu_4"]
    assert low <= data["corpus"]["bleu_4"] <= high


@pytest.mark.parametrize("format", ["markdown", "latex"])
def test_other_formats(format: str) -> None:
    assert score("--format", format, "--metrics", "bleu").returncode == 0


@pytest.mark.slow
def test_score_writes_scores_and_compare_reads_them(tmp_path: Path) -> None:
    for system in ("careful", "hasty"):
        done = captious(
            "score", EXAMPLES / f"{system}.jsonl", "--references", REFERENCES, "--quiet",
            "--output", tmp_path / f"{system}.csv",
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
    done = captious("compare", "hasty.csv", "careful.csv", "--format", "json", cwd=tmp_path)
    rows = {row["metric"]: row for row in json.loads(done.stdout)["rows"]}
    assert rows["meteor"]["difference"] > 0 and rows["meteor"]["p_randomisation"] < 0.05
    header = (tmp_path / "hasty.csv").read_text().splitlines()[0]
    assert header.startswith(
        "id,candidate,references,bleu_1,bleu_2,bleu_3,bleu_4,rouge_l,meteor,cider_d"
    )


def test_notes_go_to_standard_error_and_can_be_silenced(tmp_path: Path) -> None:
    one = tmp_path / "one.jsonl"
    one.write_text(Path(HASTY).read_text().splitlines()[0])
    arguments = ["score", one, "--references", REFERENCES, "--metrics", "cider_d"]
    loud, quiet = captious(*arguments), captious(*arguments, "--quiet")
    assert "references without a candidate: 29" in loud.stderr
    assert "warning: cider_d: document frequencies from 1 image" in loud.stderr
    assert quiet.stderr == "" and quiet.stdout == loud.stdout


def test_metrics_and_doctor() -> None:
    listed = json.loads(captious("metrics", "--format", "json").stdout)
    assert "cider_d" in [row["metric"] for row in listed["metrics"]]
    checked = captious("doctor")
    assert checked.returncode == 0 and "numpy" in checked.stdout
    assert json.loads(captious("doctor", "--format", "json").stdout)["found"]


def test_df_converts_a_pickle(tmp_path: Path) -> None:
    pickled = tmp_path / "coco-train-words.p"
    counts = {("a",): 3.0, ("dog",): 2.0, ("a", "dog"): 2.0}
    pickled.write_bytes(pickle.dumps({"document_frequency": counts, "ref_len": 200}, 2))
    made = captious("df", pickled, "--output", tmp_path / "df.npz", "--format", "json")
    assert made.returncode == 0
    assert json.loads(made.stdout) == {
        "output": str(tmp_path / "df.npz"), "images": 200,
        "1-grams": 2, "2-grams": 1, "3-grams": 0, "4-grams": 0,
    }  # fmt: skip
    scored = [
        captious("score", HASTY, "--references", REFERENCES, "--metrics", "cider_d", "--df", df,
                 "--format", "json")
        for df in (pickled, tmp_path / "df.npz")
    ]  # fmt: skip
    one, other = (json.loads(each.stdout)["corpus"] for each in scored)
    assert one == other
    pickled.write_bytes(b"cposix\nsystem\n(S'ls'\ntR.")
    refused = captious("df", pickled, "--output", tmp_path / "no.npz")
    assert refused.returncode == 2
    assert "posix.system" in refused.stderr and refused.stderr.count("\n") == 1
    assert not (tmp_path / "no.npz").exists()


def test_df_makes_frequencies_that_score_takes(tmp_path: Path) -> None:
    path = tmp_path / "own.npz"
    made = captious("df", REFERENCES, "--output", path, "--format", "json")
    assert json.loads(made.stdout)["images"] == 30
    own = json.loads(score("--metrics", "cider_d", "--df", path, "--format", "json").stdout)
    default = json.loads(score("--metrics", "cider_d", "--format", "json").stdout)
    assert own["corpus"] == default["corpus"]
    again = tmp_path / "compact.npz"
    assert captious("df", path, "--compact", "--output", again).returncode == 0
    assert again.stat().st_size < path.stat().st_size


def test_df_cuts_as_the_language_asks(tmp_path: Path) -> None:
    rows = {"id": "a", "references": ["一只狗在草地上跑", "狗在跑"]}
    (tmp_path / "zh.jsonl").write_text(json.dumps(rows), encoding="utf-8")

    def sizes(*options: str) -> list[int]:
        made = captious(
            "df", "zh.jsonl", "--output", "zh.npz", "--format", "json", *options, cwd=tmp_path
        )
        return [json.loads(made.stdout)[f"{n}-grams"] for n in (1, 2)]

    assert sizes("--language", "zh-CN") == sizes("--tokenizer", "zh") == [8, 8]
    assert sizes("--language", "de") == sizes("--tokenizer", "intl") == [2, 0]
    assert sizes("--language", "zh", "--tokenizer", "whitespace") == [2, 0]
    assert sizes() == sizes("--tokenizer", "ptb")
    refused = captious("df", "zh.jsonl", "--output", "no.npz", "--language", "xx", cwd=tmp_path)
    assert refused.returncode == 2 and "unknown language 'xx'" in refused.stderr
    assert not (tmp_path / "no.npz").exists()


def test_an_input_is_never_overwritten(tmp_path: Path) -> None:
    own = tmp_path / "own.jsonl"
    own.write_text(Path(HASTY).read_text())
    done = captious("score", own, "--references", REFERENCES, "--output", own)
    assert done.returncode == 2 and "would be overwritten" in done.stderr
    assert own.read_text() == Path(HASTY).read_text()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_unwritable_standard_output_is_an_error() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [COMMAND, "metrics"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2 and "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score", "absent.json"], "absent.json: cannot be read"),
        (["score", HASTY], "no column 'references'"),
        (["score", HASTY, "--references", REFERENCES, "--metrics", "cidr"], "did you mean"),
        (["score", HASTY, "--references", REFERENCES, "--metrics", ","], "no metrics"),
        (["score", HASTY, "--references", REFERENCES, "--output", "no/where.csv"], "no/where.csv"),
        (["score", HASTY, "--references", REFERENCES, "--output", "x.txt"], "unknown kind of file"),
        (["score", HASTY, "--references", REFERENCES, "--df", "nothing"], "nothing: no document"),
        (["score", HASTY, "--references", REFERENCES, "--format", "yaml"], "invalid choice"),
        (["score"], "no candidates: name a file"),
        (["compare"], "required"),
        (["compare", HASTY, HASTY], "hasty.jsonl: given twice; each system once, or with names"),
        (["compare", HASTY], "one system alone; name two or more"),
        (["compare", HASTY, REFERENCES], "hasty.jsonl: no columns of scores beside the ids"),
        (["df", REFERENCES, "--output", "x.json"], "name the file .npz"),
        (["nonsense"], "unknown command 'nonsense'; there are: score, compare"),
        (["scroe"], "unknown command 'scroe'; did you mean score?"),
        (["critic", "trian"], "unknown command 'trian'; did you mean train?"),
        (["help", "scroe"], "did you mean score?"),
        (["--verison"], "unknown option '--verison'; did you mean --version?"),
        (
            ["score", HASTY, "--metrcs", "bleu"],
            "unknown option '--metrcs'; did you mean --metrics?",
        ),
        (["score", HASTY, "--metrcs=bleu"], "'--metrcs'; did you mean --metrics?"),
        (
            ["score", HASTY, REFERENCES],
            "no column 'references'; add one, or name them with --ref",
        ),
        (["doctor", REFERENCES], f"unexpected argument '{REFERENCES}'"),
        (["doctor", "--format", "jsn"], "did you mean json?"),
        (["doctor", "--quiet", "--verbose"], "contradict each other"),
        (["metrics", "nothing like it"], "unknown metric 'nothing like it'"),
    ],
)
def test_invalid_arguments_give_a_one_line_error_and_exit_code_2(
    arguments: list[str], message: str, tmp_path: Path
) -> None:
    done = captious(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr
    assert done.stdout == "" and list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root can write anywhere")
def test_a_folder_that_is_not_writable(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    done = score("--output", tmp_path / "x.csv")
    tmp_path.chmod(0o700)
    assert done.returncode == 2 and "cannot be written" in done.stderr


@pytest.mark.slow
def test_a_closed_pipe_is_no_error() -> None:
    if shutil.which("sh") is None:
        pytest.skip("needs a shell")
    line = f"{COMMAND} metrics | true"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_import_loads_nothing_heavy() -> None:
    heavy = ["torch", "pandas", "pyarrow", "scipy", "tqdm"]
    code = f"import captious, sys; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_guessed_columns_are_a_warning_in_every_command(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    path.write_text(
        '{"image": "1", "prediction": "a dog on a bench", "references": ["a dog", "a bench"]}\n'
    )
    for arguments in (
        ("score", path, "--metrics", "bleu"),
        ("score", path, "--metrics", "bleu", "--stream"),
        ("check", path),
        ("filter", path, "--where", "bleu_1 >= 0", "--output", tmp_path / "kept.jsonl"),
    ):
        done = captious(*arguments)
        assert done.returncode == 0, done.stderr
        assert "captious: warning: " in done.stderr and "id from 'image'" in done.stderr
    assert "1 sample\n" in captious("score", path, "--metrics", "bleu").stdout
    assert captious("check", path).stdout.startswith("1 sample, 2 references; ")
