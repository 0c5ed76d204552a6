"""Rows of a chunk scored some at a time have the scores that they have all at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from captious.errors import InputError
from captious.result import per_sample_fields
from captious.streaming import scoring
from captious.streaming.chunks import iter_chunks
from captious.streaming.scoring import ROWS_PER_BATCH, Scoring
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
    for field in set(per_sample_fields()) - {"captions"}:  # which the chunk itself has
        assert count_samples(getattr(parts, field)) in (60, None), f"{field}: samples are missing"
    written, expected = (each.written_columns(True, "float64") for each in (parts, whole))
    assert written.keys() == expected.keys()
    for name, column in expected.items():
        assert np.array_equal(written[name], column), name


def count_samples(values: Any) -> int | None:
    """The number of samples of a field; None where it is empty or not known."""
    if isinstance(values, Mapping):
        (count,) = {count_samples(each) for each in values.values()} or {None}
        return count
    return None if values is None else len(values)


def test_rows_beyond_one_batch_are_in_the_written_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_rows(tmp_path / "rows.jsonl", captions_of(ROWS_PER_BATCH + 5))
    (chunk,) = iter_chunks(resolve_sources([str(path)]))
    score = Scoring("bleu").begin()
    parts = score(chunk).result
    monkeypatch.setattr(scoring, "ROWS_PER_BATCH", 2 * ROWS_PER_BATCH)
    whole = score(chunk).result
    written, expected = (each.written_columns(True, "float64") for each in (parts, whole))
    assert list(parts.ids) == list(whole.ids) and written.keys() == expected.keys()
    for name, column in expected.items():
        assert np.array_equal(written[name], column), name


def test_missing_document_frequencies_are_an_error() -> None:
    with pytest.raises(InputError, match="cider_d: document frequencies are needed"):
        Scoring("cider_d").begin()
