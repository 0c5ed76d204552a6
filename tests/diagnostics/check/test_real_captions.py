"""Real captions: what is grave in them is so, and ordinary ones have nothing grave."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import captious
from tests.places import ROOT

GRAVE = {
    "COCO, people, among references": ["copies"],
    "descriptions by large models": ["length", "markup"],
    "descriptions, others": ["length"],
}


@pytest.mark.slow
def test_ordinary_real_captions_have_no_grave_finding(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    read_real_sets = importlib.import_module("measure_findings").read_real_sets
    seen = 0
    for name, candidates, references in read_real_sets(shared / "data"):
        beside = {image: references[image] for image in candidates}
        findings = captious.check(candidates, beside)
        assert [finding.name for finding in findings.grave] == GRAVE.get(name, []), name
        seen += 1
    assert seen == 22
