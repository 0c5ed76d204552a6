"""Score a stream: each chunk becomes a part with scores and sums, and all sums one result."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.progress import report_progress
from captious.errors import InputError, short_repr
from captious.io.atomic_files import atomic_write
from captious.io.file_metadata import metadata_columns
from captious.io.input_tables import MISSING, InputTable
from captious.io.inputs import sha256_of
from captious.io.remote_files import AnyPath, as_path
from captious.metrics.base import Metric
from captious.registry import Selection
from captious.result import DOUBLE, SIGNATURE, CorpusScores, scores_by_column
from captious.signature import Signature
from captious.stats.intervals import LEVEL, Estimate, Interval
from captious.streaming.chunks import ROWS_PER_CHUNK, Chunk, iter_chunks
from captious.streaming.folder_lock import lock_folder, remove_parts, scratch_dir
from captious.streaming.parts import Part, Parts
from captious.streaming.preparation import FREQUENCIES, PreparedStream, prepare_stream
from captious.streaming.raw_rows import PARQUET, join_parts, write_part
from captious.streaming.scoring import ScoredChunk, Scoring
from captious.streaming.sources import Source
from captious.streaming.sums import StreamSums
from captious.streaming.tasks import Engine
from captious.text.languages import ENGLISH, language_code, tokenizer_for
from captious.version import __version__

PROGRESS_LABEL = "rows scored"


@dataclass(frozen=True, eq=False, repr=False)
class StreamedResult(CorpusScores):
    """Corpus scores and intervals of a stream, from sums alone."""

    metrics: tuple[Metric, ...]
    columns: tuple[str, ...]
    sums: StreamSums
    signature: str

    @property
    def n(self) -> int:
        """The number of samples."""
        return self.sums.samples

    @cached_property
    def corpus(self) -> dict[str, float]:
        """Each column's score for the whole stream."""
        scores = scores_by_column(self.metrics, self.sums.observed.to_floats())
        return {name: float(scores[name]) for name in self.columns}

    @cached_property
    def _resampled(self) -> dict[str, FloatArray]:
        # A resample may have drawn no image at all: its scores are undefined.
        with np.errstate(divide="ignore", invalid="ignore"):
            return scores_by_column(self.metrics, self.sums.resampled.to_floats())

    def interval(self, name: str, level: float = LEVEL) -> Interval:
        """A bootstrap confidence interval for a corpus score, by percentiles."""
        if name not in self.columns:
            raise InputError(
                f"no scores named {short_repr(name)}; there are: {', '.join(self.columns)}"
            )
        return Estimate(name, self.corpus[name], self._resampled[name]).interval(level)


@dataclass(frozen=True)
class ScoreChunks:
    """Task: score a chunk, write its part and sum its statistics."""

    scoring: Scoring
    resamples: int
    seed: int
    folder: str
    ending: str  # of parts; empty where none are written
    signature: str
    statistics: bool = True  # what corpus scores need beyond the scores, for comparisons
    precision: str = DOUBLE
    joined: bool = False  # whether parts become one file, which holds its signature itself

    def begin(self) -> Callable[[Chunk], tuple[Part, StreamSums]]:
        """Load what the metrics need, once."""
        score = self.scoring.begin()
        return lambda chunk: self._write_and_sum(chunk, score(chunk))

    def _write_and_sum(self, chunk: Chunk, scored: ScoredChunk) -> tuple[Part, StreamSums]:
        result = scored.result
        stacked = result.stacked(result.metrics)
        sums = StreamSums.of(result.ids, stacked, self.resamples, self.seed)
        if not self.ending:
            return Part(chunk.number, chunk.digest, result.n), sums
        path = as_path(self.folder) / f"part-{chunk.number:06d}.{self.ending}"
        columns: dict[str, Any] = result.written_columns(self.statistics, self.precision)
        if self.joined and self.ending != PARQUET:
            columns |= self._signature(chunk, scored.table)
        write_part(path, chunk, scored.table, columns, {SIGNATURE: self.signature})
        part = Part(chunk.number, chunk.digest, result.n, result.n, path.name, sha256_of(path))
        return part, sums

    def _signature(self, chunk: Chunk, table: InputTable) -> dict[str, list[Any]]:
        """A column with the signature in the first row of the first part."""
        if SIGNATURE in table.columns:
            raise InputError(
                f"{table.path}: a column {SIGNATURE!r} is there already, which a file of scores "
                "has; rename it, or write a folder of parts or .parquet"
            )
        first = self.signature if chunk.number == 0 else MISSING
        return metadata_columns({SIGNATURE: first}, len(table))


