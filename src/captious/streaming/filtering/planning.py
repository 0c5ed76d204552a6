"""From what a user asks for to a filter that any process can run: names found, metrics chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from typing import Any

from captious.errors import InputError, short_repr
from captious.io.column_roles import Columns
from captious.io.input_tables import MISSING, InputTable
from captious.io.parquet import ArrowColumns
from captious.registry import Selection
from captious.streaming.chunks import Chunk
from captious.streaming.filtering.chunk_filter import BY_TEXT, BY_VECTORS, ChunkFilter
from captious.streaming.filtering.expression import Expression
from captious.streaming.filtering.filter_stream import Filter
from captious.streaming.filtering.names import Naming
from captious.streaming.filtering.selection import SelectionRules
from captious.streaming.scoring import Scoring
from captious.text.languages import ENGLISH, language_code, tokenizer_for
from captious.version import __version__

MAX_ROWS_FOR_NAMES = 1000  # first rows, whose names are those that expressions can mean


@dataclass(frozen=True)
class FilterRequest:
    """What a user asks for.

    `duplicates` is a cosine, or nothing but the text; `metrics` are scored beside those that
    expressions name, and `options` go to all that know them.
    """

    where: str | None = None
    by: str | None = None
    wanted: SelectionRules = field(default_factory=SelectionRules)
    duplicates: float | str | None = None
    within_image: bool = False
    metrics: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    columns: Columns = field(default_factory=dict)
    tokenizer: str | None = None
    language: str = ENGLISH
    seed: int = 0
    cache: bool = False
    writes_scores: bool = True


@dataclass(frozen=True)
class Plan:
    """A filter, the metrics of its scores if there are any, and all that its outcome depends on."""

    filter: Filter
    selection: Selection | None
    settings: Mapping[str, Any]

    def with_scoring(self, scoring: Scoring, references: str) -> Plan:
        """The same with references and document frequencies ready, and a hash of the former."""
        chunk_filter = replace(self.filter.chunk_filter, scoring=scoring)
        chosen = scoring.select().metrics if scoring.metrics else ()
        metrics = "|".join(str(metric.signature()) for metric in chosen)
        return replace(
            self,
            filter=replace(self.filter, chunk_filter=chunk_filter),
            settings={**self.settings, "metrics": metrics, "references": references},
        )


def plan_filter(asked: FilterRequest, columns: Sequence[str]) -> Plan:
    """What is to be done with an input that has these columns."""
    where = None if asked.where is None else Expression.parse(asked.where)
    by = Expression.parse(str(asked.by)) if asked.wanted.needs_keys else None
    naming = Naming.of([each for each in (where, by) if each is not None], columns)
    conditions = sorted(() if where is None else where.clauses, key=naming.needs_scores)
    metrics = ",".join([*naming.scores, *([asked.metrics] if asked.metrics else [])])
    scoring = Scoring(
        metrics, asked.options, asked.columns, None, asked.tokenizer, asked.language, asked.cache
    )
    selection = scoring.select() if metrics else None
    if selection is not None:
        _check_new(selection.columns, columns)
    elif asked.options:
        raise InputError(
            f"{short_repr(next(iter(asked.options)))}: given to metrics, but no score is named"
        )
    cosine = asked.duplicates if isinstance(asked.duplicates, float) else None
    chunk_filter = ChunkFilter(
        tuple(conditions),
        by,
        naming,
        scoring,
        () if selection is None else selection.columns,
        tokenizer_for(language_code(asked.language), asked.tokenizer),
        needs_images=asked.wanted.per_image is not None,
        duplicates=None if asked.duplicates is None else BY_TEXT if cosine is None else BY_VECTORS,
        within_image=asked.within_image,
        seed=None if asked.wanted.sample is None else asked.seed,
        writes_scores=asked.writes_scores,
    )
    # A folder of images is an object, known by its path.
    options = {name: str(getattr(value, "path", value)) for name, value in asked.options.items()}
    settings = {"version": __version__, **asdict(replace(asked, options=options))}
    return Plan(Filter(chunk_filter, asked.wanted, cosine), selection, settings)


def _check_new(scores: Iterable[str], columns: Sequence[str]) -> None:
    for name in scores:
        if name in columns:
            raise InputError(
                f"{short_repr(name)} is a column of the input already; leave it out of "
                "--metrics, or "
                "rename the column"
            )


def peek_columns(chunks: Iterator[Chunk]) -> tuple[list[str], Iterator[Chunk]]:
    """The names of columns in the first rows, and all chunks."""
    names: dict[str, None] = {}
    first = []
    rows = 0
    for chunk in chunks:
        first.append(chunk)
        table = chunk.table()
        names |= dict.fromkeys(_names_in(table, MAX_ROWS_FOR_NAMES - rows))
        rows += len(table)
        if rows >= MAX_ROWS_FOR_NAMES:
            break
    return list(names), chain(first, chunks)


def _names_in(table: InputTable, rows: int) -> Iterator[str]:
    """The columns that hold something in one of the first rows, be it null."""
    for name in table.columns:
        # A row of Arrow has all columns. To look at its cells would unpack them.
        if isinstance(table.columns, ArrowColumns) or any(
            cell is not MISSING for cell in table.columns[name][:rows]
        ):
            yield name
