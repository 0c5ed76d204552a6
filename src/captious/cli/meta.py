"""captious meta: which metric agrees with people, under a stated protocol."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from captious.cli.options import Add, names_in
from captious.cli.output import (
    check_json_output,
    check_table_output,
    note,
    note_selection,
    typed_command,
    write_json,
)
from captious.cli.progress import work_bars
from captious.cli.seen_images import declare_images, seen_images, select_seeing
from captious.cli.terminal import show
from captious.errors import InputError
from captious.images.folder import ImageFolder
from captious.images.sources import holds_vectors
from captious.io.formats import STANDARD, read_table
from captious.io.output_tables import TabularResult
from captious.meta.aspects import evaluate_aspects
from captious.meta.benchmarks import BENCHMARKS, benchmark_named
from captious.meta.benchmarks.hallucinations import HAT
from captious.meta.by_references import evaluate_by_references
from captious.meta.evaluation import Evaluation, evaluate
from captious.meta.marked_words import evaluate_words
from captious.meta.power import power
from captious.meta.presets import PRESETS, preset
from captious.meta.presets import STANDARD as STANDARD_PROTOCOL
from captious.meta.protocol import CHOICES, DOCUMENTS
from captious.meta.score_files import read_judged_scores, write_judged
from captious.meta.survey import survey
from captious.meta.task import CUSTOM, read_task
from captious.meta.timing import time_metrics
from captious.meta.versus import versus
from captious.metrics.declarations import METRICS
from captious.metrics.pooling import POOLS
from captious.registry import DEFAULT, Selection, UnusedOptionError, understood
from captious.report.browser.contents import Contents
from captious.report.browser.page import check_page, write_page
from captious.report.meta_plots import check_plot, plot, scatter
from captious.text.languages import ENGLISH, language_code

ALL = "all"
OVERRIDES = {
    "raters": CHOICES["raters"],
    "own": CHOICES["own"],
    "documents": DOCUMENTS,
    "statistic": CHOICES["statistic"],
    "ties": CHOICES["ties"],
    "weights": CHOICES["weights"],
}
OF_ASPECT = ("references", "time", "versus", "scores", "samples", "plot", "scatter", "report")
OF_EVALUATION = ("ceiling", "power")  # what goes with one evaluation of metrics
DESCRIPTION = "Measure how well metrics agree with human judgements. The protocol is printed."
EXAMPLES = f"""benchmarks:
{chr(10).join(f"  {name:<16} {each.title}" for name, each in BENCHMARKS.items())}
  {ALL:<16} all of these whose files are in --data

examples:
  captious meta flickr8k-expert --data flickr8k --protocol clipscore
  captious meta pascal-50s --data pascal50s --references 1,5,20,50 --plot references.png
  captious meta custom --judgements ratings.csv --metrics cider_d,spice
  captious meta flickr8k-cf --data flickr8k --metrics captious_image,leic --images flickr8k/images
  captious meta composite --data composite --samples rows.jsonl     # score these with any tool,
  captious meta composite --data composite --scores mine.csv        # and evaluate its scores
