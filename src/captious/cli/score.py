"""captious score: score candidates of one system or several against references."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from captious._internal.threads import limit_threads
from captious.cli import score_outputs
from captious.cli.caption_options import check_candidates, declare_captions, read_options
from captious.cli.diversity import declare_training, split_off_diversity
from captious.cli.image_options import declare_image_options, image_parameters, select_with_images
from captious.cli.options import AddOption
from captious.cli.output import note, note_selection, show_tabled
from captious.cli.progress import work_bars
from captious.cli.streaming import check_no_stream_options, declare_stream, run_stream
from captious.cli.systems import parse_systems
from captious.corpus import Corpus
from captious.diagnostics.diversity.diversity import ScoresAndDiversity
from captious.errors import InputError
from captious.images.reading import BadImageError, BadImagesError
from captious.images.sources import holds_vectors
from captious.io.captions import read_systems
from captious.io.output_tables import CSV, TabularResult
from captious.io.output_tables import FORMATS as ALL_FORMATS
from captious.registry import DEFAULT, Selection, UnusedOptionError
from captious.result import DOUBLE, PRECISIONS, Result
from captious.scorer import score_systems
from captious.text.languages import ENGLISH, tokenizer_for

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


def declare(add_option: AddOption) -> None:
    """Add the arguments."""
    declare_captions(add_option, "captions to score", "captions to score against", "*")
    add_option("--metrics", default_text=",".join(DEFAULT))
    add_option("--df")
    add_option("--meteor-tables", "a folder of METEOR tables, instead of the shipped ones")
    add_option("--vectors", "word vectors for WMD and MOWE from captious vectors, instead of ours")
    declare_image_options(add_option)
    add_option(
        "--skip-bad-images",
        "with --images DIR: leave out samples whose image is unreadable, truncated, too large or "
        "animated, and list them; otherwise the first such image is an error",
        action="store_true",
    )
    add_option("--tokenizer", default=None, default_text="ptb, or the one for --language")
    add_option(
        "--language",
        default=None,
        default_text="en; if captions are not English, without English metrics",
    )
    add_option("--interval")
    declare_training(add_option)
    add_option("--by")
    add_option(
        "--output",
        "write one row per sample to this file; for several systems, a folder, or a pattern as "
        "scores/*.csv, in which * is the system's name",
    )
    add_option(
        "--no-captions", "write scores without candidates and references", action="store_true"
    )
    add_option(
        "--no-statistics",
        "leave out the statistics that only comparisons need",
        action="store_true",
    )
    add_option("--precision", "precision of the written scores", choices=PRECISIONS, default=DOUBLE)
    add_option("--report", "write an HTML report about the systems", metavar="FILE")
    add_option("--no-cache")
    declare_stream(add_option)


def run(options: argparse.Namespace) -> None:
    """Read, score, write, print: a chunk at a time, or all at once in memory."""
    check_candidates(options)
    if options.stream:
        run_stream(options)
        return
    check_no_stream_options(options)
    with nullcontext() if options.jobs is None else limit_threads(options.jobs):
        _run_in_memory(options)


def _run_in_memory(options: argparse.Namespace) -> None:
    if options.skip_bad_images and (options.images is None or holds_vectors(options.images)):
        raise InputError("--skip-bad-images: needs image files; give --images a folder")
    tables = {name: getattr(options, name) for name in ("df", "meteor_tables", "vectors")}
    given = {name: value for name, value in tables.items() if value is not None}
    given |= image_parameters(options, options.skip_bad_images)
    if options.report is not None:
        from captious.report.browser.page import check_page

        check_page(options.report)
    systems = parse_systems(options.candidates, in_parts=True)
    references = options.references or []
    names, diversity = split_off_diversity(options)
    if diversity is not None and not names:
        corpora = read_systems(systems, references, read_options(options), needs_references=False)
        measure = diversity.measure(corpora, options.tokenizer, options.language or ENGLISH)
        show_tabled(ScoresAndDiversity(None, measure), options.format)
        return
    with work_bars(options):
        selection = _select_metrics(options, names, given, df_is_used=diversity is not None)
        files = [file for parts in systems.values() for file in parts]
        outputs = score_outputs.plan_output_files(
            options.output, list(systems), [*files, *references]
        )
        corpora = read_systems(
            systems,
            references,
            read_options(options),
            needs_references=bool(selection.columns_of_references),
        )
        if not options.no_captions:
            score_outputs.check_captions(outputs, corpora)
        if options.language is None:
            selection = _as_languages_allow(selection, corpora, options.tokenizer)
        note_selection(options, selection)
        unused = max(corpus.unused_references for corpus in corpora.values())
        if unused:
            note(options, f"left out, references without a candidate: {unused}")

        def scored(some: Corpora) -> Results:
            return score_systems(
                some,
                selection,
                tokenizer=options.tokenizer,
                language=options.language or ENGLISH,
                cache=not options.no_cache,
            )

        results = _without_bad_images(options, corpora, scored)
    score_outputs.write_scores(
        outputs,
        results,
        captions=not options.no_captions,
        statistics=not options.no_statistics,
        precision=options.precision,
    )
    if options.report is not None:
        _write_page(options, results)
    shown = _printed_result(options, results)
    if diversity is not None:
        shown = ScoresAndDiversity(shown, diversity.measure_results(results))
    show_tabled(shown, options.format)


def _select_metrics(
    options: argparse.Namespace, names: str | None, given: Mapping[str, Any], *, df_is_used: bool
) -> Selection:
    """The metrics; that none of them takes document frequencies is no matter where others do."""
    try:
        return select_with_images(names, given, options.language or ENGLISH)
    except UnusedOptionError as error:
        if error.option != "df" or not df_is_used:
            raise
    without = {name: value for name, value in given.items() if name != "df"}
    return select_with_images(names, without, options.language or ENGLISH)


def _as_languages_allow(selection: Selection, corpora: Corpora, tokenizer: str | None) -> Selection:
    """The metrics without those that are English only, where the captions are not.

    Their numbers would mean nothing. Who names the language gets what was asked for.
    """
    from captious.diagnostics.check.quick_check import seems_non_english

    if not any(metric.english_part() for metric in selection.metrics):
        return selection
    cut = tokenizer_for(ENGLISH, tokenizer)
    if not any(seems_non_english(corpus, cut) for corpus in corpora.values()):
        return selection
    all_the_same = "give --language en to score with these all the same"
    try:
        reduced = selection.without_english_only()
    except InputError as error:
        raise InputError(
            f"the captions do not seem to be English; {error}; {all_the_same}"
        ) from None
    remark = (
        "the captions do not seem to be English, so metrics that are English only are left out; "
        f"name the language, or {all_the_same}"
    )
    return replace(reduced, notes=(*reduced.notes, remark))


def _write_page(options: argparse.Namespace, results: Results) -> None:
    from captious.cli.pages import write_systems
    from captious.report.systems.report_data import ReportOptions

    seen = None if options.images is None or holds_vectors(options.images) else options.images
    wanted = ReportOptions(images=seen, **_bootstrap_options(options))
    with work_bars(options):
        said = write_systems(options, options.report, results, wanted)
    note(options, said)


def _printed_result(options: argparse.Namespace, results: Results) -> TabularResult:
    """One system's scores, or several systems' beside one another, by groups where these are."""
    if options.by is not None:
        from captious.comparison.groups import leaderboard_by

        return leaderboard_by(results, options.by, **_bootstrap_options(options))
    if len(results) > 1 or options.format == CSV:
        from captious.comparison.leaderboard import leaderboard

        return leaderboard(results, **_bootstrap_options(options))
    (result,) = results.values()
    return result.with_intervals(**_bootstrap_options(options))


def _bootstrap_options(options: argparse.Namespace) -> dict[str, Any]:
    """How intervals are made, as functions take it."""
    return {"method": options.interval, "resamples": options.resamples}


def _without_bad_images(
    options: argparse.Namespace, corpora: Corpora, scored: Callable[[Corpora], Results]
) -> Results:
    """Score all samples or, where bad images are to be skipped, those whose images can be seen."""
    left = corpora
    while True:
        try:
            results = scored(left)
            break
        except BadImagesError as error:  # found together, after all others were encoded
            for fault in error.faults.values():
                note(options, f"image left out: {fault}")
            left = {name: corpus.without_images(error.faults) for name, corpus in left.items()}
        except BadImageError as error:
            raise InputError(f"{error}; or --skip-bad-images leaves such images out") from None
    if left is not corpora:
        before, after = (sum(map(len, each.values())) for each in (corpora, left))
        note(options, f"left out, samples with bad images: {before - after} of {before}")
    return results