def score_stream(
    sources: Sequence[Source],
    scoring: Scoring,
    *,
    resamples: int,
    seed: int,
    engine: Engine,
    rows: int = ROWS_PER_CHUNK,
    output: AnyPath | None = None,
    ending: str = "jsonl",
    statistics: bool = True,
    precision: str = DOUBLE,
    references: Sequence[str] = (),
    file: AnyPath | None = None,
    report_english_only: Callable[[Selection], None] | None = None,
) -> StreamedResult:
    """Score rows of any number, wherever the engine works; parts go to the folder `output`.

    Rows carry their references, or these stand in files of their own. With a `file`, parts are
    joined to it, and the folder vanishes; its first row says what scores depend on. Given
    `report_english_only`, metrics that only score English are left out if the first chunk seems to
    be in another language, and the function is called with the selection without them.
    """
    with _output_folder(output) as folder, lock_folder(folder), scratch_dir(folder) as work:
        ready = prepare_stream(sources, references, scoring, engine, work)
        used = ending if output else ""
        joined = file is not None
        options = _StreamOptions(
            resamples, seed, engine, rows, folder, used, statistics, precision, joined
        )
        chunks = iter_chunks(sources, rows)
        if report_english_only is not None and (first := next(chunks, None)) is not None:
            chunks = chain([first], chunks)
            if ready.scoring.seems_non_english(first):
                scoring = replace(ready.scoring, without_english_only=True)
                report_english_only(_select_without_english_only(scoring))
                ready = replace(ready, scoring=scoring)
        return _score_sources(sources, chunks, ready, options, file)


def _select_without_english_only(scoring: Scoring) -> Selection:
    try:
        return scoring.select()
    except InputError as error:
        raise InputError(
            f"the first rows do not seem to be English; {error}; give --language en to score with "
            "these all the same"
        ) from None


@dataclass(frozen=True)
class _StreamOptions:
    """Options of a scored stream."""

    resamples: int
    seed: int
    engine: Engine
    rows: int
    folder: AnyPath
    ending: str  # empty where no parts are written
    statistics: bool
    precision: str
    joined: bool


def _score_sources(
    sources: Sequence[Source],
    all_chunks: Iterator[Chunk],
    ready: PreparedStream,
    options: _StreamOptions,
    file: AnyPath | None,
) -> StreamedResult:
    scoring = ready.scoring
    selection = scoring.select()
    settings = {
        "version": __version__,
        "signature": str(_signature(scoring, selection, options)),
        "columns": dict(scoring.columns),
        "references": ready.references,
        "rows of a chunk": options.rows,
        "ending": options.ending,
        "statistics": options.statistics,
        "precision": options.precision,
        "joined": options.joined,
    }
    parts = Parts.open(options.folder, settings)
    chunks, result = _score_chunks(sources, all_chunks, ready, options, parts)
    if file is not None:
        join_parts([options.folder / parts.done[number].file for number in range(chunks)], file)
        remove_parts(options.folder)
        return result
    if ready.frequencies is not None and not parts.is_finished:
        copy = atomic_write(parts.folder / FREQUENCIES)
        with ready.frequencies.open("rb") as counts, copy as stream:
            shutil.copyfileobj(counts, stream)
    parts.finish(chunks, result.sums, result.to_dict())
    return result


def _score_chunks(
    sources: Sequence[Source],
    all_chunks: Iterator[Chunk],
    ready: PreparedStream,
    options: _StreamOptions,
    parts: Parts,
) -> tuple[int, StreamedResult]:
    """Score all chunks that have no part yet; return the number of chunks and the result of all."""
    task = ScoreChunks(
        ready.scoring,
        options.resamples,
        options.seed,
        str(parts.folder),
        options.ending,
        str(parts.settings["signature"]),
        options.statistics,
        options.precision,
        options.joined,
    )
    chunks = done = 0

    def remaining_chunks() -> Iterator[Chunk]:
        nonlocal chunks, done
        for chunk in all_chunks:
            chunks += 1
            if parts.has_part(chunk):
                done += parts.done[chunk.number].read
            else:
                yield chunk

    for _, (part, sums) in options.engine(task, remaining_chunks()):
        parts.add(part, sums)
        done += part.read
        report_progress(PROGRESS_LABEL, done, 0)
    if not chunks:
        raise InputError(f"{sources[0].path}: no samples; the file has no rows")
    parts.check_all_read(chunks)
    total = parts.sums(chunks)
    selection = ready.scoring.select()
    signature = _signature(ready.scoring, selection, options, total.samples)
    return chunks, StreamedResult(selection.metrics, selection.columns, total, str(signature))


@contextmanager
def _output_folder(output: AnyPath | None) -> Iterator[AnyPath]:
    """Folder of parts and notes: the output folder, or a temporary one."""
    if output is not None:
        yield output
    else:
        with TemporaryDirectory(prefix="captious-") as temporary:
            yield Path(temporary) / "parts"


def _signature(
    scoring: Scoring, selection: Selection, options: _StreamOptions, samples: int | None = None
) -> Signature:
    """The signature of a stream's scores; the number of images is unknown."""
    language = language_code(scoring.language)
    return Signature(
        tokenizer_for(language, scoring.tokenizer),
        tuple(metric.signature() for metric in selection.metrics),
        samples=samples,
        bootstrap=f"poisson,{options.resamples},seed={options.seed}",
        language=None if language == ENGLISH else language,
    )
