"""captious experiment: the list, the errors, and an experiment from end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from captious.cache import FOLDER_VARIABLE
from captious.cli.main import make_parser
from captious.errors import InputError
from tests.made_up.experiment_data import written


def run(*arguments: object) -> None:
    options = make_parser("experiment").parse_args(["experiment", *map(str, arguments)])
    options.run(options)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "cache"))
    folder = tmp_path / "data"
    folder.mkdir()
    return written(folder)


def test_without_a_name_it_lists(capsys: pytest.CaptureFixture[str]) -> None:
    run("--format", "json")
    names = [row["name"] for row in json.loads(capsys.readouterr().out)]
    assert "training-sets" in names and len(names) == 18


def test_mistakes_are_said(data: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no experiment 'tables'"):
        run("tables", "--data", data)
    with pytest.raises(InputError, match="--data DIR"):
        run("correlation")
    with pytest.raises(InputError, match="no such folder"):
        run("correlation", "--data", tmp_path / "none")
    with pytest.raises(InputError, match="name only one"):
        run("pairs", "times", "--data", data, "--plot", tmp_path / "a.svg")
    with pytest.raises(InputError, match="no captioners in it"):
        run("capability", "--data", data, "--captioners", tmp_path)
    with pytest.raises(InputError, match="name an experiment"):
        run("--captioners", tmp_path)
    with pytest.raises(InputError, match="with --captioners DIR"):
        run("word-frequencies", "--data", data)
    with pytest.raises(InputError, match="nothing to draw"):  # said before any work
        run("pairs", "--data", tmp_path, "--plot", tmp_path / "a.svg")


def test_that_pytorch_is_missing_is_said_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError):  # an empty folder
        run("network-depth", "--data", tmp_path)
    assert "PyTorch is not installed" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["dull", "vinyals2017"])
def test_times_need_a_system_with_images_of_five_references(data: Path, name: str) -> None:
    from captious.experiments.procedures.times import coco_captions
    from captious.experiments.workbench.bench import Workbench

    said = [{"image_id": 999, "caption": "a dog"}]  # of an image without references
    (data / "coco" / "systems_val2014" / f"{name}.json").write_text(json.dumps(said))
    with pytest.raises(InputError, match="no captions of vinyals2017"):
        coco_captions(Workbench(data), 3)


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
def test_chain_depth_end_to_end(
    data: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run("chain-depth", "--data", data, "--format", "json", "--quiet")
    (said,) = json.loads(capsys.readouterr().out)
    rows = said["tables"][0]["rows"]
    assert [row["length"] for row in rows] == ["1", "2", "3", "4"]
    assert [row["published"] for row in rows] == [0.292, 0.297, 0.293, 0.291]
    for how in ("candidate's", "reference's"):  # one length is the mean of itself
        ours = [rows[0][f"{how} chains: {which}"] for which in ("this length", "mean up to it")]
        assert ours[0] == ours[1]
    assert list((tmp_path / "cache" / "experiments").glob("scores-*.npz"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
def test_through_training_end_to_end_with_its_plot(
    data: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("matplotlib")
    plot = tmp_path / "training.svg"
    run("through-training", "--data", data, "--quick", "--plot", plot, "--format", "json")
    captured = capsys.readouterr()
    (said,) = json.loads(captured.out)
    assert "training lceval_semantic against shetty2017 1, random_caption 3" in captured.err
    assert len(said["tables"][0]["rows"]) == 8
    assert len(said["panels"][0]["curves"]["tau_b in validation"]) == 5  # epochs
    assert "lceval_syntactic" in plot.read_text()
    run("through-training", "--data", data, "--quick", "--format", "json")
    again = capsys.readouterr()
    assert json.loads(again.out) == [said]
    assert "training lceval" not in again.err  # networks were kept
