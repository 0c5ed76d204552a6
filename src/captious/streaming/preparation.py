"""Preparation of a stream: an index of references on disk, document frequencies."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from captious.errors import InputError, warn
from captious.io.atomic_files import atomic_write
from captious.io.caption_tables import ReadOptions
from captious.io.formats import STANDARD
from captious.io.input_tables import InputTable
from captious.io.inputs import is_file, open_input, read_text, sha256_of
from captious.io.json import json_text
from captious.io.remote_files import without_query
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
    """Settings that any process can work with, and the files that they depend on."""

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
    inputs = {"version": __version__, "columns": json_text(dict(scoring.columns))}
    digest, index = "", None
    if references:
        digest = _hash_files(references)
        inputs["references"] = digest
        index = build_once(
            folder / INDEX, inputs, lambda path: _build_index(path, references, scoring)
        )
        scoring = replace(scoring, references=str(index))
    frequencies = None
    metrics = scoring.select().metrics if scoring.metrics else ()
    if any(metric.needs_whole_corpus for metric in metrics):
        tokenizer = tokenizer_for(language_code(scoring.language), scoring.tokenizer)
        inputs["tokenizer"] = tokenizer
        if index is None:
            _check_rereadable(sources)
            inputs["rows"] = _hash_files([source.file for source in sources])

        def count(path: Path) -> None:
            if index is not None:
                count_documents_in_index(ReferenceIndex.open(index), tokenizer).save(path)
            else:
                chunks = iter_chunks(sources)
                count_documents_in_rows(chunks, scoring.columns, tokenizer, engine).save(path)

        frequencies = build_once(folder / FREQUENCIES, inputs, count)
        scoring = replace(scoring, options={**scoring.options, "df": str(frequencies)})
    return PreparedStream(scoring, digest, frequencies)


def _build_index(path: Path, references: Sequence[str], scoring: Scoring) -> None:
    index = ReferenceIndex.build(path, _read_tables(references, scoring), _read_options(scoring))
    if not len(index):
        raise InputError(f"{references[0]}: no references in it")
    index.data.close()


def _check_rereadable(sources: Sequence[Source]) -> None:
    if any(source.file == STANDARD for source in sources):
        raise InputError(
            "standard input can be read only once, and document frequencies are collected first; "
            "name them with --df, or leave out metrics that need them"
        )


def _read_options(scoring: Scoring) -> ReadOptions:
    return ReadOptions(scoring.columns, repeated=True, report=warn)


def _read_tables(paths: Sequence[str], scoring: Scoring) -> Iterator[InputTable]:
    """The rows of files of references: a chunk at a time where that is possible."""
    for path in paths:
        if any(
            each.removeprefix(".") in STREAMABLE_FORMATS
            for each in Path(without_query(path)).suffixes
        ):
            for chunk in iter_chunks(resolve_sources([path]), ROWS_PER_CHUNK):
                yield chunk.table()
        else:
            yield _read_options(scoring).read_table(path)


def _hash_files(paths: Sequence[str]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for path in paths:
        with open_input(path) as stream:
            while piece := stream.read(BYTES_PER_READ):
                digest.update(piece)
    return digest.hexdigest()


def build_once(path: Path, inputs: Mapping[str, str], build: Callable[[Path], None]) -> Path:
    """Build a file, unless it was built from the same inputs before.

    A note beside it has the inputs and the hash of its contents: a file that is damaged, or was not
    finished, is built again.
    """
    note = path.with_name(f"{path.name}.json")
    if not (is_file(note) and is_file(path)) or (
        _read_note(note) != {**inputs, "sha256": sha256_of(path)}
    ):
        note.unlink(missing_ok=True)
        build(path)
        with atomic_write(note) as stream:
            stream.write(json_text({**inputs, "sha256": sha256_of(path)}).encode())
    return path


def _read_note(path: Path) -> object:
    with suppress(json.JSONDecodeError):
        return json.loads(read_text(path))
    return None
