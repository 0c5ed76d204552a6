"""Scoring a stream: every chunk becomes a part with scores and sums, all sums one result."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from captious.engine.chunks import ROWS, Chunk, chunks_of
from captious.engine.part_files import write_part
from captious.engine.parts import Part, Parts, sha256_of
from captious.engine.prepared import FREQUENCIES, Prepared, prepared
from captious.engine.scoring import ScoredChunk, Scoring
from captious.engine.sources import Source
from captious.engine.streamed_result import StreamedResult
from captious.engine.sums import StreamSums
from captious.engine.work import Engine
from captious.errors import InputError
from captious.progress import tell
from captious.registry import Selection
from captious.result import Result, statistic_column
from captious.signature import Signature
from captious.text.languages import ENGLISH, language_code, tokenizer_for
from captious.version import __version__

SCORED = "rows scored"
SINGLE, DOUBLE = PRECISIONS = ("float32", "float64")


@dataclass(frozen=True)
class ScoreChunks:
    """The task: score a chunk, write its part, sum it up."""

    scoring: Scoring
    resamples: int
    seed: int
    folder: str
    ending: str  # of parts; empty where none are written
    signature: str
    statistics: bool = True  # what corpus scores need beyond the scores, for comparisons
    precision: str = DOUBLE

    def begin(self) -> Callable[[Chunk], tuple[Part, StreamSums]]:
        """Load what the metrics need, once."""
        score = self.scoring.begin()
        return lambda chunk: self._done(chunk, score(chunk))

    def _done(self, chunk: Chunk, scored: ScoredChunk) -> tuple[Part, StreamSums]:
        result = scored.result
        stacked = result.stacked(result.metrics)
        sums = StreamSums.of(result.ids, stacked, self.resamples, self.seed)
        if not self.ending:
            return Part(chunk.number, chunk.digest, result.n), sums
        path = Path(self.folder) / f"part-{chunk.number:06d}.{self.ending}"
        about = {"captious": self.signature}
        write_part(path, chunk, scored.table, self._columns(result), about)
        part = Part(chunk.number, chunk.digest, result.n, result.n, path.name, sha256_of(path))
        return part, sums

    def _columns(self, result: Result) -> dict[str, list[Any]]:
        """Scores, and the statistics of metrics whose corpus score is no mean."""
        columns = {name: self._numbers(scores) for name, scores in result.samples.items()}
        for metric in result.metrics if self.statistics else ():
            for place, name in enumerate(metric.statistic_names or ()):
                values = result.statistics[metric.name][:, place]
                columns[statistic_column(metric, name)] = values.tolist()
        return columns

    def _numbers(self, scores: Any) -> list[float]:
        """Scores as the precision asks for: the shortest decimals that read back as the same."""
        if self.precision == DOUBLE:
            return list(scores.tolist())
        return [float(str(score)) for score in scores.astype(np.float32)]


def score_stream(
    sources: Sequence[Source],
    scoring: Scoring,
    *,
    resamples: int,
    seed: int,
    engine: Engine,
    rows: int = ROWS,
    output: Path | None = None,
    ending: str = "jsonl",
    statistics: bool = True,
    precision: str = DOUBLE,
    references: Sequence[str] = (),
) -> StreamedResult:
    """Score rows of any number, wherever the engine works; parts go to the folder `output`.

    Rows carry their references, or these stand in files of their own.
    """
    with prepared(sources, references, scoring, engine) as ready:
        how = _How(resamples, seed, engine, rows, output, ending, statistics, precision)
        return _scored(sources, ready, how)


@dataclass(frozen=True)
class _How:
    """The choices of whoever scores a stream."""

    resamples: int
    seed: int
    engine: Engine
    rows: int
    output: Path | None
    ending: str
    statistics: bool
    precision: str


def _scored(sources: Sequence[Source], ready: Prepared, how: _How) -> StreamedResult:
    scoring, output = ready.scoring, how.output
    selection = scoring.select()
    settings = {
        "version": __version__,
        "signature": str(_signature(scoring, selection, how)),
        "columns": dict(scoring.columns),
        "references": ready.references,
        "rows of a chunk": how.rows,
        "ending": how.ending if output is not None else "",
        "statistics": how.statistics,
        "precision": how.precision,
    }
    with _folder(output) as folder:
        parts = Parts.begun(folder, settings)
        try:
            return _worked(sources, ready, how, parts)
        except BaseException:
            parts.leave()
            raise


def _worked(sources: Sequence[Source], ready: Prepared, how: _How, parts: Parts) -> StreamedResult:
    """Score all chunks that have no part yet, and sum up all parts."""
    task = ScoreChunks(
        ready.scoring,
        how.resamples,
        how.seed,
        str(parts.folder),
        str(parts.settings["ending"]),
        str(parts.settings["signature"]),
        how.statistics,
        how.precision,
    )
    chunks = done = 0

    def left() -> Iterator[Chunk]:
        nonlocal chunks, done
        for chunk in chunks_of(sources, how.rows):
            chunks += 1
            if parts.has(chunk):
                done += parts.done[chunk.number].read
            else:
                yield chunk

    for _, (part, sums) in how.engine(task, left()):
        parts.add(part, sums)
        done += part.read
        tell(SCORED, done, 0)
    if not chunks:
        raise InputError(f"{sources[0].path}: no samples; the file has no rows")
    parts.check_all_read(chunks)
    total = parts.sums(chunks)
    selection = ready.scoring.select()
    signature = _signature(ready.scoring, selection, how, total.samples)
    result = StreamedResult(selection.metrics, selection.columns, total, str(signature))
    if ready.frequencies is not None and not parts.is_finished:
        shutil.copyfile(ready.frequencies, parts.folder / FREQUENCIES)
    parts.finish(chunks, total, result.to_dict())
    return result


@contextmanager
def _folder(output: Path | None) -> Iterator[Path]:
    """Where parts and their notes go: where nobody asked for them, they vanish."""
    if output is not None:
        yield output
    else:
        with TemporaryDirectory(prefix="captious-") as temporary:
            yield Path(temporary)


def _signature(
    scoring: Scoring, selection: Selection, how: _How, samples: int | None = None
) -> Signature:
    """What scores of a stream depend on; how many images it has, nobody counted."""
    language = language_code(scoring.language)
    return Signature(
        tokenizer_for(language, scoring.tokenizer),
        tuple(metric.signature() for metric in selection.metrics),
        samples=samples,
        bootstrap=f"poisson,{how.resamples},seed={how.seed}",
        language=None if language == ENGLISH else language,
    )