"""


def declare(add: Add) -> None:
    """Add the arguments."""
    add("benchmark", "one of those listed below", choices=(*BENCHMARKS, ALL), metavar="BENCHMARK")
    add("--data", "the folder with the benchmark's files, or its parent", metavar="DIR")
    add("--judgements", "for custom: rows of candidate, references, rating", metavar="FILE")
    rated = "for custom: columns of --judgements with ratings; several are aspects, in one table"
    add("--ratings", rated, metavar="NAMES", usual="rating")
    own = "for custom: columns of --judgements with your own scores"
    add("--own-scores", own, metavar="NAMES")
    add("--metrics", usual=",".join(DEFAULT))
    add("--df")
    add("--language")
    declare_images(add)
    add("--protocol", "protocol of a paper", choices=tuple(PRESETS), default=STANDARD_PROTOCOL)
    for field, choices in OVERRIDES.items():
        add(f"--{field}", f"override the protocol's {field}", choices=choices)
    add("--part", "only one part of the benchmark, such as choose of hat", metavar="NAME")
    add("--words", "for hat: compare unsupported words with the marked ones", action="store_true")
    add("--joined", "join all references of a caption into one", action="store_true")
    add("--references", "agreement by number of references, e.g. 1,2,5", metavar="N,N...")
    pools = f"with --references: how to pool over single references: {', '.join(POOLS)} or own"
    add("--pool", pools, metavar="NAMES")
    add("--time", "only measure how long each metric takes", action="store_true")
    versus = "test two metrics against each other; for custom also columns of --judgements"
    add("--versus", versus, metavar="A,B")
    ceiling = "agreement among people, and the best agreement that a metric can reach"
    add("--ceiling", ceiling, action="store_true")
    power = "with --versus: how many images a significant difference needs"
    add("--power", power, action="store_true")
    add("--systems", "for coco-2015: the systems' results files", metavar="DIR")
    add("--samples", "only write the captions to be scored", metavar="FILE")
    add("--scores", "scores of those captions, from any tool", metavar="FILE")
    add("--resamples")
    add("--seed")
    add("--plot", "draw the result as .png or .svg", metavar="FILE")
    add("--scatter", "draw scores against ratings as .png or .svg", metavar="FILE")
    page = "write an HTML report: agreement, plots, every judged caption with its scores"
    add("--report", page, metavar="FILE")
    add("--output", "write everything to this JSON file", metavar="FILE")
    add("--no-cache")


def run(options: argparse.Namespace) -> None:
    """Read, score, compare, draw, print."""
    _check(options)
    with work_bars(options):
        own = _own_scores(options)
        selection = _selection(options, own)
        if selection is not None and options.metrics is not None:
            # What --metrics names is a metric, whatever columns there are.
            own = [name for name in own if name not in selection.columns or _is_own(options, name)]
        if options.samples is not None:
            write_judged(options.samples, read_task(**_which(options, own)).judgements)
            return
        result = evaluated = _result(options, selection, own)
        page = _page(options, evaluated)
        if isinstance(evaluated, Evaluation) and options.versus is not None:
            two = _tested(options, evaluated, selection)
            result = power(evaluated, *two) if options.power else versus(evaluated, *two)
    if selection is not None:
        note_selection(options, selection)
    _draw(options, result)
    if page is not None:
        write_page(options.report, page)
        size = Path(options.report).stat().st_size / 1e6
        note(options, f"{options.report}: {len(page.ids):,} rows, {size:.1f} MB")
    write_json(options.output, result.to_dict())
    show(result.to_text(options.format))


def _result(
    options: argparse.Namespace, selection: Selection | None, own: Sequence[str]
) -> TabularResult:
    """What was asked for: one evaluation, or one of the experiments."""
    common: dict[str, Any] = {
        "metrics": selection,
        "resamples": options.resamples,
        "seed": options.seed,
        "cache": not options.no_cache,
        "language": options.language,
    }
    if options.benchmark == ALL:
        common["started"] = lambda name: note(options, name)
        return survey(data=options.data, protocol=options.protocol, **common)
    if options.words:
        drawn = {"resamples": options.resamples, "seed": options.seed}
        return evaluate_words(options.data, part=options.part, **drawn)
    which = _which(options, own)
    if options.time:
        which.pop("systems", None)
        return time_metrics(**which, metrics=selection, progress=lambda name: note(options, name))
    if options.references is not None:
        pools = [None if name == "own" else name for name in names_in(options.pool or "own")]
        counts = [int(count) if count.isdigit() else 0 for count in names_in(options.references)]
        return evaluate_by_references(**which, counts=counts, pools=pools, **common)
    if len(aspects := names_in(options.ratings or "")) > 1:
        return evaluate_aspects(
            options.judgements, aspects, protocol=which["protocol"], own_scores=own, **common
        )
    task = read_task(**which)
    given = options.scores
    scores = None if given is None else read_judged_scores(given, task.judgements)
    return evaluate(task, scores=scores, ceiling=options.ceiling, **common)


def _tested(
    options: argparse.Namespace, evaluation: Evaluation, selection: Selection | None
) -> tuple[str, str]:
    """The two metrics that are tested against each other."""
    said = () if selection is None else selection.notes
    a, b = (_scored_as(options, evaluation, name, said) for name in _two(options))
    return a, b


def _page(options: argparse.Namespace, evaluated: TabularResult) -> Contents | None:
    """What the page shows that was asked for; it is written when all else is known to be well."""
    if options.report is None or not isinstance(evaluated, Evaluation):
        return None
    from captious.report.judgements.report_data import (  # for this alone
        ReportOptions,
        build_contents,
    )

    shows = options.images is not None and not holds_vectors(options.images)
    images = ImageFolder(options.images) if shows else None
    return build_contents(
        evaluated, ReportOptions(images, [typed_command(options)], not options.no_cache)
    )


def _draw(options: argparse.Namespace, result: TabularResult) -> None:
    """The plots that were asked for."""
    # What can be scattered can be drawn as bars, too, but not the other way round.
    if options.scatter is not None:
        scatter(options.scatter, result)
    if options.plot is not None:
        plot(options.plot, result)


def _which(options: argparse.Namespace, own: Sequence[str]) -> dict[str, Any]:
    """The benchmark, its data and the protocol, as functions take them."""
    chosen = preset(options.protocol, options.benchmark)
    others = {name: getattr(options, name) for name in OVERRIDES if getattr(options, name)}
    if options.joined:
        others["joined"] = True
    if options.part is not None:
        others["parts"] = (options.part,)
    if options.df is not None:
        others["documents"] = options.df
    if others:  # no longer the paper's, whose figures are not shown beside it
        others["name"] = f"{chosen.name}, changed"
    which = {
        "benchmark": options.benchmark,
        "data": options.judgements if options.benchmark == CUSTOM else options.data,
        "protocol": replace(chosen, **others),
    }
    if options.systems is not None:
        which["systems"] = options.systems
    if own:
        which["own_scores"] = own
    if options.ratings is not None:
        which["rating"] = options.ratings.strip(" ,")
    return which


def _own_scores(options: argparse.Namespace) -> list[str]:
    """The columns of a judgement file that are scores: named so, or tested.

    What is tested is a column if one has exactly that name, or if no metric is spelt so.
    """
    own = names_in(options.own_scores or "")
    if options.benchmark == CUSTOM and options.versus is not None and options.scores is None:
        others = [name for name in _two(options) if name not in own]
        if any(map(_is_metric, others)):
            # Standard input is read once, and later: there --own-scores names such columns.
            is_file = options.judgements != STANDARD
            columns = read_table(options.judgements).columns if is_file else ()
            others = [name for name in others if name in columns or not _is_metric(name)]
        own += others
    return list(dict.fromkeys(own))


def _is_own(options: argparse.Namespace, name: str) -> bool:
    """Whether a column was said to hold scores."""
    return name in names_in(options.own_scores or "")


def _is_metric(name: str) -> bool:
    """Whether it is a metric or a column of one, however spelt."""
    return METRICS.of(understood(name)[0]) is not None


def _scored_as(
    options: argparse.Namespace, evaluation: Evaluation, name: str, said: Sequence[str]
) -> str:
    """The name that was scored: the one given, or what it is understood as; a guess is said."""
    meant, remark = understood(name)
    if name not in evaluation.scores:
        if remark and f"{name} {remark}" not in said:
            note(options, f"{name} {remark}")
        return meant
    judgements = evaluation.judgements
    is_column = judgements is not None and name in judgements.scores
    if is_column and _is_metric(name) and not _is_own(options, name):
        note(options, f"{name} is the column of {options.judgements}, not the metric {meant}")
    return name


def _two(options: argparse.Namespace) -> tuple[str, str]:
    """What is tested against each other."""
    names = names_in(options.versus)
    if len(names) != 2:
        raise InputError(f"--versus takes two names separated by a comma, not {options.versus!r}")
    return names[0], names[1]


def _check(options: argparse.Namespace) -> None:
    """Stop at what cannot be done before doing the rest."""
    if options.benchmark == CUSTOM:
        if options.judgements is None:
            raise InputError("custom: name your judgements with --judgements FILE")
    elif options.judgements or options.own_scores or options.ratings:
        name = "judgements" if options.judgements else "ratings"
        name = "own-scores" if options.own_scores else name
        raise InputError(f"--{name} is for custom; {options.benchmark} reads --data DIR")
    elif options.data is None:
        needs = "" if options.benchmark == ALL else _source(options.benchmark)
        raise InputError(f"{options.benchmark}: name the folder of its files with --data{needs}")
    _check_files(options)
    one = (
        *OF_EVALUATION,
        "references",
        "time",
        "versus",
        "scores",
        "samples",
        "scatter",
        "images",
        "df",
        "report",
        "part",
        "words",
    )
    given = [name for name in one if getattr(options, name)]
    if options.benchmark == ALL and given:
        raise InputError(f"--{given[0]} is for one benchmark, not for all")
    for asked in ("report", *OF_EVALUATION):
        for other in ("samples", "time", "references"):
            if getattr(options, asked) and getattr(options, other):
                raise InputError(f"--{asked} shows one evaluation of metrics; leave out --{other}")
    if len(names_in(options.ratings or "")) > 1:
        for other in (*OF_ASPECT, *OF_EVALUATION):
            if getattr(options, other):
                raise InputError(f"--{other} is of one column of ratings; name one with --ratings")
    if options.words:
        _check_words(options)
    if options.df is not None and options.documents is not None:
        raise InputError("--df and --documents both say where document frequencies come from")
    if language_code(options.language) != ENGLISH:
        for other in ("report", "time"):
            if getattr(options, other):
                raise InputError(f"--{other} is for English; leave out --language, or --{other}")
    if options.power and options.versus is None:
        raise InputError("--power needs --versus A,B: the two metrics to compare")
    if options.pool is not None and options.references is None:
        raise InputError("--pool needs --references")


def _check_words(options: argparse.Namespace) -> None:
    """Stop at what says nothing of marked words."""
    if options.benchmark != HAT.name:
        raise InputError(f"--words is for {HAT.name}, whose words are marked")
    of_metrics = ("metrics", "references", "time", "versus", "scores", "samples", "scatter", "plot")
    for other in (*of_metrics, "report", "images", "df", *OVERRIDES, "joined"):
        if getattr(options, other):
            raise InputError(f"--words compares words, not metrics; leave out --{other}")


def _check_files(options: argparse.Namespace) -> None:
    """Stop at files that cannot be written."""
    for path in (options.plot, options.scatter):
        if path is not None:
            check_plot(path)
    check_json_output(options.output)
    check_table_output(options.samples)
    if options.report is not None:
        check_page(options.report)


def _selection(options: argparse.Namespace, own: Sequence[str]) -> Selection | None:
    """The metrics that were named; none but the file's where there are scores from elsewhere."""
    if options.words:
        return None
    given = seen_images(options)
    if options.df is not None:
        given["df"] = options.df
    names = options.metrics
    if names is None and options.versus is not None and options.scores is None:
        names = ",".join(name for name in _two(options) if name not in own)  # what is tested
        if not names and given:
            raise UnusedOptionError(next(iter(given)), ())
    elif names is None and (options.scores or options.own_scores):
        names = ""
    if names == "" and not given:
        return None
    names = names or ",".join(DEFAULT)
    return select_seeing(names, given, options.language)


def _source(benchmark: str) -> str:
    return f"; they come from {benchmark_named(benchmark).source}"
