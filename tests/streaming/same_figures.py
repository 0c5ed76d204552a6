"""Figures of a stream that must not depend on the engine: scores, corpus scores, intervals."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from captious.io.formats import read_table
from captious.streaming.score_stream import score_stream
from captious.streaming.scoring import Scoring
from captious.streaming.sources import resolve_sources
from captious.streaming.tasks import Engine
from tests.streaming.rows import captions_of, write_rows

COUNT = 60
# Document frequencies of the last are collected in a first pass.
EVERY = Scoring("captious,bleu,spice,cider_d")


def rows_in(folder: Path, *, shuffled: bool = False) -> Path:
    """A file of rows, in this order or another one."""
    order = random.Random(7).sample(range(COUNT), COUNT) if shuffled else None
    name = "shuffled.jsonl" if shuffled else "rows.jsonl"
    return write_rows(folder / name, captions_of(COUNT), order)


def figures(path: Path, output: Path, engine: Engine, rows: int) -> dict[str, Any]:
    """All that a stream says: of each row, by its number, and of all."""
    result = score_stream(
        resolve_sources([str(path)]),
        EVERY,
        resamples=30,
        seed=0,
        engine=engine,
        rows=rows,
        output=output,
    )
    found = {
        "corpus": result.corpus,
        "intervals": {name: result.interval(name) for name in result.columns},
        "signature": result.signature,
    }
    for part in output.glob("part-*"):
        columns = read_table(part).columns
        for row, number in enumerate(columns["number"]):
            found[number] = {name: columns[name][row] for name in result.columns}
    assert len(found) == COUNT + 3
    return found
