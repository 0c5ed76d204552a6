"""Preparation of a stream: an index of references on disk, document frequencies."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from captious.errors import InputError, warn
from captious.io.caption_tables import ReadOptions
from captious.io.formats import STANDARD
from captious.io.input_tables import InputTable
from captious.io.inputs import open_input
from captious.io.json import json_text
from captious.io.remote_files import without_query
from captious.streaming.build_cache import build_once
from captious.streaming.chunks import ROWS_PER_CHUNK, iter_chunks
from captious.streaming.document_counts import count_documents_in_index, count_documents_in_rows
from captious.streaming.reference_index import ReferenceIndex
from captious.streaming.scoring import Scoring
from captious.streaming.sources import STREAMABLE_FORMATS, Source, resolve_sources
from captious.streaming.tasks import Engine
from captious.text.languages import language_code, tokenizer_for
from captious.version import __version__

INDEX, FREQUENCIES = "references.sqlite", "document_frequencies.npz"
BYTES_PER_READ = 1 << 20


@dataclass(frozen=True)
class PreparedStream:
    """Settings that any process can work with, and what they depend on beside themselves."""

    scoring: Scoring
    references: str = ""  # a hash of the files that references came from
    frequencies: Path | None = None  # collected in a first pass


def prepare_stream(
    sources: Sequence[Source],
    references: Sequence[str],
    scoring: Scoring,
    engine: Engine,
    folder: Path,
) -> PreparedStream:
    """Index the references of other files, and count n-grams where a metric needs it.

    Both are files in the folder, where a resumed run finds them again.
    """
    of = {"version": __version__, "columns": json_text(dict(scoring.columns))}
    digest, index = "", None
    if references:
        digest = _digest(references)
        of["references"] = digest
        index = build_once(folder / INDEX, of, lambda path: _make_index(path, references, scoring))
        scoring = replace(scoring, references=str(index))
    frequencies = None
    metrics = scoring.select().metrics if scoring.metrics else ()
    if any(metric.needs_whole_corpus for metric in metrics):
        tokenizer = tokenizer_for(language_code(scoring.language), scoring.tokenizer)
        of["tokenizer"] = tokenizer
        if index is None:
            _check_read_twice(sources)
            of["rows"] = _digest([source.file for source in sources])

        def count(path: Path) -> None:
            if index is not None:
                count_documents_in_index(ReferenceIndex.open(index), tokenizer).save(path)
            else:
                chunks = iter_chunks(sources)
                count_documents_in_rows(chunks, scoring.columns, tokenizer, engine).save(path)

        frequencies = build_once(folder / FREQUENCIES, of, count)
        scoring = replace(scoring, options={**scoring.options, "df": str(frequencies)})
    return PreparedStream(scoring, digest, frequencies)


def _make_index(path: Path, references: Sequence[str], scoring: Scoring) -> None:
    index = ReferenceIndex.build(path, _tables(references, scoring), _reading(scoring))
    if not len(index):
        raise InputError(f"{references[0]}: no references in it")
    index.data.close()


def _check_read_twice(sources: Sequence[Source]) -> None:
    if any(source.file == STANDARD for source in sources):
        raise InputError(
            "standard input can be read only once, and document frequencies are collected first; "
            "name them with --df, or leave out metrics that need them"
        )


def _reading(scoring: Scoring) -> ReadOptions:
    return ReadOptions(scoring.columns, repeated=True, report=warn)


def _tables(paths: Sequence[str], scoring: Scoring) -> Iterator[InputTable]:
    """The rows of files of references: a chunk at a time where that is possible."""
    for path in paths:
        if any(
            each.removeprefix(".") in STREAMABLE_FORMATS
            for each in Path(without_query(path)).suffixes
        ):
            for chunk in iter_chunks(resolve_sources([path]), ROWS_PER_CHUNK):
                yield chunk.table()
        else:
            yield _reading(scoring).read_table(path)


def _digest(paths: Sequence[str]) -> str:
    hashed = hashlib.blake2b(digest_size=16)
    for path in paths:
        with open_input(path) as stream:
            while piece := stream.read(BYTES_PER_READ):
                hashed.update(piece)
    return hashed.hexdigest()
