"""captious score: score candidates of one system or several against references."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from captious._internal.checks.bounds import DRAWS, DRAWS_OR_NONE, check_number
from captious._internal.threads import limit_threads
from captious.cli.inputs import (
    add_caption_arguments,
    add_image_options,
    check_candidates,
    image_parameters,
    parse_systems,
    read_options,
    select_with_images,
)
from captious.cli.options import (
    LANGUAGE_HELP,
    LOCAL,
    METRICS_HELP,
    ROWS_PER_CHUNK,
    add_engine_options,
    add_resamples_option,
    add_shared_options,
)
from captious.cli.output import (
    check_captions,
    note,
    note_selection,
    plan_output_files,
    show_tabled,
    write_scores,
)
from captious.cli.progress import work_bars
from captious.corpus import Corpus
from captious.errors import CaptiousError, InputError
from captious.io.captions import read_systems
from captious.io.output_tables import CSV, TabularResult
from captious.io.output_tables import FORMATS as ALL_FORMATS
from captious.metrics.names import DIVERSITY, normalize_name
from captious.registry import DEFAULT, Selection, UnusedOptionError
from captious.result import DOUBLE, PRECISIONS, Result
from captious.scorer import score_systems
from captious.signature import parse_addresses
from captious.text.languages import ENGLISH, tokenizer_for

if TYPE_CHECKING:
    from captious.cli.diversity import DiversityMeasurement
    from captious.diagnostics.diversity.diversity import Diversities

DESCRIPTION = """Score candidates against references and print corpus scores with intervals. Each
argument is one system: a file, or a folder or quoted pattern for a system in parts. Several systems
become a leaderboard. A system has the name of its file, or yours: NAME=FILE."""
EXAMPLES = """examples:
  captious score results.json --references captions_val2014.json
  captious score results.json --references captions.json --metrics "cider_d(sigma=4),mine.npz"
  captious score captions.jsonl --metrics bleu,cider_d --df coco-val2014 --output scores.csv
  captious score said.txt --references first.txt second.txt --metrics CIDEr,Bleu_4
  captious score table.csv --columns id=photo,candidate=ours,references=ref1+ref2
  captious score captions.jsonl --metrics captious_image --images photos/ --skip-bad-images
  captious score ours.json theirs.json --references captions.json --output scores
  captious score ours.json --references nocaps.json --by domain
  captious score ours.json theirs.json --references captions.json --report report.html
  captious score ours.json theirs.json --metrics diversity --training captions_train2014.json
