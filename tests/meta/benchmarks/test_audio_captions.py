"""Captions of sounds with votes on pairs, in the form of AudioCaps-Eval."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.meta import BENCHMARKS, PRESETS, Preferences, evaluate
from captious.meta.accuracy import pair_credits
from tests.made_up.judgements import preferences_of

REFERENCES = ["A dog barks", "a dog is barking", "barking of a dog"]


def clip(**pairs: Any) -> dict[str, Any]:
    return {**pairs, "audio_id": f"clip {len(pairs)}", "references": REFERENCES}


def pair(*votes: int) -> list[Any]:
    return ["A dog barks", "rain falls", "ground_1", "attn", list(votes)]


CLIPS = [
    clip(HC=pair(1, 1, -1, 1), HI=None, MM_1=pair(-1, -1, 1, -1)),
    clip(HM=pair(1, -1, 1, -1), MM_12=pair(0, -1)),
]


def write_clips(folder: Path, clips: Any, name: str = "audiocaps_eval.json") -> Path:
    (folder / name).write_text(json.dumps(clips))
    return folder / name


def test_pairs_that_votes_decide(tmp_path: Path) -> None:
    write_clips(tmp_path, CLIPS)
    judgements = BENCHMARKS["audiocaps-eval"].load(tmp_path)
    assert isinstance(judgements, Preferences) and judgements.votes is not None
    assert judgements.groups == ["HC", "MM", "MM"]  # HI has no pair, HM as many votes for either
    assert judgements.preferred.tolist() == [0, 1, 1]
    assert judgements.votes[0].tolist() == [0, 0, 1, 0]
    assert judgements.votes[2][:2].tolist() == [0.5, 1]
    assert judgements.images == ["clip 3", "clip 3", "clip 2"]


def test_any_file_of_that_form(tmp_path: Path) -> None:
    path = tmp_path / "mine.json.gz"
    path.write_bytes(gzip.compress(json.dumps(CLIPS).encode()))
    for name in ("audiocaps-eval", "clotho-eval"):
        assert len(BENCHMARKS[name].load(path)) == 3
    write_clips(tmp_path, CLIPS, "clotho_eval.json")
    assert len(BENCHMARKS["clotho-eval"].load(tmp_path)) == 3
    with pytest.raises(InputError, match=r"no audiocaps_eval.json .* get it from Zhou et al. 2022"):
        BENCHMARKS["audiocaps-eval"].load(tmp_path)


@pytest.mark.parametrize(
    "clips",
    [
        {"a": 1},
        [1],
        [{"references": "a"}],
        [{"references": []}],
        [{"HC": pair(1)}],
        [clip(HC=["a", "b"])],
        [clip(HC=["a", 3, "x", "y", [1]])],
        [clip(HC=pair(2))],
        [clip(HC=[*pair(1)[:4], [True]])],
        [clip(HC=[*pair(1)[:4], [[1]]])],
        [clip(HC=pair(1, -1))],
        [clip(HC=pair())],
        [clip(XX=pair(1))],
        [],
        [clip(HC=pair(*([1] * 1001)))],
    ],
)
def test_another_form_is_an_error(tmp_path: Path, clips: Any) -> None:
    with pytest.raises(InputError) as told:
        BENCHMARKS["audiocaps-eval"].load(write_clips(tmp_path, clips))
    assert "\n" not in str(told.value) and "audiocaps_eval.json: " in str(told.value)


def test_the_total_is_of_all_pairs_and_own_captions_are_no_references(tmp_path: Path) -> None:
    write_clips(tmp_path, CLIPS)
    found = evaluate("audiocaps-eval", ["bleu_1", "rouge_l"], data=tmp_path, resamples=10)
    assert found.protocol.own == "drop_reference"
    values = found.agreements["bleu_1"].values
    assert values == {"HC": 1.0, "MM": 0.0, "total": pytest.approx(1 / 3)}
    assert "total" in str(found).splitlines()[3]
    assert found.judgements is not None
    assert all(len(references) == 2 for references in found.judgements.references)


def test_ties_are_wrong_in_the_papers_protocol() -> None:
    protocol = PRESETS["fense"]["audiocaps-eval"]
    scores = np.array([[1.0, 1.0], [2.0, 1.0]])
    assert pair_credits(scores, preferences_of([0, 0]), protocol).tolist() == [0.0, 1.0]


def test_audiocaps_eval(shared: Path) -> None:
    found = evaluate("audiocaps-eval", ["bleu_4", "cider_d", "consensus"], data=shared / "data",
                     protocol="fense", resamples=0)  # fmt: skip
    assert found.agreements.rows[0].n == 1483
    total = {row.metric: row.values["total"] for row in found.agreements.rows}
    assert total == pytest.approx({"bleu_4": 0.616, "cider_d": 0.713, "consensus": 0.755}, abs=1e-3)
    published = found.published("fense")
    assert published is not None and published.value == 0.853
