"""captious meta: which metric agrees with people, under a stated protocol."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from captious.cli.inputs import image_parameters, select_with_images
from captious.cli.meta_options import ALL, OVERRIDES, check_options
from captious.cli.meta_options import add_arguments as add_arguments
from captious.cli.options import split_names
from captious.cli.output import note, note_selection, typed_command, write_json
from captious.cli.progress import work_bars
from captious.cli.terminal import show
from captious.errors import InputError
from captious.images.folder import ImageFolder
from captious.images.sources import holds_vectors
from captious.io.formats import STANDARD, read_table
from captious.io.output_tables import TabularResult
from captious.meta.benchmarks import BENCHMARKS
from captious.meta.evaluation import Evaluation, evaluate
from captious.meta.evaluations import evaluate_aspects, evaluate_by_references, survey
from captious.meta.marked_words import evaluate_words
from captious.meta.presets import preset
from captious.meta.scoring import read_judged_scores, time_metrics, write_judged
from captious.meta.task import CUSTOM, read_task
from captious.meta.two_metrics import power, versus
from captious.metrics.declarations import METRICS
from captious.registry import (
    DEFAULT,
    Selection,
    UnusedOptionError,
    names_file,
    resolve_name,
    select,
)
from captious.report.browser.contents import Contents
from captious.report.browser.page import write_page
from captious.report.meta_plots import plot, scatter

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


def run(options: argparse.Namespace) -> None:
    """Score the benchmark's captions, compare with its judgements, draw and print."""
    check_options(options)
    with work_bars(options):
        score_columns = _find_score_columns(options)
        selection = _select_metrics(options, score_columns)
        if selection is not None and options.metrics is not None:
            # What --metrics names is a metric, whatever columns there are.
            score_columns = [
                name
                for name in score_columns
                if name not in selection.columns or _is_score_column(options, name)
            ]
        if options.samples is not None:
            write_judged(
                options.samples, read_task(**_task_arguments(options, score_columns)).judgements
            )
            return
        result = evaluated = _evaluate(options, selection, score_columns)
        page = _report_contents(options, evaluated)
        if isinstance(evaluated, Evaluation) and options.versus is not None:
            two = _metrics_to_compare(options, evaluated, selection)
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


def _evaluate(
    options: argparse.Namespace, selection: Selection | None, score_columns: Sequence[str]
) -> TabularResult:
    """Run the evaluation or experiment that the options name."""
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
    which = _task_arguments(options, score_columns)
    if options.time:
        which.pop("systems", None)
        return time_metrics(**which, metrics=selection, progress=lambda name: note(options, name))
    if options.references is not None:
        pools = [None if name == "own" else name for name in split_names(options.pool or "own")]
        counts = split_names(options.references)
        return evaluate_by_references(**which, counts=counts, pools=pools, **common)
    if len(aspects := split_names(options.ratings or "")) > 1:
        return evaluate_aspects(
            options.judgements,
            aspects,
            protocol=which["protocol"],
            own_scores=score_columns,
            **common,
        )
    task = read_task(**which)
    file = options.scores
    scores = None if file is None else read_judged_scores(file, task.judgements)
    return evaluate(task, scores=scores, ceiling=options.ceiling, **common)


def _metrics_to_compare(
    options: argparse.Namespace, evaluation: Evaluation, selection: Selection | None
) -> tuple[str, str]:
    """Return the two metrics of --versus, as they were scored."""
    notes = () if selection is None else selection.notes
    a, b = (
        _resolve_scored_name(options, evaluation, name, notes) for name in _split_versus(options)
    )
    return a, b


def _report_contents(options: argparse.Namespace, evaluated: TabularResult) -> Contents | None:
    """Collect the contents of --report; the page is written after everything else succeeded."""
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
    """Draw --plot and --scatter."""
    # What can be scattered can be drawn as bars, too, but not the other way round.
    if options.scatter is not None:
        scatter(options.scatter, result)
    if options.plot is not None:
        plot(options.plot, result)


def _task_arguments(options: argparse.Namespace, score_columns: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of `read_task`: benchmark, data and protocol."""
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
    if score_columns:
        which["own_scores"] = score_columns
    if options.ratings is not None:
        which["rating"] = options.ratings.strip(" ,")
    return which


def _find_score_columns(options: argparse.Namespace) -> list[str]:
    """Return the score columns of a judgement file: those of --own-scores and --versus.

    What is tested is a column if one has exactly that name, or if no metric is spelt so.
    """
    score_columns = split_names(options.own_scores or "")
    if options.benchmark == CUSTOM and options.versus is not None and options.scores is None:
        others = [name for name in _split_versus(options) if name not in score_columns]
        if any(map(_is_metric, others)):
            # Standard input is read once, and later: there --own-scores names such columns.
            is_file = options.judgements != STANDARD
            columns = read_table(options.judgements).columns if is_file else ()
            others = [name for name in others if name in columns or not _is_metric(name)]
        score_columns += others
    return list(dict.fromkeys(score_columns))


def _is_score_column(options: argparse.Namespace, name: str) -> bool:
    """Return whether --own-scores names the column."""
    return name in split_names(options.own_scores or "")


def _is_metric(name: str) -> bool:
    """Return whether the name is that of a metric or column, in any spelling, or of a file."""
    return names_file(name) or METRICS.find(resolve_name(name)[0]) is not None


def _resolve_scored_name(
    options: argparse.Namespace, evaluation: Evaluation, name: str, notes: Sequence[str]
) -> str:
    """Return the name under which it was scored; note how a name was understood."""
    meant, remark = resolve_name(name)
    if name not in evaluation.scores and names_file(name):
        (meant,) = select([name]).columns  # a file's metric has one
    if name not in evaluation.scores:
        if remark and f"{name} {remark}" not in notes:
            note(options, f"{name} {remark}")
        return meant
    judgements = evaluation.judgements
    is_column = judgements is not None and name in judgements.scores
    if is_column and _is_metric(name) and not _is_score_column(options, name):
        note(options, f"{name} is the column of {options.judgements}, not the metric {meant}")
    return name


def _split_versus(options: argparse.Namespace) -> tuple[str, str]:
    """Split --versus into its two names."""
    names = split_names(options.versus)
    if len(names) != 2:
        raise InputError(f"--versus takes two names separated by a comma, not {options.versus!r}")
    return names[0], names[1]


def _select_metrics(options: argparse.Namespace, score_columns: Sequence[str]) -> Selection | None:
    """Select the metrics to compute; None where only scores from files are evaluated."""
    if options.words:
        return None
    parameters = image_parameters(options)
    if options.df is not None:
        parameters["df"] = options.df
    names = options.metrics
    if names is None and options.versus is not None and options.scores is None:
        names = ",".join(
            name for name in _split_versus(options) if name not in score_columns
        )  # what is tested
        if not names and parameters:
            raise UnusedOptionError(next(iter(parameters)), ())
    elif names is None and (options.scores or options.own_scores):
        names = ""
    if names == "" and not parameters:
        return None
    names = names or ",".join(DEFAULT)
    return select_with_images(names, parameters, options.language)