"""
FORMATS = (*ALL_FORMATS, CSV)
Corpora = Mapping[str, Corpus]
Results = Mapping[str, Result]
# Options that need scores of each sample.
PER_SAMPLE_OPTIONS = ("output", "by", "images", "report")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    captions = parser.add_argument_group("captions")
    add_caption_arguments(captions, "captions to score", "captions to score against", "*")
    add_shared_options(captions, "--tokenizer")
    captions.add_argument(
        "--language",
        metavar="CODE",
        help=f"{LANGUAGE_HELP} (default: en; if captions are not English, without English metrics)",
    )

    metrics = parser.add_argument_group("metrics")
    metrics.add_argument("--metrics", help=f"{METRICS_HELP} (default: {','.join(DEFAULT)})")
    add_shared_options(metrics, "--df")
    metrics.add_argument(
        "--meteor-tables",
        metavar="DIR",
        help="a folder of METEOR tables, instead of the shipped ones",
    )
    metrics.add_argument(
        "--vectors",
        metavar="NPZ",
        help="for wmd and mowe: word vectors that captious vectors wrote, instead of those shipped",
    )
    add_image_options(metrics)
    metrics.add_argument(
        "--skip-bad-images",
        action="store_true",
        help="with --images DIR: leave out samples whose image is unreadable, truncated, too large "
        "or animated, and list them; otherwise the first such image is an error",
    )
    add_shared_options(metrics, "--training")

    statistics = parser.add_argument_group("statistics")
    add_shared_options(statistics, "--interval", "--by")
    add_resamples_option(statistics, DRAWS_OR_NONE)  # a stream may go without: they take its time

    files = parser.add_argument_group("files to write")
    files.add_argument(
        "--output",
        metavar="FILE|DIR",
        help="write one row per sample to this file; for several systems, a folder, or a pattern "
        "as scores/*.csv, in which * is the system's name",
    )
    files.add_argument(
        "--no-captions", action="store_true", help="write scores without candidates and references"
    )
    files.add_argument(
        "--no-statistics",
        action="store_true",
        help="leave out the statistics that only comparisons need",
    )
    files.add_argument(
        "--precision", choices=PRECISIONS, default=DOUBLE, help="precision of the written scores"
    )
    files.add_argument("--report", metavar="FILE", help="write an HTML report about the systems")

    work = parser.add_argument_group("large inputs")
    work.add_argument(
        "--stream",
        action="store_true",
        help="read, score and write in chunks, in several processes: any number of rows, in JSONL, "
        "CSV, TSV or Parquet; --output is a folder of parts, resumed after an interruption",
    )
    add_engine_options(work, "with --stream, number of processes; otherwise, number of threads")
    add_shared_options(work, "--no-cache")


def run(options: argparse.Namespace) -> None:
    """Score candidates, in chunks with --stream or else in memory; write and print."""
    check_candidates(options)
    if options.stream:
        from captious.cli.streaming import run_stream

        run_stream(options)
        return
    _check_no_stream_options(options)
    with nullcontext() if options.jobs is None else limit_threads(options.jobs):
        _run_in_memory(options)


def _check_no_stream_options(options: argparse.Namespace) -> None:
    """Raise InputError for options that have no meaning without --stream."""
    defaults = {"chunk": ROWS_PER_CHUNK, "engine": LOCAL, "address": None}
    for name, value in defaults.items():
        if getattr(options, name) != value:
            raise InputError(f"--{name} is for streams; add --stream, or leave it out")
    if options.resamples is not None:
        check_number("--resamples", options.resamples, DRAWS)


def _run_in_memory(options: argparse.Namespace) -> None:
    if options.skip_bad_images and not _has_image_files(options):
        raise InputError("--skip-bad-images: needs image files; give --images a folder")
    tables = {name: getattr(options, name) for name in ("df", "meteor_tables", "vectors")}
    parameters = {name: value for name, value in tables.items() if value is not None}
    parameters |= image_parameters(options, options.skip_bad_images)
    if options.report is not None:
        from captious.report.browser.page import check_page

        check_page(options.report)
    systems = parse_systems(options.candidates, in_parts=True)
    references = options.references or []
    names, diversity = _split_off_diversity(options)
    if diversity is not None and not names:
        corpora = read_systems(systems, references, read_options(options), needs_references=False)
        language = options.language or ENGLISH
        _show(options, None, diversity.measure(corpora, options.tokenizer, language))
        return
    with work_bars(options):
        selection = _select_metrics(options, names, parameters, df_is_used=diversity is not None)
        files = [file for parts in systems.values() for file in parts]
        outputs = plan_output_files(options.output, list(systems), [*files, *references])
        corpora = read_systems(
            systems,
            references,
            read_options(options),
            needs_references=bool(selection.columns_needing_references),
        )
        if not options.no_captions:
            check_captions(outputs, corpora)
        if options.language is None:
            selection = _leave_out_english_only(selection, corpora, options.tokenizer)
        note_selection(options, selection)
        unused = max(corpus.unused_references for corpus in corpora.values())
        if unused:
            note(options, f"left out, references without a candidate: {unused}")

        def score(corpora: Corpora) -> Results:
            return score_systems(
                corpora,
                selection,
                tokenizer=options.tokenizer,
                language=options.language or ENGLISH,
                cache=not options.no_cache,
            )

        results = _score_without_bad_images(options, corpora, score)
    write_scores(
        outputs,
        results,
        captions=not options.no_captions,
        statistics=not options.no_statistics,
        precision=options.precision,
    )
    if options.report is not None:
        _write_report(options, results)
    diversities = None if diversity is None else diversity.measure_results(results)
    _show(options, _make_table(options, results), diversities)


def _show(
    options: argparse.Namespace, scores: TabularResult | None, diversities: Diversities | None
) -> None:
    """Print scores, diversity, or one below the other."""
    if diversities is not None:
        from captious.diagnostics.diversity.diversity import ScoresAndDiversity

        scores = ScoresAndDiversity(scores, diversities)
    if scores is not None:
        show_tabled(scores, options.format)


def _has_image_files(options: argparse.Namespace) -> bool:
    """Return whether --images names image files, and not vectors of images."""
    if options.images is None:
        return False
    from captious.images.sources import holds_vectors

    return not holds_vectors(options.images)


def _split_off_diversity(
    options: argparse.Namespace,
) -> tuple[str | None, DiversityMeasurement | None]:
    """Split `diversity` from the metrics of --metrics; raise for options that it cannot serve."""
    addresses = [] if options.metrics is None else list(parse_addresses(options.metrics))
    groups = [each for each in addresses if normalize_name(each.name) == DIVERSITY]
    if not groups:
        if options.training is not None:
            raise InputError("--training: only diversity uses it; add diversity to --metrics")
        return options.metrics, None
    if len(groups) > 1:
        raise InputError(f"{DIVERSITY}: asked for twice; score twice to compare settings")
    others = ",".join(str(each) for each in addresses if each not in groups)
    for name in PER_SAMPLE_OPTIONS if not others else ():
        if getattr(options, name, None) is not None:
            raise InputError(
                f"--{name}: {DIVERSITY} alone scores no samples; name metrics, too, or leave it out"
            )
    from captious.cli.diversity import DiversityMeasurement

    return others, DiversityMeasurement(options, groups[0])


def _select_metrics(
    options: argparse.Namespace,
    names: str | None,
    parameters: Mapping[str, Any],
    *,
    df_is_used: bool,
) -> Selection:
    """Select metrics; --df may be of no use to them if diversity takes it (`df_is_used`)."""
    try:
        return select_with_images(names, parameters, options.language or ENGLISH)
    except UnusedOptionError as error:
        if error.option != "df" or not df_is_used:
            raise
    without = {name: value for name, value in parameters.items() if name != "df"}
    return select_with_images(names, without, options.language or ENGLISH)


def _leave_out_english_only(
    selection: Selection, corpora: Corpora, tokenizer: str | None
) -> Selection:
    """Leave out metrics that are English only where the captions seem not to be English.

    Their numbers would mean nothing. With --language, no metric is left out for a guess.
    """
    from captious.diagnostics.check.quick_check import seems_non_english

    if not any(metric.english_part() for metric in selection.metrics):
        return selection
    english_tokenizer = tokenizer_for(ENGLISH, tokenizer)
    if not any(seems_non_english(corpus, english_tokenizer) for corpus in corpora.values()):
        return selection
    remedy = "give --language en to score with these all the same"
    try:
        reduced = selection.without_english_only()
    except InputError as error:
        raise InputError(f"the captions do not seem to be English; {error}; {remedy}") from None
    remark = (
        "the captions do not seem to be English, so metrics that are English only are left out; "
        f"name the language, or {remedy}"
    )
    return replace(reduced, notes=(*reduced.notes, remark))


def _write_report(options: argparse.Namespace, results: Results) -> None:
    from captious.cli.report import write_systems_report
    from captious.report.systems.report_data import ReportOptions

    images = options.images if _has_image_files(options) else None
    report_options = ReportOptions(images=images, **_bootstrap_options(options))
    with work_bars(options):
        summary = write_systems_report(options, options.report, results, report_options)
    note(options, summary)


def _make_table(options: argparse.Namespace, results: Results) -> TabularResult:
    """Return one system's scores or a leaderboard of several, by group if --by was given."""
    if options.by is not None:
        from captious.comparison.groups import leaderboard_by

        return leaderboard_by(results, options.by, **_bootstrap_options(options))
    if len(results) > 1 or options.format == CSV:
        from captious.comparison.leaderboard import leaderboard

        return leaderboard(results, **_bootstrap_options(options))
    (result,) = results.values()
    return result.with_intervals(**_bootstrap_options(options))


def _bootstrap_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of functions that compute intervals."""
    return {"method": options.interval, "resamples": options.resamples}


def _score_without_bad_images(
    options: argparse.Namespace, corpora: Corpora, score: Callable[[Corpora], Results]
) -> Results:
    """Score all samples; with --skip-bad-images, only those whose images can be read."""
    remaining = corpora
    while True:
        try:
            results = score(remaining)
            break
        except CaptiousError as error:
            # Only a metric that reads images has imported this already.
            from captious.images.reading import BadImageError, BadImagesError

            if isinstance(error, BadImagesError):  # all of them, after the others were encoded
                for fault in error.faults.values():
                    note(options, f"image left out: {fault}")
                remaining = {
                    name: corpus.without_images(error.faults) for name, corpus in remaining.items()
                }
            elif isinstance(error, BadImageError):
                raise InputError(f"{error}; or --skip-bad-images leaves such images out") from None
            else:
                raise
    if remaining is not corpora:
        before, after = (sum(map(len, each.values())) for each in (corpora, remaining))
        note(options, f"left out, samples with bad images: {before - after} of {before}")
    return results
