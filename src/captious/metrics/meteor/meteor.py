"""METEOR 1.5 for English, as the COCO toolkit runs it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.metrics.base import Metric
from captious.metrics.meteor import formula as meteor_score
from captious.metrics.parameters import parameter
from captious.metrics.statistic_rules import StatisticRules
from captious.samples import References, Samples
from captious.signature import Resource
from captious.text.analysis import Analysis
from captious.text.meteor.alignment import STATISTICS, alignment_statistics
from captious.text.meteor.captions import MeteorCaptions
from captious.text.meteor.tables import SHIPPED, MeteorTables, open_tables
from captious.text.tokens import Tokens, words_by_id


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
    columns = ("meteor",)
    description = "alignment by form, stem, synonym and paraphrase (Denkowski and Lavie, 2014)"
    english = "its stems, synonyms and paraphrases"
    statistic_names = STATISTICS
    statistic_rules = _RULES
    releases_gil = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.tables()  # fails early without tables

    def tables(self) -> MeteorTables:
        """The tables that were asked for."""
        return open_tables(SHIPPED if self.meteor_tables is None else Path(self.meteor_tables))

    def prepare(self, references: References) -> MeteorCaptions:
        """The references as METEOR reads them."""
        return _read_captions(references.analysis, None, self.tables())

    def statistics(self, samples: Samples, prepared: MeteorCaptions) -> FloatArray:
        """The statistics of each sample's best reference; of equally good ones, the first."""
        candidates = _read_captions(samples.candidates, prepared, prepared.tables)
        rows = samples.rows[samples.pairs.owners]
        pairs = alignment_statistics(candidates, prepared, rows, samples.pairs.values)
        scores = meteor_score.scores(pairs)
        best = np.maximum.reduceat(scores, samples.pairs.offsets[:-1])
        is_best = np.flatnonzero(scores == best[samples.pairs.owners])
        first = is_best[np.searchsorted(is_best, samples.pairs.offsets[:-1])]
        return meteor_score.summable(pairs[first]).astype(np.float64)

    def scores(self, statistics: FloatArray) -> FloatArray:
        """METEOR's formula, of one caption's statistics or of a corpus's sums."""
        return meteor_score.scores(statistics)[..., None]

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
