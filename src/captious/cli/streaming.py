"""`captious score --stream`: scores in chunks, in several processes or on a Ray cluster."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from captious.cli.inputs import image_parameters
from captious.cli.options import LOCAL
from captious.cli.output import check_not_overwritten, note, show_tabled
from captious.cli.progress import work_bars
from captious.errors import InputError
from captious.io.atomic_files import check_writable
from captious.io.column_roles import parse_columns_option
from captious.io.formats import STANDARD
from captious.io.inputs import STANDARD_INPUT
from captious.io.remote_files import AnyPath, as_path, without_query
from captious.registry import DEFAULT, Selection
from captious.stats.bootstrap import RESAMPLES, SEED
from captious.stats.intervals import PERCENTILE
from captious.streaming.folder_lock import parts_folder_of
from captious.streaming.process_engine import ProcessEngine, default_jobs
from captious.streaming.raw_rows import ENDINGS
from captious.streaming.score_stream import score_stream
from captious.streaming.scoring import Scoring
from captious.streaming.sources import Source, resolve_sources
from captious.streaming.tasks import Engine
from captious.text.languages import ENGLISH

# Options that look at all samples at once, or at several systems.
_IN_MEMORY_OPTIONS = {
    "by": "--by",
    "split": "--split",
    "skip_bad_images": "--skip-bad-images",
    "no_captions": "--no-captions",
}

_NOT_ENGLISH = (
    "the first rows do not seem to be English; name the language, or give --language en to score "
    "with these all the same"
)


def engine_of(options: argparse.Namespace) -> Engine:
    """Return the engine that the options name."""
    if options.engine == LOCAL:
        if options.address is not None:
            raise InputError("--address is for --engine ray")
        return ProcessEngine(options.jobs or default_jobs())
    from captious.streaming.ray_engine import RayEngine

    return RayEngine(options.address, options.jobs)


def run_stream(options: argparse.Namespace) -> None:
    """Score a stream, write its parts, print corpus scores."""
    _check_options(options)
    sources = resolve_sources(options.candidates, options.input_format)
    for source in sources if options.output is not None else ():
        check_not_overwritten(
            source.path, options.output, "output"
        )  # those of folders and patterns, too
    ending = _part_format(options.output, sources)
    tables = {name: getattr(options, name) for name in ("df", "meteor_tables", "vectors")}
    parameters = {name: value for name, value in tables.items() if value is not None}
    scoring = Scoring(
        options.metrics or ",".join(DEFAULT),
        parameters | image_parameters(options),
        {} if options.columns is None else parse_columns_option(options.columns),
        tokenizer=options.tokenizer,
        language=options.language or ENGLISH,
        cache=not options.no_cache,
    )
    file = _single_output_file(options.output)
    folder = (
        parts_folder_of(file)
        if file
        else None
        if options.output is None
        else as_path(options.output)
    )

    def report_english_only(selection: Selection) -> None:
        left_out = ", ".join(selection.english_only)
        note(options, f"left out, English only: {left_out} ({_NOT_ENGLISH})")

    with work_bars(options), unpack_for_cluster(options, sources, folder) as sources:
        result = score_stream(
            sources,
            scoring,
            resamples=RESAMPLES if options.resamples is None else options.resamples,
            seed=SEED,
            engine=engine_of(options),
            rows=options.chunk,
            output=folder,
            ending=ending,
            statistics=not options.no_statistics,
            precision=options.precision,
            references=options.references or (),
            file=file,
            report_english_only=None if options.language is not None else report_english_only,
        )
    if file is None and folder is not None:
        note(options, f"written: {folder}")
    show_tabled(result, options.format)


def _check_options(options: argparse.Namespace) -> None:
    """Raise InputError for options that a stream cannot serve."""
    for name, option in _IN_MEMORY_OPTIONS.items():
        if getattr(options, name):
            raise InputError(f"{option} is for captions that are read whole; leave --stream out")
    if options.interval not in (None, PERCENTILE):
        raise InputError(f"--interval {options.interval}: intervals of streams are percentiles")
    file = _single_output_file(options.output)
    if file is not None:
        check_writable(file)


@contextmanager
def unpack_for_cluster(
    options: argparse.Namespace, sources: list[Source], folder: AnyPath | None
) -> Iterator[list[Source]]:
    """Yield sources that every worker can read; on a cluster, packed files are unpacked first.

    What must be unpacked for that is put beside the folder of parts.
    """
    streams = [source for source in sources if source.is_stream]
    if options.engine == LOCAL or not streams:
        yield sources
    elif folder is None:
        name = STANDARD_INPUT if streams[0].path == STANDARD else streams[0].path
        raise InputError(
            f"{name}: a cluster cannot read it in chunks; unpack it to a file, or give --output, "
            "next to which it is unpacked"
        )
    else:
        from captious.streaming.sources import unpack_sources

        with unpack_sources(sources, folder) as unpacked_sources:
            yield unpacked_sources


def _single_output_file(output: str | None) -> AnyPath | None:
    """Return the output file that parts are joined to, or None for a folder."""
    endings = tuple(f".{each}" for each in ENDINGS)
    if output is None or not without_query(output).lower().endswith(endings):
        return None
    return as_path(output)


def _part_format(output: str | None, sources: Sequence[Source]) -> str:
    """Return the format of parts: that of the output file, or else of the first input."""
    if output is not None and (file := _single_output_file(output)) is not None:
        return next(each for each in reversed(ENDINGS) if file.name.lower().endswith(f".{each}"))
    return sources[0].format
