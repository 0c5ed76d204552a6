"""The registry: one address for a metric, wherever metrics are named."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import captious
from captious.cli.main import main
from captious.errors import CaptiousError, InputError, UnknownMetricError
from captious.meta import evaluate, read_task
from captious.metrics.cider.cider import CiderD
from captious.metrics.declarations import METRICS
from captious.metrics.learned.features import Feature, FeatureSet
from captious.metrics.learned.metric import LearnedMetric
from captious.metrics.learned.network import new_network
from captious.metrics.learned.weights import LearnedModel, Scaling
from captious.metrics.leic.leic import Leic
from captious.registry import select
from captious.resources import LEARNED
from tests.places import EXAMPLES

OVERLAP = '''"""Metrics of somebody's own."""
from beside import least


def overlap(candidate, references):
    """The share of words that a reference has."""
    words = set(candidate.split())
    shares = [len(words & set(each.split())) / max(len(words), 1) for each in references]
    return max(least, *shares)


def fails(candidate, references):
    raise KeyError("nothing")


NUMBER = 5
'''
CANDIDATES = ["a dog runs", "a cat"]
REFERENCES = [["a dog is running", "a dog runs"], ["two men"]]


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a function and with weights, which is the one that commands run in."""
    (tmp_path / "mine.py").write_text(OVERLAP)
    (tmp_path / "beside.py").write_text("least = 0.0\n")
    features = FeatureSet.of(["bleu_1", "rouge_l"], name="lceval")
    scaling = Scaling(np.zeros(2), np.ones(2))
    LearnedModel(features, scaling, new_network(2, (3,), 0)).save(tmp_path / "mine.npz")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_naming_a_metric_imports_that_metric_and_no_other() -> None:
    code = (
        "import sys, captious\n"
        "assert not [name for name in sys.modules if name.startswith('captious.metrics')]\n"
        "list(captious.METRICS), captious.GROUPS\n"
        "assert not homes() - {'captious.metrics.function'}, homes()\n"
        "captious.score(['a dog'], [['a dog']], 'bleu_4')\n"
        "assert homes() == {'captious.metrics.function', 'captious.metrics.bleu'}, homes()\n"
    )
    homes = {f"captious.{each.class_path.partition(':')[0]}" for each in METRICS.declarations}
    define = f"def homes(): return {homes | {'captious.metrics.function'}!r} & set(sys.modules)\n"
    subprocess.run([sys.executable, "-c", f"import sys\n{define}{code}"], check=True)


@pytest.mark.slow
def test_scoring_waits_for_no_large_library_that_it_does_not_need() -> None:
    code = (
        "import sys, captious\n"
        "captions = ['a dog on the grass'] * 30\n"  # enough to be looked at for what is wrong
        "captious.score(captions, [[each] for each in captions], ['bleu', 'cider_d', 'meteor'])\n"
        "assert 'captious.diagnostics.check.evidence' in sys.modules\n"
        "assert not {'http.client', 'numpy.ma', 'pandas', 'threadpoolctl'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True)


def test_weights_and_functions_in_files(mine: Path) -> None:
    result = captious.score(CANDIDATES, REFERENCES, ["mine.npz", "mine.py:overlap", "bleu_1"])
    assert result.columns == ("mine", "overlap", "bleu_1")
    assert result.samples["overlap"].tolist() == [1.0, 0.0]
    again = captious.score(CANDIDATES, REFERENCES, LearnedMetric("mine.npz"))
    assert again.columns == ("lceval",)
    assert again.samples["lceval"].tolist() == result.samples["mine"].tolist()
    named = captious.score(CANDIDATES, REFERENCES, "mine.npz(column=ours)")
    assert named.columns == ("ours",)
    for each in (result, again, named):
        addresses = [str(metric.signature()) for metric in each.metrics]
        assert select(",".join(addresses)).columns[:1] == each.columns[:1]


def test_weights_that_ship_are_files_too() -> None:
    (critic,) = select(str(LEARNED / "leic_reference.npz")).metrics
    assert isinstance(critic, Leic) and "critic=leic_reference.npz@" in str(critic.signature())
    hash = critic.critics()[0].fingerprint
    assert select(f"{LEARNED / 'leic_reference.npz'}@{hash}").columns == ("leic",)
    with pytest.raises(InputError, match=f"its hash is {hash}, not 000000"):
        select(f"{LEARNED / 'leic_reference.npz'}@000000")
    (network,) = select(str(LEARNED / "nneval.npz")).metrics
    assert str(network.signature()).startswith("nneval.npz@") and network.columns == ("nneval",)


def test_a_group_takes_what_was_named_with_parameters() -> None:
    selection = select("cider_d(sigma=4),coco")
    assert dict(selection.metrics[0].signature().arguments)["sigma"] == "4"
    assert len(selection.metrics) == 5


def test_a_file_may_have_dataclasses_and_change_where_python_looks(mine: Path) -> None:
    (mine / "odd.py").write_text(
        "from __future__ import annotations\nimport sys\nfrom dataclasses import dataclass\n"
        "sys.path.insert(0, 'nowhere')\n"
        "@dataclass\nclass Score:\n    value: float = 0.5\n"
        "def half(candidate, references):\n    return Score().value\n"
    )
    before = list(sys.path)
    assert captious.score(CANDIDATES, REFERENCES, "odd.py:half").corpus == {"half": 0.5}
    assert sys.path == before


def test_addresses_work_in_every_interface(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    metrics = "mine.npz,mine.py:overlap,cider_d(sigma=4,df=coco-val2014)"
    files = [str(EXAMPLES / "careful.jsonl"), "--references", str(EXAMPLES / "references.jsonl")]
    assert main(["score", *files, "--metrics", metrics, "--output", "scores.csv"]) == 0
    assert main(["compare", "a=scores.csv", "b=scores.csv"]) == 0
    (mine / "ratings.csv").write_text(
        "candidate,references,rating\n"
        'a dog,"[""a dog runs""]",3\na cat,"[""a dog runs""]",1\nmen,"[""two men""]",2\n'
    )
    judged = ["meta", "custom", "--judgements", "ratings.csv", "--resamples", "0"]
    assert main([*judged, "--metrics", metrics, "--format", "json"]) == 0
    printed = capsys.readouterr().out
    assert all(f'"{column}"' in printed for column in ("mine", "overlap", "cider_d"))
    task = read_task("custom", data="ratings.csv")
    rows = evaluate(task, ["mine.py:overlap", "mine.npz"], resamples=0).agreements.rows
    assert [row.metric for row in rows] == ["overlap", "mine"]


def test_addresses_are_features_too() -> None:
    features = FeatureSet.of(["cider_d(sigma=4)", "hwcm_2(variant=released)", "bleu_4"])
    assert features.columns == ("cider_d", "hwcm_2", "bleu_4")
    assert features.features[0] == Feature("cider_d", (("sigma", 4.0),))
    assert features.features[1] == Feature("hwcm_2", (("variant", "released"),))
    with pytest.raises(InputError, match="no parameter 'sgma'; did you mean 'sigma'"):
        FeatureSet.of(["cider_d(sgma=4)"])
    with pytest.raises(UnknownMetricError, match="unknown column 'bleu'"):
        FeatureSet.of(["bleu"])


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("cider_d(sgma=4)", "no parameter 'sgma'; did you mean 'sigma'"),
        ("cider_d(sigma=four)", "sigma: a number from 1e-06 up to 1e+06, not 'four'"),
        ("cider_d(sigma=-1)", "sigma: a number from 1e-06 up to 1e+06, not -1"),
        ("cider_d(n=2.5)", "n: a whole number from 1 up to 4, not '2.5'"),
        ("cider_d(4)", "no parameter ''"),
        ("wmd(pool=median)", "unknown pool 'median'; choose one of: max, mean, min"),
        ("bertscore(idf=maybe)", "idf: True or False, not 'maybe'"),
        ("bleu(smooth=1)", "no parameter 'smooth'; it has none"),
        ("coco(n=2)", "a group takes no parameters"),
        ("cider_d,cider_d(sigma=4)", "asked for twice"),
        ("cider_d(sigma=4),cider_d", "asked for twice"),
        ("coco,cider_d(sigma=4)", "asked for twice"),
        ("cider_d@123456", "a file has a hash, a metric has none"),
        ("mine.py:overlp", "no function 'overlp'; did you mean 'overlap'"),
        ("mine.py:NUMBER", "no function 'NUMBER'"),
        ("mine.py:overlap(x=1)", "no parameter 'x'"),
        ("mine.py@000000:overlap", "its hash is"),
        ("mine.npz@000000", "its hash is"),
        ("writes.py@000000:overlap", "its hash is"),
        ("leaves.py:overlap", "leaves.py: cannot be run (SystemExit: 3)"),
        ("cider_d(sigma=4,sigma=5)", "sigma is given twice"),
        ("meteor(version=1.5,version=1.4)", "version is given twice"),
        ("cider_d(df=bleu(n=4))", "cider_d: df: "),
        ("cider_d(df=a+b)", "cider_d: df: "),
        ("mine.npz(colum=a)", "no parameter 'colum'; did you mean 'column'"),
        ("absent.npz", "absent.npz: cannot be read"),
        ("absent.py:overlap", "absent.py: cannot be read"),
        ("broken.py:overlap", "broken.py: cannot be run"),
        ("mine.py:fails", "fails for 'a dog runs'"),
        ("cider_dd", "did you mean 'cider_d'"),
        ("mine.py", "name a function in this file, as in mine.py:overlap"),
        ("mine.py:", "name a function in this file, as in mine.py:overlap"),
        ("clash.py:bleu,coco", "bleu: two metrics have this column"),
        ("clash.py:bleu,bleu", "bleu: two metrics have this column"),
        ("bleu,clash.py:bleu", "bleu: two metrics have this column"),
        ("clash.py:bleu_1,bleu", "bleu_1: two metrics have this column"),
        ("bleu,clash.py:bleu_1", "bleu_1: two metrics have this column"),
        ("mine.npz(column=cider_d),cider_d", "cider_d: two metrics have this column"),
        ("mine.npz(column=cider_d),coco", "cider_d: two metrics have this column"),
        ("mine.npz,clash.py:mine", "mine: two metrics have this column"),
        ("mine.npz,mine.npz", "asked for twice"),
    ],
)
def test_invalid_addresses_are_one_line_errors(mine: Path, address: str, message: str) -> None:
    (mine / "broken.py").write_text("def overlap(candidate, references:\n")
    (mine / "leaves.py").write_text("raise SystemExit(3)\n")
    (mine / "writes.py").write_text("open('written', 'w').close()\n")
    names = ("bleu", "bleu_1", "mine")
    (mine / "clash.py").write_text(
        "".join(f"def {each}(c, r):\n    return 0.5\n" for each in names)
    )
    with pytest.raises(CaptiousError) as caught:
        captious.score(CANDIDATES, REFERENCES, address)
    assert message in str(caught.value) and "\n" not in str(caught.value)
    assert not (mine / "written").exists(), "a file of another hash was run"


def test_names_are_not_guessed() -> None:
    for name in ("cider_d(sigma=5)", "cider_d"):
        with pytest.raises(InputError, match="cider_d: asked for twice"):
            select([CiderD(sigma=4), name])
    with pytest.raises(InputError, match="leic: asked for twice"):
        select(f"{LEARNED / 'leic_reference.npz'},leic")
    selection = select([CiderD(sigma=4), "coco"])
    assert selection.metrics[0] == CiderD(sigma=4) and len(selection.metrics) == 5
    assert select("bleu_1,bleu_4,bleu").columns == ("bleu_1", "bleu_4", "bleu_2", "bleu_3")
    assert len(select("coco,cider_d,bleu_4").metrics) == 5


def test_options_are_defaults_of_metric_parameters() -> None:
    selection = select("cider_d(df=references),cider,bleu", {"df": "coco-val2014"})
    own, shipped, _ = (dict(metric.signature().arguments).get("df") for metric in selection.metrics)
    assert own == "references" and str(shipped).startswith("coco-val2014@")
    assert select(selection) is selection
    with pytest.raises(InputError, match="metric objects take"):
        select(selection, {"df": "coco-val2014"})


def test_parameters_of_what_a_file_holds(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", "mine.npz", "--format", "json"]) == 0
    described = json.loads(capsys.readouterr().out)
    assert described["columns"] == ["mine"]
    assert "column" in [each["parameter"] for each in described["parameters"]]
    assert main(["metrics", "mine.py:overlap"]) == 0
    assert main(["metrics", "absent.npz"]) == 2
    assert "absent.npz: cannot be read" in capsys.readouterr().err


def test_explain_takes_an_address(capsys: pytest.CaptureFixture[str]) -> None:
    captions = ["a cat", "a dog"]
    weights = LEARNED / "captious.npz"
    assert main(["explain", *captions, "--metric", f"captious(weights={weights})"]) == 0
    given = capsys.readouterr().out
    assert main(["explain", *captions]) == 0
    assert capsys.readouterr().out == given
    mistakes = {
        "bleu": "bleu cannot be explained",
        "captius": "did you mean",
        "captious,bleu": "one metric is explained at a time, not 'captious,bleu'",
    }
    for address, message in mistakes.items():
        assert main(["explain", *captions, "--metric", address]) == 2
        assert message in capsys.readouterr().err


def test_a_metric_s_parameters_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", "cider_d"]) == 0
    printed = capsys.readouterr().out
    assert "sigma" in printed and "6.0" in printed and "the width of the length penalty" in printed
    assert main(["metrics", "hwcm_2", "--format", "json"]) == 0
    assert '"one of paper, released, published"' in capsys.readouterr().out
    assert main(["metrics", "coco"]) == 0
    printed = capsys.readouterr().out
    assert "spice" in printed and "cider_d" in printed and "wmd" not in printed
    assert main(["metrics", "cider_e"]) == 2
    assert "did you mean 'cider_d'" in capsys.readouterr().err
