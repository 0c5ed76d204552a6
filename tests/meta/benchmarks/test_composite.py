"""Composite: who wrote a caption, and which references papers leave it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from captious.errors import InputError
from captious.meta.benchmarks.composite import COMPOSITE
from captious.meta.evaluation import judged
from captious.meta.judgements import Ratings
from captious.meta.presets import preset
from captious.meta.protocol import Protocol


def test_composite_groups_are_the_writers(tmp_path: Path) -> None:
    rows = [
        {"image_id": "x", "caption": f"caption {i}", "human_rating": 5 - i, "refs": ["r", "s"]}
        for i in range(3)
    ]
    (tmp_path / "composite.jsonl").write_text("\n".join(map(json.dumps, rows)))
    composite = COMPOSITE.load(tmp_path)
    assert isinstance(composite, Ratings)
    assert composite.groups == ["human", "machine/neural", "machine/graph"]
    assert composite.ratings.tolist() == [[5], [4], [3]]
    (tmp_path / "composite.jsonl").write_text(
        "\n".join(map(json.dumps, [*rows[:2], rows[0] | {"image_id": "y"}])),
    )
    with pytest.raises(InputError, match="line 3: image 'y' where 'x' belongs"):
        COMPOSITE.load(tmp_path)


def test_composite_marks_what_nneval_validated_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    captions = [("8k", 4), ("8k", 5), ("30k", 5), ("8k", 5), ("8k", 5)]
    rows = [
        {"subset": subset, "image_id": str(image), "caption": str(place), "human_rating": rating}
        for image, (subset, rating) in enumerate(captions)
        for place in range(3)
    ]
    (tmp_path / "composite.jsonl").write_text(
        "\n".join(json.dumps(r | {"refs": ["r"]}) for r in rows)
    )
    monkeypatch.setattr("captious.meta.benchmarks.composite.SEEN_CAPTIONS", 2)
    load = COMPOSITE.load
    wrote = load(tmp_path, mark_seen=True).groups
    assert wrote[::3] == ["human", "human/seen", "human", "human/seen", "human"]
    assert set(load(tmp_path).groups[::3]) == {"human"}
    assert set(wrote) - {"human/seen"} == set(load(tmp_path).groups)


@pytest.mark.slow
def test_composite_has_four_references_everywhere(shared: Path) -> None:
    rows = COMPOSITE.load(shared / "data")
    four = preset("standard", "composite").apply(rows)
    assert Counter(map(len, four.references)) == {4: 11985}

    def own(equality: str) -> int:
        return len(rows) - len(Protocol(own="drop_pair", equality=equality).apply(rows))

    assert own("words") == 3955
    assert own("tokens") == 3821


@pytest.mark.slow
def test_composite_as_sharif_et_al_take_it(shared: Path) -> None:
    folder = shared / "data"
    of_both = judged("composite", data=folder, protocol="lceval")
    assert Counter(of_both.groups) == {"human": 3995, "machine/neural": 3995}
    assert Counter(map(len, of_both.references)) == {4: 2 * 3941, 5: 2 * 52, 3: 2 * 2}
    by_image = dict(zip(of_both.images, of_both.references, strict=True))
    assert all(by_image[i] == r for i, r in zip(of_both.images, of_both.references, strict=True))
    of_three = judged("composite", data=folder, protocol="nneval")
    systems = {"machine/neural": 3995, "machine/graph": 3995}
    assert Counter(of_three.groups) == {"human": 3995 - 771, **systems}
    assert all(by_image[i] == r for i, r in zip(of_three.images, of_three.references, strict=True))
