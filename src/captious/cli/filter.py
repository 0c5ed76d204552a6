"""captious filter: keep captions that an expression holds for, the best, a sample, no copies."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from typing import IO

from captious._internal.checks.bounds import Bounds
from captious.cli.inputs import add_image_options, image_parameters
from captious.cli.options import (
    LANGUAGE_HELP,
    add_engine_options,
    add_shared_options,
    number_in,
)
from captious.cli.output import check_not_overwritten, note, note_selection, show_tabled
from captious.cli.progress import work_bars
from captious.cli.streaming import engine_of, unpack_for_cluster
from captious.errors import InputError, OutputError, short_repr, warn
from captious.io.atomic_files import atomic_write, check_writable
from captious.io.column_roles import parse_columns_option
from captious.io.formats import STANDARD
from captious.io.inputs import is_folder, is_gzipped
from captious.io.remote_files import AnyPath, as_path, as_remote, without_query
from captious.streaming.chunks import Chunk, iter_chunks
from captious.streaming.filtering.counts import FilterCounts
from captious.streaming.filtering.filtered_parts import FilteredParts
from captious.streaming.filtering.planning import FilterRequest, peek_columns, plan_filter
from captious.streaming.filtering.selection import Sample, SelectionRules
from captious.streaming.folder_lock import lock_folder, parts_folder_of, remove_parts, scratch_dir
from captious.streaming.preparation import prepare_stream
from captious.streaming.scoring import Scoring
from captious.streaming.sources import STREAMABLE_FORMATS, Source, resolve_sources
from captious.text.languages import ENGLISH

DESCRIPTION = """Keep the captions that match an expression over scores, lengths and your own
columns; then drop duplicates, keep the best of each image, the best of all, or a random sample, in
this order. Rows are written as they were read, with the computed scores. They are read in chunks,
in any number."""
EXAMPLES = """examples:
  captious filter captions.jsonl --where 'captious > .5 AND words < 40' --output kept.jsonl
  captious filter a.csv b.csv --where "form > .6 AND source <> 'web'" --output kept.csv
  captious filter data/*.parquet --where 'english' --dedup text --sample 10000 --output kept.parquet
  captious filter captions.jsonl --per-image 1 --by captious --output best.jsonl
  captious filter captions.jsonl --references refs.json --top 1000 --by '"cider_d(sigma=4)"' \\
      --df coco-val2014 --output top.jsonl
"""
DEFAULT_RANKING = "captious"
ALL, IMAGE = "all", "image"
ROW_COUNT_BOUNDS = Bounds(1, 10**12, whole=True, with_most=True)
MIN_COSINE = 0.8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILES",
        help="rows of captions: .jsonl, .csv, .tsv or .parquet, or gzipped; folders, patterns, or "
        "- for standard input; joined in this order",
    )
    parser.add_argument(
        "--where",
        metavar="EXPRESSION",
        help="keep rows for which this condition in SQL holds: see docs/filter.md",
    )
    parser.add_argument(
        "--output",
        required=True,
        metavar="KEPT",
        help="the file to write, with the input's extension; - for standard output; or a folder",
    )
    count = number_in(ROW_COUNT_BOUNDS)
    parser.add_argument(
        "--per-image", type=count, metavar="N", help="keep the N best rows of each image"
    )
    parser.add_argument("--top", type=count, metavar="N", help="keep the N best rows")
    parser.add_argument(
        "--by",
        metavar="EXPRESSION",
        help=f"the number to rank rows by (default: {DEFAULT_RANKING})",
    )
    parser.add_argument(
        "--sample",
        metavar="SHARE|N",
        help="keep a random share such as .1, or N random rows",
    )
    add_shared_options(parser, "--seed")
    parser.add_argument(
        "--dedup",
        metavar="text|COSINE",
        help="drop captions with the text of an earlier one, or with at least this cosine to one",
    )
    parser.add_argument(
        "--dedup-within",
        choices=(ALL, IMAGE),
        default=ALL,
        help="which captions are compared: all, or those of one image",
    )
    parser.add_argument("--metrics", help="further scores to write, named as for captious score")
    parser.add_argument(
        "--no-scores", action="store_true", help="write rows unchanged, without scores"
    )
    parser.add_argument(
        "--references",
        nargs="+",
        metavar="FILE",
        default=[],
        help="captions to score against, if rows have none",
    )
    parser.add_argument(
        "--columns",
        metavar="NAMES",
        help="which columns to read, where names are not recognized: id=...,candidate=...,"
        "references=...",
    )
    parser.add_argument(
        "--input-format",
        choices=STREAMABLE_FORMATS,
        help="format of standard input, and of files without a known extension",
    )
    add_shared_options(parser, "--df")
    parser.add_argument(
        "--vectors", help="word vectors for WMD and MOWE from captious vectors, instead of ours"
    )
    add_image_options(parser)
    add_shared_options(parser, "--tokenizer")
    parser.add_argument("--language", metavar="CODE", help=f"{LANGUAGE_HELP} (default: {ENGLISH})")
    add_shared_options(parser, "--no-cache")
    add_engine_options(parser)


def run(options: argparse.Namespace) -> None:
    """Filter the input, write the rows that are kept, and print the counts."""
    asked = _filter_request(options)
    sources = resolve_sources(options.files, options.input_format)
    _check_output(options.output, sources)
    engine = engine_of(options)
    joined = not _is_for_parts(options.output)
    with (
        work_bars(options),
        _open_parts_folder(options.output) as folder,
        scratch_dir(folder) as work,
        unpack_for_cluster(options, sources, folder) as sources,
    ):
        columns, chunks = peek_columns(iter_chunks(sources, options.chunk))
        if not columns:
            raise InputError(f"{sources[0].path}: no rows to filter")
        plan = plan_filter(asked, columns)
        if plan.selection is not None:
            note_selection(options, plan.selection)
        scoring = plan.filter.chunk_filter.scoring
        ready = prepare_stream(sources, options.references, scoring, engine, work)
        plan = plan.with_scoring(ready.scoring, ready.references)
        if options.language is None:
            first = next(chunks)
            chunks = chain([first], chunks)
            _warn_of_other_language(ready.scoring, first)
        settings = {**plan.settings, "rows of a chunk": options.chunk}
        parts = FilteredParts(folder, sources[0].format, plan.filter, settings, joined)
        counts = parts.run(chunks, engine)
        if joined:
            with _open_output(options.output) as stream:
                parts.join(stream)
            remove_parts(folder)
    _print_counts(options, counts)


def _warn_of_other_language(scoring: Scoring, first: Chunk) -> None:
    """Warn if metrics that are English only score rows that do not seem to be English."""
    if scoring.seems_non_english(first):
        selection = scoring.select()
        kept = {
            column for each in selection.metrics if each.english_part() for column in each.columns
        }
        columns = ", ".join(column for column in selection.columns if column in kept)
        warn(
            f"the first rows do not seem to be English, and these scores are English only: "
            f"{columns}; name the language with --language (en, if they are English)"
        )


def _filter_request(options: argparse.Namespace) -> FilterRequest:
    """What the options say."""
    wanted = SelectionRules(options.per_image, options.top, _sample(options.sample))
    if options.where is None and options.dedup is None and wanted == SelectionRules():
        raise InputError(
            "nothing says which rows to keep; give --where, --dedup, --per-image, --top or --sample"
        )
    if options.by is not None and not wanted.needs_keys:
        raise InputError("--by: needs --top or --per-image; give one of them")
    if options.dedup is None and options.dedup_within != ALL:
        raise InputError("--dedup-within: needs --dedup")
    given = {name: getattr(options, name) for name in ("df", "vectors")}
    parameters = {name: value for name, value in given.items() if value is not None}
    return FilterRequest(
        options.where,
        DEFAULT_RANKING if options.by is None else options.by,
        wanted,
        _duplicates(options.dedup),
        options.dedup_within == IMAGE,
        options.metrics,
        parameters | image_parameters(options),
        {} if options.columns is None else parse_columns_option(options.columns),
        options.tokenizer,
        options.language or ENGLISH,
        options.seed,
        not options.no_cache,
        not options.no_scores,
    )


def _sample(given: str | None) -> Sample | None:
    """A share, written with a point, or a number of rows."""
    if given is None:
        return None
    if given.isascii() and given.isdigit() and 1 <= len(given) <= 18 and int(given):
        return Sample(count=int(given))
    share = _number(given)
    if share is None or not 0 < share <= 1 or given.isdigit():
        raise InputError(
            f"--sample: a share such as .1, or a number of rows, not {short_repr(given)}"
        )
    return Sample(share)


def _duplicates(given: str | None) -> float | str | None:
    """By their text, or by a cosine."""
    if given is None or given == "text":
        return given
    cosine = _number(given)
    if cosine is None or not MIN_COSINE <= cosine <= 1:
        raise InputError(
            f"--dedup: text, or a cosine from {MIN_COSINE} up to 1, not {short_repr(given)}"
        )
    return cosine


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _check_output(output: str, sources: list[Source]) -> None:
    """Stop where rows cannot be written as they were read."""
    formats = {source.format for source in sources}
    if len(formats) > 1:
        raise InputError(
            f"files of several formats ({', '.join(sorted(formats))}); filter each separately"
        )
    (format,) = formats
    if output == STANDARD or _is_for_parts(output):
        return
    named = [
        name
        for name in STREAMABLE_FORMATS
        if f".{name}" in Path(without_query(output)).suffixes[-2:]
    ]
    if named[-1:] != [format] or (is_gzipped(output) and format == "parquet"):
        raise OutputError(
            f"{output}: rows keep the format of the input; name it .{format}, or name a folder"
        )
    for source in sources:
        check_not_overwritten(source.path, output, "output")
    check_writable(as_path(output))


def _is_for_parts(output: str) -> bool:
    """Whether parts are what is asked for, and not one file of them."""
    if output == STANDARD:
        return False
    name = output if as_remote(output) is None else output.partition("?")[0]
    return is_folder(as_path(output)) or name.endswith("/") or not Path(name).suffix


@contextmanager
def _open_parts_folder(output: str) -> Iterator[AnyPath]:
    """The folder of parts, locked: the one that is written, or one that vanishes in the end.

    The latter stands beside the file, so that it can be gone on with; pipes have no such place.
    """
    path = as_path(output)
    is_pipe = isinstance(path, Path) and path.exists() and not path.is_file()
    with ExitStack() as left:
        if _is_for_parts(output):
            folder = path
        elif output == STANDARD or is_pipe:
            temporary = tempfile.TemporaryDirectory(prefix="captious-")
            folder = Path(left.enter_context(temporary)) / "parts"
        else:
            folder = parts_folder_of(path)
        left.enter_context(lock_folder(folder))
        yield folder


@contextmanager
def _open_output(output: str) -> Iterator[IO[bytes]]:
    """A stream whose contents appear once the block ended well, in a file or on standard output."""
    if output != STANDARD:
        with atomic_write(as_path(output)) as stream:
            yield stream
        return
    with tempfile.TemporaryFile() as gathered:
        yield gathered
        gathered.seek(0)
        sys.stdout.flush()
        shutil.copyfileobj(gathered, sys.stdout.buffer)
        sys.stdout.buffer.flush()


def _print_counts(options: argparse.Namespace, counts: FilterCounts) -> None:
    """What became of the rows; where these are on standard output, in notes."""
    if options.output != STANDARD:
        show_tabled(counts, options.format)
        return
    for record in counts.records():
        note(options, f"{record['rows']}: {record['number']:,}")
