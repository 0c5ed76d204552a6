"""Score the rows of chunks, with worker processes that load metrics once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from captious.corpus import Corpus
from captious.errors import CaptiousError, InputError, short_repr, warn
from captious.io.caption_tables import ReadOptions
from captious.io.captions import corpus_from_tables
from captious.io.column_roles import CANDIDATE, ID, Columns
from captious.io.input_tables import InputTable
from captious.registry import Selection, select
from captious.result import Result, concatenate_results
from captious.scorer import Scorer
from captious.streaming.chunks import Chunk
from captious.streaming.reference_index import ReferenceIndex
from captious.text.languages import ENGLISH, tokenizer_for

# Rows that are analysed together: as few as have all vectors of their captions kept, which bounds
# memory, too, and changes no score.
ROWS_PER_BATCH = 4096


@dataclass(frozen=True)
class ScoredChunk:
    """The rows of a chunk, and their scores in the same order."""

    table: InputTable
    result: Result


@dataclass(frozen=True)
class Scoring:
    """Settings of scoring that can be sent to any process.

    `metrics` are addresses with commas between (none where rows are only read), `options` what
    goes to the metrics that know it, and `references` an index of references for rows that carry
    none. With `without_english_only`, metrics that only score English are left out.
    """

    metrics: str
    options: Mapping[str, Any] = field(default_factory=dict)
    columns: Columns = field(default_factory=dict)
    references: str | None = None
    tokenizer: str | None = None
    language: str = ENGLISH
    cache: bool = False
    without_english_only: bool = False

    def select(self) -> Selection:
        """The metrics."""
        selection = select(self.metrics, dict(self.options), self.language)
        return selection.without_english_only() if self.without_english_only else selection

    def seems_non_english(self, chunk: Chunk) -> bool:
        """Whether metrics for English are to score rows that do not seem to be English."""
        from captious.diagnostics.check.quick_check import seems_non_english

        if not self.metrics or self.language != ENGLISH:
            return False
        if not any(metric.english_part() for metric in self.select().metrics):
            return False
        index = None if self.references is None else ReferenceIndex.open(self.references)
        try:
            corpus = corpus_of_table(
                chunk.table(), self.columns, index, needs_references=False, report=_ignore
            )
        except CaptiousError:  # which scoring these rows reports
            return False
        return seems_non_english(corpus, tokenizer_for(ENGLISH, self.tokenizer))

    def begin(self) -> Callable[[Chunk], ScoredChunk]:
        """Make the metrics, once; what is returned scores chunks with them."""
        score = self.begin_tables()

        def score_chunk(chunk: Chunk) -> ScoredChunk:
            table = chunk.table()
            return ScoredChunk(table, score(table))

        return score_chunk

    def begin_tables(self) -> Callable[[InputTable], Result]:
        """The same for the rows of tables."""
        selection = self.select()
        whole = [metric.name for metric in selection.metrics if metric.needs_whole_corpus]
        if whole:
            raise InputError(
                f"{whole[0]}: document frequencies are needed before the first row is scored; name "
                "them with --df"
            )
        index = None if self.references is None else ReferenceIndex.open(self.references)
        return lambda table: self._score_table(table, selection, index)

    def _score_table(
        self, table: InputTable, selection: Selection, index: ReferenceIndex | None
    ) -> Result:
        for name in selection.columns:
            if name in table.columns:
                raise InputError(
                    f"{table.path}: a column {short_repr(name)} is there already; rename it, "
                    "or leave "
                    "this metric out"
                )
        needs_references = bool(selection.columns_needing_references)
        corpus = corpus_of_table(table, self.columns, index, needs_references=needs_references)
        if not needs_references:
            corpus = corpus.without_references()
        starts = range(0, len(corpus), ROWS_PER_BATCH)
        if len(starts) < 2:
            return self._score_corpus(corpus, selection)
        some = [range(start, min(start + ROWS_PER_BATCH, len(corpus))) for start in starts]
        return concatenate_results(
            [self._score_corpus(corpus.take(rows), selection) for rows in some]
        )

    def _score_corpus(self, corpus: Corpus, selection: Selection) -> Result:
        scorer = Scorer(
            corpus.references,
            selection,
            tokenizer=self.tokenizer,
            language=self.language,
            cache=self.cache,
        )
        ids = [corpus.references.ids[image] for image in corpus.images.tolist()]
        return scorer.score_checked(corpus.candidates, ids, corpus.images)


def _ignore(note: str) -> None:
    """Ignore what reading reports, which scoring the same rows reports again."""


def corpus_of_table(
    table: InputTable,
    columns: Columns,
    index: ReferenceIndex | None,
    *,
    needs_references: bool,
    report: Callable[[str], None] = warn,
) -> Corpus:
    """The captions of a chunk's rows, with references of their own or those of an index."""
    # Rows of one image may lie in different chunks, so that repeated ids are no mistake.
    reading = ReadOptions(columns, repeated=True, report=report)
    rows = add_row_ids(table, reading)
    tables = [rows] if index is None else [rows, index.table_for(rows, reading)]
    return corpus_from_tables(tables, reading, needs_references=needs_references)


def add_row_ids(table: InputTable, reading: ReadOptions) -> InputTable:
    """The table of a chunk with a column of ids: counting rows would begin anew in each chunk."""
    if reading.find_columns(table, CANDIDATE, with_ids=False).id is not None:
        return table
    ids = [f"{table.path}:{number}" for number in table.numbers]
    roles = {**table.roles, ID: (ID,)} if table.roles else table.roles
    return replace(table, columns={**table.columns, ID: ids}, roles=roles)
