"""Metrics that read captions by a domain of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

import captious
from captious.errors import InputError
from captious.metrics.consensus.consensus import Consensus
from captious.metrics.form import Form
from captious.registry import select
from tests.made_up.tiny_domain import tiny_domain, write_domain


@pytest.mark.parametrize("name", ["consensus", "support", "form"])
def test_signatures_name_the_file_and_its_hash(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_domain(tmp_path / "mine.npz")
    monkeypatch.chdir(tmp_path)
    (metric,) = select(f"{name}(domain=mine.npz)").metrics
    hash = tiny_domain().fingerprint
    assert str(metric.signature()) == f"{name}(domain=mine.npz@{hash})"
    assert select(str(metric.signature())).metrics == (metric,)
    with pytest.raises(InputError, match="scores would differ"):
        select(f"{name}(domain=mine.npz@0123456789ab)")


def test_shipped_resources_keep_their_signature() -> None:
    assert str(Form().signature()) == "form(order=642679b6)"
    assert str(Consensus().signature()) == "consensus(space=captions@af68d6d7)"


def test_form_reads_the_domains_order() -> None:
    metrics = [Form(tiny_domain())]
    actual = captious.score(["dog runs dog", "runs runs dog"], [["dog"], ["dog"]], metrics)
    usual, odd = actual.samples["form"].tolist()
    assert usual == 1.0
    assert odd < 0.1


def test_support_reads_the_domains_space(tmp_path: Path) -> None:
    path = write_domain(tmp_path / "mine.npz")
    actual = captious.score(["dog", "dog"], [["dog"], ["cat"]], f"support(domain={path})")
    assert actual.samples["support_precision"].tolist() == [1.0, 0.0]


def test_the_language_is_that_of_the_domain(tmp_path: Path) -> None:
    address = f"form(domain={write_domain(tmp_path / 'mine.npz', 'de')})"
    result = captious.score(["dog runs dog"], [["dog"]], address, language="de")
    assert result.corpus["form"] == 1.0
    with pytest.raises(InputError, match="in the language de, and the language is en"):
        captious.score(["dog"], [["dog"]], address)
    with pytest.raises(InputError, match="in the language de, and the language is fr"):
        captious.score(["dog"], [["dog"]], address, language="fr")


def test_invalid_domain_file_fails_early(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        Form(tmp_path / "none.npz")
    with pytest.raises(InputError, match="a Domain, a path or None"):
        Form(3)  # type: ignore[arg-type]
