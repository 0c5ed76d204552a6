"""Measure every metric on every benchmark and write docs/agreement.md."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from captious.io.output_tables import render_table
from captious.meta.agreement import format_share
from captious.meta.evaluation import Evaluation
from captious.meta.evaluation_table import NAMES, main_table, parts_table
from captious.meta.evaluations import Survey, survey
from captious.meta.presets import STANDARD
from captious.report.meta_plots import plot
from captious.version import __version__

DOCS = Path(__file__).resolve().parents[1] / "docs"
CLASSICAL = (
    "coco",
    "spider",
    "cider",
    "ngram_precision",
    "unigram_recall",
    "hwcm",
    "hwcm_dep",
    "wmd",
    "mowe",
    "unigram_multiref",
)
LEARNED = ("nneval", "lceval", "captious", "captious_full")
METRICS = (*CLASSICAL, "bertscore", "bertscore_multiref", "consensus", *LEARNED)
PAPERS = ("clipscore", "yi2020", "lceval", "nneval", "leic")
INTRODUCTION = """# Agreement with people

Which metric agrees with people? Everything on this page was measured with Captious {version} by
`python tools/build_agreement_page.py --data DIR`; nothing is typed in. `captious meta BENCHMARK`
prints each table, [meta.md](meta.md) explains protocols and commands.

## All metrics, all benchmarks

Under the protocol `standard`, each benchmark's headline statistic; in brackets a published figure,
from a paper with the same protocol where there is one (see below for the papers' own protocols).

"""
ORDER = "Metrics that share a letter cannot be told apart (joint bootstrap over images, Holm, 5%)."


def page_parts(standard: Survey, by_paper: dict[str, Survey]) -> Iterator[str]:
    """Yield the page, part by part."""
    yield INTRODUCTION.format(version=__version__)
    yield overview_table(standard)
    yield "\n"
    for name, reason in standard.absent.items():
        yield f"\nNot measured: {name} ({reason.partition('; ')[0].rpartition(': ')[2]}).\n"
    yield "\n![Flickr8k-Expert](plots/flickr8k-expert.svg)\n"
    yield f"\n## Benchmark by benchmark\n\n{ORDER}\n"
    for name, evaluation in standard.evaluations.items():
        yield f"\n### {name}\n\n"
        yield benchmark_section(evaluation)
    yield "\n## Under the papers' own protocols\n\n"
    yield "Our figures next to those of each paper, under its protocol as far as it is known.\n"
    for paper, result in by_paper.items():
        for name, evaluation in result.evaluations.items():
            yield f"\n### {paper}: {name}\n\n"
            yield format_beside_published(evaluation)


def overview_table(result: Survey) -> str:
    """Return the table with a row per metric and a column per benchmark."""
    evaluations = result.evaluations
    metrics = [row.metric for row in next(iter(evaluations.values())).agreements.rows]
    header = ["metric"]
    header += [f"{name} {NAMES[evaluation.statistic]}" for name, evaluation in evaluations.items()]
    rows = []
    for metric in metrics:
        cells = [metric]
        for evaluation in evaluations.values():
            value = evaluation.agreements[metric].values[evaluation.agreements.statistic]
            figure = evaluation.published(metric)
            cells.append(
                format_share(value) + (f" ({format_share(figure.value)})" if figure else "")
            )
        rows.append(cells)
    return render_table(header, rows, "markdown")


def benchmark_section(evaluation: Evaluation) -> str:
    """Return a benchmark's tables with its protocol."""
    n = evaluation.agreements.rows[0].n
    text = f"{n:,} judgements. *{evaluation.protocol.describe()}.*\n\n"
    text += main_table(evaluation).render("markdown") + "\n"
    if evaluation.parts:
        text += "\n" + parts_table(evaluation).render("markdown") + "\n"
    return text


def format_beside_published(evaluation: Evaluation) -> str:
    """Return the table of metrics for which the paper has a figure, ours next to it."""
    statistic = evaluation.agreements.statistic
    rows = []
    for row in evaluation.agreements.rows:
        groups = [name for name in row.values if name != statistic and len(row.values) > 2]
        wanted = [None, *groups] if evaluation.agreements.of_pairs else [None, *evaluation.parts]
        for group in wanted:
            figure = evaluation.published(row.metric, group)
            if figure is None:
                continue
            if group is None:
                value = row.values[statistic]
            elif evaluation.agreements.of_pairs:
                value = row.values[group]
            else:
                value = evaluation.parts[group][row.metric].values[statistic]
            rows.append(
                [row.metric, group or "", format_share(value), format_share(figure.value),
                 f"{value - figure.value:+.3f}", figure.source, figure.note]
            )  # fmt: skip
    text = f"*{evaluation.protocol.describe()}.*\n\n"
    if not rows:
        return text + "The paper reports no figure for these metrics.\n"
    header = ["metric", "part", "ours", "published", "difference", "source", "note"]
    return text + render_table(header, rows, "markdown", 2) + "\n"


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of all benchmarks")
    data = parser.parse_args().data

    def started(name: str) -> None:
        print(name, file=sys.stderr)

    standard = survey(METRICS, data=data, protocol=STANDARD, started=started)
    by_paper = {
        paper: survey(CLASSICAL, data=data, protocol=paper, started=started, resamples=0)
        for paper in PAPERS
    }
    (DOCS / "plots").mkdir(exist_ok=True)
    plot(DOCS / "plots" / "flickr8k-expert.svg", standard.evaluations["flickr8k-expert"])
    (DOCS / "agreement.md").write_text("".join(page_parts(standard, by_paper)), encoding="utf-8")


if __name__ == "__main__":
    main()
