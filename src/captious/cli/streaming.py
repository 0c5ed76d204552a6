"""Scoring captions without end: options of `captious score --stream`, and what they do."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from captious.checks.bounds import COUNT, DRAWS_OR_NONE
from captious.cli.inputs_kept import check_is_kept
from captious.cli.options import Add
from captious.cli.output import note, show_tabled
from captious.cli.progress import work_bars
from captious.cli.seen_images import seen_images
from captious.engine.chunks import ROWS
from captious.engine.part_files import ENDINGS, join
from captious.engine.processes import InProcesses, usual_jobs
from captious.engine.score_stream import DOUBLE, PRECISIONS, score_stream
from captious.engine.scoring import Scoring
from captious.engine.sources import Source, sources_of
from captious.engine.work import Engine
from captious.errors import InputError
from captious.files.text_files import check_writable
from captious.io.formats import STANDARD
from captious.io.recognition import columns_in
from captious.registry import DEFAULT
from captious.resampling import RESAMPLES, SEED

LOCAL, RAY = ENGINES = ("local", "ray")
PARTS = ".parts"  # beside a file that parts are joined to
# Options that look at all samples at once, or at several systems.
_WHOLE = {
    "by": "--by",
    "split": "--split",
    "skip_bad_images": "--skip-bad-images",
    "no_captions": "--no-captions",
}


def declare_work(add: Add) -> None:
    """Add where the work is done."""
    add("--jobs", "processes that work", bounds=COUNT, usual="as many as there are cores")
    add("--chunk", "rows that are worked on at once", bounds=COUNT, default=ROWS)
    add("--engine", "where: processes here, or a Ray cluster", choices=ENGINES, default=LOCAL)
    add("--address", "of the Ray cluster; auto finds one that runs here", metavar="ADDRESS")


def declare_stream(add: Add) -> None:
    """Add the options of streams."""
    add(
        "--stream",
        "read, score and write a chunk at a time, in several processes: any number of rows, in "
        "JSONL, CSV, TSV or Parquet; --output is a folder of parts, gone on with when stopped",
        action="store_true",
    )
    declare_work(add)
    add("--resamples", help="of a stream's intervals", bounds=DRAWS_OR_NONE, default=RESAMPLES)
    add("--no-statistics", "of a stream: write scores alone", action="store_true")
    add("--precision", "of a stream's scores", choices=PRECISIONS, default=DOUBLE)


def engine_of(options: argparse.Namespace) -> Engine:
    """Where the options say that work is done."""
    if options.engine == LOCAL:
        if options.address is not None:
            raise InputError("--address is for --engine ray")
        return InProcesses(options.jobs or usual_jobs())
    from captious.engine.on_ray import OnRay

    return OnRay(options.address, options.jobs)


def run_stream(options: argparse.Namespace) -> None:
    """Score a stream, write its parts, print corpus scores."""
    _check(options)
    sources = sources_of(options.candidates, options.input_format)
    check_shared(options, sources)
    for source in sources if options.output is not None else ():
        check_is_kept(source.path, options.output, "output")  # those of folders and patterns, too
    ending = _ending(options.output, sources)
    tables = {name: getattr(options, name) for name in ("df", "meteor_tables", "vectors")}
    given = {name: value for name, value in tables.items() if value is not None}
    scoring = Scoring(
        options.metrics or ",".join(DEFAULT),
        given | seen_images(options),
        {} if options.columns is None else columns_in(options.columns),
        tokenizer=options.tokenizer,
        language=options.language,
        cache=not options.no_cache,
    )
    file = _file(options.output)
    folder = None if options.output is None else Path(options.output + (PARTS if file else ""))
    with work_bars(options):
        result = score_stream(
            sources,
            scoring,
            resamples=options.resamples,
            seed=SEED,
            engine=engine_of(options),
            rows=options.chunk,
            output=folder,
            ending=ending,
            statistics=not options.no_statistics,
            precision=options.precision,
            references=options.references or (),
        )
    if file is not None and folder is not None:
        _join(folder, file)
    elif folder is not None:
        note(options, f"written: {folder}")
    show_tabled(result, options.format)


def _check(options: argparse.Namespace) -> None:
    """Stop at what cannot be had of a stream."""
    for name, option in _WHOLE.items():
        if getattr(options, name):
            raise InputError(f"{option} is for captions that are read whole; leave --stream out")
    if options.interval != "percentile":
        raise InputError(f"--interval {options.interval}: intervals of streams are percentiles")
    file = _file(options.output)
    if file is not None:
        check_writable(file)


def check_shared(options: argparse.Namespace, sources: Sequence[Source]) -> None:
    """Stop where a cluster could not read a chunk of its own."""
    for source in sources if options.engine == RAY else ():
        if source.is_packed or source.path == STANDARD:
            raise InputError(
                f"{source.path}: a cluster reads chunks of files that are not packed; unpack it"
            )


def _file(output: str | None) -> Path | None:
    """The file that parts are joined to, if one is named and not a folder."""
    if output is None or not output.lower().endswith(tuple(f".{each}" for each in ENDINGS)):
        return None
    return Path(output)


def _ending(output: str | None, sources: Sequence[Source]) -> str:
    """The format of parts: the file's that is written, or else the first input's."""
    if output is not None and (file := _file(output)) is not None:
        return next(each for each in reversed(ENDINGS) if file.name.lower().endswith(f".{each}"))
    return sources[0].format


def _join(folder: Path, file: Path) -> None:
    """Parts as one file; the folder, without which nothing could have been gone on with, goes."""
    import shutil

    join(sorted(folder.glob("part-*")), file)
    shutil.rmtree(folder)
