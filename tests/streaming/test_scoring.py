"""Rows of a chunk scored some at a time have the scores that they have all at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from captious.errors import InputError
from captious.streaming import scoring
from captious.streaming.chunks import iter_chunks
from captious.streaming.scoring import Scoring
from captious.streaming.sources import resolve_sources
from tests.streaming.rows import captions_of, write_rows


@pytest.mark.filterwarnings("ignore::captious.CaptiousWarning")
def test_batch_size_changes_no_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_rows(tmp_path / "rows.jsonl", captions_of(60))
    (chunk,) = iter_chunks(resolve_sources([str(path)]))
    score = Scoring("bleu,rouge_l,meteor,cider_d,captious", {"df": "coco-val2014"}).begin()
    whole = score(chunk).result
    monkeypatch.setattr(scoring, "ROWS_PER_BATCH", 7)
    parts = score(chunk).result
    assert list(parts.ids) == list(whole.ids) and parts.n == 60
    for name, statistics in whole.statistics.items():
        assert (parts.statistics[name] == statistics).all()


def test_missing_document_frequencies_are_an_error() -> None:
    with pytest.raises(InputError, match="cider_d: document frequencies are needed"):
        Scoring("cider_d").begin()
