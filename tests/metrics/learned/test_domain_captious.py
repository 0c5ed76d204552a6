"""`captious` from a file of one's own: weights and domain together."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import captious
from captious.cli.main import make_parser
from captious.errors import InputError
from captious.metrics.learned.captious import Captious, DomainCaptious
from captious.metrics.learned.weights import load_model
from captious.registry import select
from tests.made_up.tiny_domain import tiny_domain, write_domain_metric

CANDIDATES = ["dog runs dog", "runs runs dog", "cat"]
REFERENCES = [["dog", "runs"], ["dog", "runs"], ["dog"]]


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_domain_metric(tmp_path / "mine.npz")


def test_weights_file_is_a_metric(mine: Path) -> None:
    result = captious.score(CANDIDATES, REFERENCES, ["mine.npz", "consensus(domain=mine.npz)"])
    near = result.samples["consensus"]
    form = captious.score(CANDIDATES, REFERENCES, "form(domain=mine.npz)").samples["form"]
    chance = 1 / (1 + np.exp(2 - 4 * near))
    assert result.samples["mine"] == pytest.approx(chance * form)
    assert form[1] < 0.1 < form[0]


def test_signature_has_hashes_and_round_trips(mine: Path) -> None:
    (metric,) = select("mine.npz").metrics
    assert isinstance(metric, DomainCaptious)
    signature, domain = str(metric.signature()), tiny_domain().fingerprint
    assert signature.startswith(f"mine.npz@{load_model(mine).network.fingerprint}(")
    assert f"features=consensus(domain=mine.npz@{domain})+bleu" in signature
    assert f"form=form(domain=mine.npz@{domain})" in signature
    assert select(signature).metrics == (metric,)
    with pytest.raises(InputError, match="its hash is"):
        select("mine.npz@0123456789ab")


def test_weights_file_may_be_moved_and_renamed(mine: Path, tmp_path: Path) -> None:
    before = captious.score(CANDIDATES, REFERENCES, str(mine)).samples["mine"]
    other = mine.rename(tmp_path / "other.npz")
    result = captious.score(CANDIDATES, REFERENCES, f"{other}(column=ours)")
    assert result.samples["ours"].tolist() == before.tolist()
    assert "domain=other.npz@" in str(result.signature)


def test_equal_models_give_equal_files(mine: Path, tmp_path: Path) -> None:
    load_model(mine).save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == mine.read_bytes()


def test_captious_accepts_domain_file_as_weights(mine: Path) -> None:
    own = captious.score(CANDIDATES, REFERENCES, "mine.npz").samples["mine"]
    result = captious.score(CANDIDATES, REFERENCES, [Captious(mine)])
    assert result.samples["captious"].tolist() == own.tolist()
    assert Captious().domain_source() is None


def test_domain_metric_can_be_explained(mine: Path) -> None:
    explained = captious.explain("dog runs dog", ["dog", "runs"], "mine.npz")
    score = captious.score(CANDIDATES[:1], REFERENCES[:1], "mine.npz").samples["mine"][0]
    assert explained.score == pytest.approx(score)
    assert explained.form == 1.0


def test_the_command_says_which_language_it_is_for(
    mine: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = make_parser("metrics").parse_args(["metrics", "mine.npz"])
    options.run(options)
    assert "en, of which its domain was learned" in capsys.readouterr().out


def test_domain_metric_scores_its_own_language(tmp_path: Path) -> None:
    path = write_domain_metric(tmp_path / "mine.npz", "de")
    result = captious.score(CANDIDATES, REFERENCES, str(path), language="de")
    assert result.signature.count("language:de") == 1
    with pytest.raises(InputError, match=r"mine: learned from captions in the language de, and"):
        captious.score(CANDIDATES, REFERENCES, str(path))
