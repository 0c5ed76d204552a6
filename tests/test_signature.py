"""Addresses and signatures: whatever they hold, their text reads back as the same."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import captious
from captious.errors import InputError
from captious.metrics.declarations import METRICS
from captious.registry import select
from captious.signature import (
    MAX_CHARS,
    Address,
    Resource,
    Signature,
    parse_addresses,
    restate_bootstrap,
)

HASHES = st.text("0123456789abcdef", min_size=6, max_size=20)
NAMES = st.text(min_size=1, max_size=12).filter(lambda text: max(text) < "\ud800")
WORDS = st.text("abcdefghij_", min_size=1, max_size=8)
LEAVES = st.one_of(
    NAMES, st.builds(Resource, NAMES, HASHES), st.integers().map(str), st.floats().map(str)
)


def addresses(arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[Address]:
    listed = st.dictionaries(WORDS, arguments, min_size=1, max_size=3)
    plain = st.builds(Address.of, NAMES, listed, st.one_of(st.just(""), HASHES))
    in_files = st.builds(
        Address.of, NAMES.map(lambda name: f"{name}.py"), listed, HASHES, st.just("overlap")
    )
    return plain | in_files


ARGUMENTS: st.SearchStrategy[Any] = st.recursive(
    LEAVES,
    lambda inner: addresses(inner) | st.lists(addresses(inner) | NAMES, min_size=2, max_size=3),
    max_leaves=8,
)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(addresses(ARGUMENTS))
def test_an_address_reads_back_as_itself(address: Address) -> None:
    text = str(address)
    assert "|" not in text and "\n" not in text
    assert Address.parse(text) == address
    assert list(parse_addresses(f"{text} , {text}")) == [address, address]


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_addresses_or_an_error_of_one_line(text: str) -> None:
    try:
        listed = list(parse_addresses(text))
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert list(parse_addresses(",".join(map(str, listed)))) == listed


@pytest.mark.parametrize(
    ("text", "name", "hash", "function"),
    [
        ("mine.npz", "mine.npz", "", ""),
        ("a/b c/mine.npz@3b78198cae79", "a/b c/mine.npz", "3b78198cae79", ""),
        ("mine.py:overlap", "mine.py", "", "overlap"),
        ("mine.py@0f3a5c11d2e4:overlap", "mine.py", "0f3a5c11d2e4", "overlap"),
        (r"C:\metrics\mine.py:overlap", r"C:\metrics\mine.py", "", "overlap"),
        (r"C:\weights\mine.npz", r"C:\weights\mine.npz", "", ""),
        ('"odd, (name).npz"@3b78198cae79', "odd, (name).npz", "3b78198cae79", ""),
        ("me@home.npz", "me@home.npz", "", ""),
        (" cider_d ", "cider_d", "", ""),
    ],
)
def test_names_of_files(text: str, name: str, hash: str, function: str) -> None:
    address = Address.parse(text)
    assert (address.name, address.hash, address.function) == (name, hash, function)
    assert Address.parse(str(address)) == address


@pytest.mark.parametrize(
    "text",
    [
        *("(", ")", "=", "a(", "a)", "a(b", "a(b=", "a(b=c", "a(b=c))", "a b=c", '"a', 'a"b"'),
        *("a(b=c)d", "a(" * 50 + ")" * 50, "+", "a+b", "a(=b)", "x" * (MAX_CHARS + 1)),
    ],
)
def test_invalid_addresses_are_errors(text: str) -> None:
    with pytest.raises(InputError):
        select(text)


@pytest.mark.parametrize("name", [name for name in METRICS if not METRICS[name].needs_images])
def test_a_metric_s_signature_gives_the_same_metric_back(name: str) -> None:
    if not all(map(find_spec, METRICS[name].requires)):
        pytest.skip("needs a package that is not installed")
    signature = METRICS[name]().signature()
    assert Address.parse(str(signature)) == signature
    (metric,) = select(str(signature)).metrics
    assert type(metric) is METRICS[name] and metric.signature() == signature


@pytest.mark.parametrize(
    "address",
    [
        *("cider_d(sigma=4)", "cider_d(df=coco-val2014,n=2)", "cider(n=1)", "wmd(pool=mean)"),
        *("mowe(variant=released)", "hwcm_2(variant=released)", "nneval(variant=released)"),
        *("nneval(variant=published)", "lceval(variant=published)"),
        *("unigram_multiref(remove_stop_words=no,pooling=best)", "spider(df=coco-val2014)"),
    ],
)
def test_parameters_are_kept_in_the_signature(address: str) -> None:
    (metric,) = select(address).metrics
    message = dict(metric.signature().arguments)
    for name, value in Address.parse(address).arguments:
        known = message[name]
        assert (known.name if isinstance(known, Resource) else known) == value
    assert select(str(metric.signature())).metrics[0].signature() == metric.signature()


def test_another_hash_or_version_is_refused() -> None:
    with pytest.raises(InputError, match=r"df=coco-val2014@000000 was asked for, but here"):
        select("cider_d(df=coco-val2014@000000)")
    with pytest.raises(InputError, match=r"version=1\.4 was asked for, but here it is 1\.5"):
        select("meteor(version=1.4)")


def test_a_whole_signature_reads_back(
    candidates: dict[str, str], references: dict[str, list[str]]
) -> None:
    metrics = ["bleu", "cider_d(sigma=4)", "captious"]
    result = captious.score(candidates, references, metrics, df="coco-val2014")
    signature = Signature.parse(result.signature)
    assert str(signature) == result.signature
    assert signature.samples == len(candidates) and signature.tokenizer == "ptb"
    again = captious.score(candidates, references, list(map(str, signature.metrics)))
    assert again.signature == result.signature
    for name in ("bleu_4", "cider_d", "captious"):
        assert again.samples[name].tolist() == result.samples[name].tolist()


def test_reading_a_signature_opens_and_imports_nothing(tmp_path: Path) -> None:
    (tmp_path / "evil.py").write_text("raise SystemExit('run')")
    text = (
        f"captious:9|tokenizer:ptb|{tmp_path}/evil.py@0f3a5c11d2e4:run|absent.npz|"
        "no_such_metric(df=absent.json@123456)|bootstrap:1000,seed=0|images:1|references:1"
    )
    before = set(sys.modules)
    signature = Signature.parse(text)
    assert str(signature) == text and set(sys.modules) == before
    assert signature.metric("run") and signature.metric("absent") and not signature.metric("x")


@pytest.mark.parametrize("bootstrap", ["", "5", "1000,seed=0", "a,b,c,d"])
def test_any_bootstrap_and_counts_read_back(bootstrap: str) -> None:
    text = f"captious:1|tokenizer:ptb|bleu|bootstrap:{bootstrap}|images:{'9' * 5000}|references:x"
    signature = Signature.parse(text)
    assert str(signature) == text
    assert "bootstrap:5,seed=2,interval=bca|" in restate_bootstrap(text, 5, 2, "bca")


@pytest.mark.parametrize("text", ["", "x", "captious:1|bleu(", "tokenizer:ptb|bleu", "|" * 10])
def test_invalid_signatures_are_errors(text: str) -> None:
    with pytest.raises(InputError):
        Signature.parse(text)
