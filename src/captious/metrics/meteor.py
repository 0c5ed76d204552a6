"""METEOR 1.5 for English, as the COCO toolkit runs it: statistics of alignments, and a formula."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.metrics.base import Metric, StatisticRules
from captious.metrics.parameters import parameter
from captious.samples import References, Samples
from captious.signature import Resource
from captious.text.analysis import Analysis
from captious.text.meteor.alignment import STATISTICS, alignment_statistics
from captious.text.meteor.captions import MeteorCaptions
from captious.text.meteor.tables import SHIPPED, MeteorTables, open_tables
from captious.text.tokens import Tokens, words_by_id

# METEOR 1.5's parameters for English.
ALPHA = 0.85
BETA = 0.2
GAMMA = 0.6
DELTA = 0.75
WEIGHTS = (1.0, 0.6, 0.8, 0.6)  # exact, stem, synonym, paraphrase

_CHUNKS = 20


def meteor_scores(statistics: IntArray | FloatArray) -> FloatArray:
    """Compute METEOR from each 23 statistics in the last axis; 0 where nothing matches.

    Operations follow METEOR's order, so that references tie where they tie there.
    """
    rows = np.asarray(statistics, np.float64)
    candidate_length = _weighted_length(rows[..., 0], rows[..., 2])
    reference_length = _weighted_length(rows[..., 1], rows[..., 3])
    chunks = rows[..., _CHUNKS]
    matched = (rows[..., 21] + rows[..., 22]) / 2.0
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = _weighted_matches(rows, 4) / candidate_length
        recall = _weighted_matches(rows, 5) / reference_length
        mean = 1.0 / ((1.0 - ALPHA) / precision + ALPHA / recall)
        fragmentation = np.where(_is_perfect(rows), 0.0, chunks / matched)
        score = mean * (1.0 - GAMMA * np.power(fragmentation, BETA))
    # Without a match, or without words, METEOR divides zero by zero and takes the score for 0.
    result: FloatArray = np.maximum(np.nan_to_num(score, nan=0.0), 0.0)
    return result


def drop_perfect_chunks(statistics: IntArray) -> IntArray:
    """Return statistics as METEOR adds them up: a perfect match adds no chunk."""
    rows = np.array(statistics)
    rows[..., _CHUNKS] = np.where(_is_perfect(rows), 0, rows[..., _CHUNKS])
    return rows


def _weighted_length(words: FloatArray, function_words: FloatArray) -> FloatArray:
    return DELTA * (words - function_words) + (1.0 - DELTA) * function_words


def _weighted_matches(rows: FloatArray, first: int) -> FloatArray:
    total = np.zeros(rows.shape[:-1])
    for kind, kind_weight in ((0, DELTA), (2, 1.0 - DELTA)):
        for stage, weight in enumerate(WEIGHTS):
            total = total + rows[..., first + 4 * stage + kind] * weight * kind_weight
    return total


def _is_perfect(rows: IntArray | FloatArray) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Whether every word matched, all in one chunk."""
    perfect: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] = (
        (rows[..., 21] == rows[..., 0])
        & (rows[..., 22] == rows[..., 1])
        & (rows[..., _CHUNKS] == 1)
    )
    return perfect


def _matched_statistics(side: str, kind: str) -> tuple[str, ...]:
    """Return the names of the statistics that count matches of one kind of words on one side."""
    start, end = f"{side}_", f"_{kind}"
    return tuple(name for name in STATISTICS if name.startswith(start) and name.endswith(end))


# Matched words are words of their kind and side.
_RULES = StatisticRules.of_counts(
    STATISTICS,
    *(
        rule
        for side in ("candidate", "reference")
        for rule in (
            ((*_matched_statistics(side, "content"), f"{side}_function_words"), f"{side}_words"),
            (_matched_statistics(side, "function"), f"{side}_function_words"),
            ((f"{side}_matches",), f"{side}_words"),
            (("chunks",), f"{side}_matches"),
        )
    ),
)


@dataclass(frozen=True)
class Meteor(Metric):
    """Words aligned by form, stem, synonym and paraphrase, weighed, less a penalty for disorder.

    `meteor_tables` names a folder of tables to use in place of those that ship.
    """

    meteor_tables: str | Path | None = parameter(
        None, "a folder of METEOR's tables, in place of those that ship", words={"captions": None}
    )

    name = "meteor"
    description = "alignment by form, stem, synonym and paraphrase (Denkowski and Lavie, 2014)"
    english = "its stems, synonyms and paraphrases"
    statistic_names = STATISTICS
    statistic_rules = _RULES
    releases_gil = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.tables()  # fails early without tables

    def tables(self) -> MeteorTables:
        """Open METEOR's tables."""
        return open_tables(SHIPPED if self.meteor_tables is None else Path(self.meteor_tables))

    def prepare(self, references: References) -> MeteorCaptions:
        """The references as METEOR reads them."""
        return _read_captions(references.analysis, None, self.tables())

    def statistics(self, samples: Samples, prepared: MeteorCaptions) -> FloatArray:
        """The statistics of each sample's best reference; of equally good ones, the first."""
        candidates = _read_captions(samples.candidates, prepared, prepared.tables)
        rows = samples.rows[samples.pairs.owners]
        pairs = alignment_statistics(candidates, prepared, rows, samples.pairs.values)
        scores = meteor_scores(pairs)
        best = np.maximum.reduceat(scores, samples.pairs.offsets[:-1])
        is_best = np.flatnonzero(scores == best[samples.pairs.owners])
        first = is_best[np.searchsorted(is_best, samples.pairs.offsets[:-1])]
        return drop_perfect_chunks(pairs[first]).astype(np.float64)

    def scores(self, statistics: FloatArray) -> FloatArray:
        """METEOR's formula, of one caption's statistics or of a corpus's sums."""
        return meteor_scores(statistics)[..., None]

    def depends_on(self) -> dict[str, Any]:
        """METEOR's version and tables."""
        tables = self.tables()
        named = Resource.of(self.meteor_tables, tables.kind, tables.fingerprint)
        return {"meteor_tables": named, "version": "1.5", "language": "en", "normalised": True}


def _read_captions(
    analysis: Analysis, base: MeteorCaptions | None, tables: MeteorTables
) -> MeteorCaptions:
    key = ("meteor", tables.folder)
    ids = analysis.layer(Tokens).ids
    return analysis.get_or_compute(
        key,
        lambda: MeteorCaptions.from_tokens(
            ids, words_by_id(analysis), base, None if base else tables
        ),
    )
