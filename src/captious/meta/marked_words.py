"""Marked words: whether the words that a caption's references do not support are hallucinated.

People marked the words of captions that speak of what is not in the picture. Compared with them are
the words that `captious explain` calls unsupported. Words are different tokens of a caption, in the
toolkit's spelling; stop words count on neither side, for nobody can find the *in* of a marked
phrase.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.arguments import check_arguments, check_choice
from captious._internal.checks.bounds import DrawsOrNone, Seed
from captious.corpus import Corpus
from captious.io.json import nan_to_none
from captious.io.output_tables import OutputTable, TabularResult
from captious.meta.agreement import format_share
from captious.meta.benchmarks.benchmark import Files
from captious.meta.benchmarks.hallucinations import HALVES, HAT, MarkedWord, read_marked
from captious.meta.judgements import number_images
from captious.metrics.hallucination.doubts import Doubts
from captious.metrics.hallucination.hallucination import Hallucination
from captious.samples import References, Samples
from captious.signature import Signature, state_bootstrap
from captious.stats.bootstrap import RESAMPLES, SEED
from captious.stats.intervals import ResampledSums
from captious.text.english import ENGLISH
from captious.text.tokenizer.tokenizer import tokenize

WITHIN, EVERYWHERE = "captions with hallucinations", "all captions"
SHARES = ("precision", "recall", "f1", "found")
# Of a caption: words that are marked and found, found, marked; whether it has marks, and one found.
COUNTS = ("both", "unsupported", "marked", "with_marks", "with_both")


@dataclass(frozen=True, eq=False, repr=False)
class WordsFound(TabularResult):
    """How well unsupported words are the marked ones, by sets of captions, over resampled images.

    `found` is the share of captions with marks in which a marked word is unsupported.
    """

    part: str  # of the benchmark, or no name for all
    captions: dict[str, int]
    sums: dict[str, ResampledSums]
    signature: str

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """One row a set of captions: each share with its interval."""
        return [
            {
                "captions": name,
                "n": self.captions[name],
                **{share: float(sums.observed[share]) for share in SHARES},
                "interval": {share: list(sums[share].interval()) for share in SHARES},
            }
            for name, sums in self.sums.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as `--format json` prints it."""
        known: dict[str, Any] = nan_to_none(
            {"benchmark": HAT.name, "part": self.part or None, "rows": self.rows}
        )
        return {**known, "signature": self.signature}

    def as_tables(self) -> list[OutputTable]:
        """One row a set of captions, each share with its interval."""
        header = ["words of", "captions", "precision", "recall", "F1", "found"]
        rows = [
            [
                row["captions"],
                f"{row['n']:,}",
                *(_with_interval(row[share], row["interval"][share]) for share in SHARES),
            ]
            for row in self.rows
        ]
        return [OutputTable(header, rows)]

    def notes_above(self) -> list[str]:
        """What was compared."""
        part = f", only {self.part}" if self.part else ""
        return [f"{HAT.name}{part}: unsupported words beside those that people marked"]

    def notes_below(self) -> list[str]:
        """What a column means, and what all numbers depend on."""
        return [
            "found: the share of captions with marks of which a marked word is unsupported",
            self.signature,
        ]

    def brief(self) -> list[str]:
        """F1 of each set of captions."""
        return [
            *self.notes_above(),
            *(f"F1 {format_share(row['f1'])}: {row['captions']}" for row in self.rows),
        ]

    def records(self) -> list[dict[str, Any]]:
        """One row a set of captions."""
        return self.rows


@check_arguments
def evaluate_words(
    data: str | Path,
    *,
    part: str | None = None,
    resamples: DrawsOrNone = RESAMPLES,
    seed: Seed = SEED,
) -> WordsFound:
    """Precision, recall and F1 of unsupported words on HAT, or on one of its halves."""
    marked = read_marked(Files(Path(data), HAT.folders, HAT.source))
    ratings = marked.ratings
    if part is not None:
        check_choice(f"{HAT.name}: no part", part, HALVES)
    rows = np.flatnonzero([part in (None, group) for group in ratings.groups])
    ratings, words = ratings.take(rows), [marked.words[row] for row in rows.tolist()]
    corpus = Corpus.of(ratings.candidates, ratings.references)
    samples = Samples(corpus.candidates, corpus.images, References.of(corpus.references))
    counts = _counts(Doubts.of(samples).unsupported(), words)
    images, n_images = number_images(ratings.images)
    has_marks = [any(word.is_hallucinated for word in caption) for caption in words]
    sets = {WITHIN: np.array(has_marks, np.bool_), EVERYWHERE: np.ones(len(counts), np.bool_)}
    return WordsFound(
        part or "",
        {name: int(inside.sum()) for name, inside in sets.items()},
        {
            name: ResampledSums(
                np.column_stack(
                    [np.bincount(images, column * inside, n_images) for column in counts.T]
                ),
                _shares,
                resamples,
                seed,
            )
            for name, inside in sets.items()
        },
        str(
            Signature(
                samples.candidates.tokenizer,
                (Hallucination().signature(),),
                images=n_images,
                samples=len(counts),
                bootstrap=state_bootstrap(resamples, seed),
            )
        ),
    )


def _counts(
    unsupported: Sequence[Sequence[str]], words: Sequence[Sequence[MarkedWord]]
) -> FloatArray:
    """The COUNTS of each caption."""
    counts = np.zeros((len(words), len(COUNTS)))
    for row, (unsupported_words, caption) in enumerate(zip(unsupported, words, strict=True)):
        marked = {
            token for word in caption if word.is_hallucinated for token in tokenize(word.text)
        }
        mine, theirs = set(unsupported_words) - ENGLISH.stop_words, marked - ENGLISH.stop_words
        both = len(mine & theirs)
        counts[row] = both, len(mine), len(theirs), bool(theirs), bool(both)
    return counts


def _shares(sums: FloatArray) -> dict[str, FloatArray]:
    """The SHARES from sums of COUNTS; 0 of nothing."""
    both, unsupported, marked, with_marks, with_both = np.moveaxis(sums, -1, 0)
    wholes = (unsupported, marked, (unsupported + marked) / 2, with_marks)
    parts = (both, both, both, with_both)
    return {
        name: part / np.where(whole > 0, whole, 1)
        for name, part, whole in zip(SHARES, parts, wholes, strict=True)
    }


def _with_interval(value: float, interval: Sequence[float]) -> str:
    low, high = map(format_share, interval)
    return format_share(value) if low == "-" else f"{format_share(value)} ({low} to {high})"
