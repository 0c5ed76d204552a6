"""Filter of one chunk: rows that fulfil the conditions, and what later selection needs of them.

Conditions that need no scores are looked at first, so that only captions that pass are scored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from captious.corpus import Corpus
from captious.errors import InputError, short_repr
from captious.io.caption_tables import ReadOptions
from captious.io.column_roles import CANDIDATE
from captious.io.input_tables import MISSING, InputTable
from captious.result import Result
from captious.streaming.chunks import Chunk
from captious.streaming.filtering.counts import ConditionCounts
from captious.streaming.filtering.duplicates import RoundedVectors, rounded_vectors, text_hashes
from captious.streaming.filtering.expression import Expression, evaluate_condition, evaluate_number
from captious.streaming.filtering.names import FACTS, Naming
from captious.streaming.filtering.selection import Numbers64, RemainingRows, hashes_of
from captious.streaming.filtering.values import Cells, Floats, Numbers, Value
from captious.streaming.raw_rows import JSONL, PARQUET, RawRows, add_columns
from captious.streaming.reference_index import ReferenceIndex
from captious.streaming.scoring import Scoring, corpus_of_table
from captious.text.vectors.caption_vectors import CaptionSpace

BY_TEXT, BY_VECTORS = "text", "vectors"
_IMAGE, _DRAW = b"captious image", b"captious draw"


@dataclass(frozen=True)
class FilteredChunk:
    """What a chunk became: how many rows it had, what they failed, and those that are left.

    `texts` are hashes of their texts and `places` their caption vectors, where duplicates go.
    """

    read: int
    failed: tuple[ConditionCounts, ...]
    unordered: int  # rows without a number to be ordered by
    rows: RemainingRows  # positions are those in the chunk
    texts: Numbers64 | None = None
    places: RoundedVectors | None = None


@dataclass(frozen=True)
class ChunkFilter:
    """The task, as any process can be told it.

    `where` are the conditions in the order in which they are looked at, `by` what rows are ordered
    by; `duplicates` says what is needed to find them, `within_image` whether among an image's
    captions alone.
    """

    where: tuple[Expression, ...]
    by: Expression | None
    naming: Naming
    scoring: Scoring  # perhaps by no metric
    added: tuple[str, ...]  # columns of scores
    tokenizer: str
    needs_images: bool = False
    duplicates: str | None = None
    within_image: bool = False
    seed: int | None = None  # where rows are sampled
    writes_scores: bool = True

    def begin(self) -> Callable[[Chunk], tuple[FilteredChunk, RawRows]]:
        """Make the metrics and open what is read, once; what is returned has the rows, too."""
        score = self.scoring.begin_tables() if self.scoring.metrics else None
        references = self.scoring.references
        index = None if references is None else ReferenceIndex.open(references)
        space = CaptionSpace.load() if self.duplicates == BY_VECTORS else None
        return lambda chunk: self._filter(chunk, score, index, space)

    def _filter(
        self,
        chunk: Chunk,
        score: Callable[[InputTable], Result] | None,
        index: ReferenceIndex | None,
        space: CaptionSpace | None,
    ) -> tuple[FilteredChunk, RawRows]:
        table = chunk.table()
        self._check_columns(table)
        are_texts = chunk.source.format not in (JSONL, PARQUET)
        rows = _Rows(self, table, index, are_texts, np.arange(len(table)))
        failed = []
        for condition in self.where:
            if self.naming.needs_scores(condition):
                rows.score(score)
            truths = evaluate_condition(condition, rows)
            missing = int((~truths.known).sum())
            failed.append(
                ConditionCounts(
                    condition.source, len(rows) - int(truths.true.sum()) - missing, missing
                )
            )
            rows = rows.take(np.flatnonzero(truths.true))
        rows.score(score)
        keys = np.zeros(len(rows)) if self.by is None else evaluate_number(self.by, rows)
        ordered = np.flatnonzero(~np.isnan(keys))
        unordered = len(rows) - len(ordered)
        if unordered:
            rows, keys = rows.take(ordered), keys[ordered]
        images = rows.images if self.needs_images or self.within_image else None
        added = rows.scores if self.writes_scores else {}
        piece = add_columns(
            chunk,
            table,
            rows.places.tolist(),
            {name: values.tolist() for name, values in added.items()},
        )
        filtered = FilteredChunk(
            len(table),
            tuple(failed),
            unordered,
            RemainingRows(rows.places, keys, _hashed_images(images, len(rows)), self._draws(rows)),
            text_hashes(rows.corpus.candidates, images if self.within_image else None)
            if self.duplicates == BY_TEXT
            else None,
            None
            if space is None
            else rounded_vectors(rows.corpus.candidates, space, self.tokenizer),
        )
        return filtered, piece

    def _check_columns(self, table: InputTable) -> None:
        """Stop where a row has a column that scores are to be written to."""
        for name in self.added:
            if name in table.columns:
                cells = table.columns[name]
                row = next((row for row, cell in enumerate(cells) if cell is not MISSING), 0)
                raise InputError(
                    f"{table.place(row)}: has a column {short_repr(name)}, which the first "
                    "rows have "
                    "not; rename it, or put it into all of them"
                )

    def _draws(self, rows: _Rows) -> Numbers64:
        """The number that each row draws: of its id and caption, wherever it stands."""
        if self.seed is None:
            return np.zeros(len(rows), np.uint64)
        captions = rows.corpus.candidates
        texts = [
            f"{len(image)} {image} {caption}".encode("utf-8", "surrogatepass")
            for image, caption in zip(rows.ids, captions, strict=True)
        ]
        return hashes_of(texts, _DRAW, self.seed)[:, 0]


def _hashed_images(images: list[str] | None, count: int) -> Numbers64:
    if images is None:
        return np.zeros((count, 2), np.uint64)
    return hashes_of([image.encode("utf-8", "surrogatepass") for image in images], _IMAGE)


@dataclass
class _Rows:
    """Rows of a table that are left, at these places; what names mean there is found when asked."""

    chunk_filter: ChunkFilter
    whole: InputTable
    index: ReferenceIndex | None
    are_texts: bool
    places: npt.NDArray[np.int64]
    scores: Mapping[str, Floats] = field(default_factory=dict)
    is_scored: bool = False

    def __len__(self) -> int:
        return len(self.places)

    @property
    def tokenizer(self) -> str:
        """What a word is."""
        return self.chunk_filter.tokenizer

    @cached_property
    def table(self) -> InputTable:
        """The rows themselves."""
        if len(self) == len(self.whole):
            return self.whole
        return self.whole.take(self.places.tolist())

    @cached_property
    def corpus(self) -> Corpus:
        """Their captions."""
        return corpus_of_table(
            self.table, self.chunk_filter.scoring.columns, self.index, needs_references=False
        )

    @cached_property
    def ids(self) -> list[str]:
        """Their images' ids as text; nothing where rows have none."""
        reading = ReadOptions(self.chunk_filter.scoring.columns, repeated=True)
        if reading.find_columns(self.table, CANDIDATE, with_ids=False).id is None:
            return [""] * len(self)
        ids = self.corpus.references.ids
        return [str(ids[image]) for image in self.corpus.images.tolist()]

    @cached_property
    def images(self) -> list[str]:
        """The same, and an error where rows have none."""
        ReadOptions(self.chunk_filter.scoring.columns, repeated=True).find_columns(
            self.table, CANDIDATE
        )
        return self.ids

    def take(self, rows: npt.NDArray[np.int64]) -> _Rows:
        """Some of them."""
        scores = {name: values[rows] for name, values in self.scores.items()}
        return _Rows(
            self.chunk_filter,
            self.whole,
            self.index,
            self.are_texts,
            self.places[rows],
            scores,
            self.is_scored,
        )

    def score(self, score: Callable[[InputTable], Result] | None) -> None:
        """Score them, unless that is done."""
        if score is None or self.is_scored:
            return
        self.is_scored = True
        if len(self):
            self.scores = score(self.table).samples
        else:
            self.scores = dict.fromkeys(self.chunk_filter.added, np.zeros(0))

    def column(self, name: str) -> Value:
        """What a name stands for."""
        naming = self.chunk_filter.naming
        if name in naming.own:
            cells = self.table.columns.get(name, [MISSING] * len(self))
            return Cells(name, cells, self.table.place, self.are_texts)
        if name in naming.facts:
            return FACTS[name][1](self.corpus, self.tokenizer)
        return Numbers(self.scores[naming.scores[name]])
