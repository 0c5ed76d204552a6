"""The authors' own table searched again: what Tanti et al. found, and what it does not show."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from captious.io.output_tables import render_table
from captious.pregen.names import (
    BEST,
    DATASET_TIER,
    FILTER_TIER,
    IMAGE_TIER,
    METRICS,
    SENTENCE_TIER,
)
from captious.pregen.search import Search, search
from captious.pregen.search_table import read_search_table
from captious.report.pregen_plots import plot_search
from captious.version import __version__
from pregen_page.cells import BASELINE, TOP, format_range, format_share, ranking_table

TABLE = "data.txt.gz"
PUBLISHED = "correlations_{post}.txt"  # the authors' own R², one file a post-gen metric
Published = dict[str, dict[str, float]]  # by post-gen, then by pre-gen metric
TIERS = {
    "dataset": ("data set", DATASET_TIER),
    "image": ("image", IMAGE_TIER),
    "sentence": ("sentence", SENTENCE_TIER),
    "filter": ("filter", FILTER_TIER),
}
INTRODUCTION = """# Which pre-gen metric predicts caption quality?

Written by `python tools/build_pregen_page.py --data DIR` with Captious {version}, in three parts:
the search of Tanti, Gatt and Muscat (2018), repeated on their own table; the same search on [our
own captioners](#captioners-that-the-paper-never-saw), with earlier checkpoints instead of strata;
and [what the metrics are worth during training](#what-they-are-worth-to-a-trainer).
[pregen.md](pregen.md) defines the metrics.

## The authors' captioners

{rows} rows: {models} captioners (four architectures, three data sets, three runs), with each test
set split into 1 to 5 strata by CIDEr. Every row has METEOR, CIDEr, SPICE and WMD of the generated
captions and the {all} pre-gen metrics. `captious pregen search data.txt.gz` prints the
first table.

R² is the square of Pearson's r. As in the paper, metrics that are infinite somewhere or constant
in a data set are left out: {kept} of {all} remain (one of them, `geomean_sum_normcount_none`, is
constant in two data sets up to rounding). Their `filter0` is that of the released code, which keeps
the words *not* ranked first.
"""
OVERALL = """
### Over all data

The best four are the same for every post-gen metric and the fifth differs, as the paper says. In
brackets: the R² that the authors released. The confidence intervals (95%, bootstrap with
{resamples} resamples, seed {seed}) resample whole captioners, because the strata of one are not
independent. They show how much the figures would vary for other captioners of these four
architectures, not for other architectures.

"""
WITHIN = """
### Within each data set

Perplexity is worst across data sets: over all data its R² is {overall}, within a data set it is
{within}, in {ahead} of {cases} cases above the R² of `{best}`.

"""
UNSTRATIFIED = """
### Without strata

The authors introduced strata because their captioners are too similar, and within a data set nearly
everything that the metrics predict above is the difference between strata. Only whole test sets,
{rows} rows, show how well the metrics tell captioners apart: over all data still well, which
reflects the difference between data sets; between the {each} captioners of one data set far less,
and so few rows give only a rough estimate.

"""
BY_TIER = """
### What each tier's choice is worth

The highest R² over all data that any metric with this function reaches.

"""
FIGURES = """
### Figures

These correspond to the paper's figures 4, 6 and 5.

![Perplexity against the post-gen metrics](pregen_search/perplexity.svg)

![The best pre-gen metric against the post-gen metrics](pregen_search/best.svg)

![The best pre-gen metrics for each post-gen metric](pregen_search/ranking.svg)
"""


def page_parts(found: Search, whole: Search, published: Published) -> Iterator[str]:
    """The page, piece by piece."""
    yield INTRODUCTION.format(
        version=__version__,
        rows=len(found.table),
        models=found.models,
        all=len(METRICS),
        kept=found.ranked_count,
    )
    yield OVERALL.format(resamples=found.resamples, seed=found.seed)
    yield ranking_table(found, published=published)
    yield describe_perplexity(found)
    yield data_set_table(found)
    datasets = len(set(whole.table.datasets))
    yield UNSTRATIFIED.format(rows=len(whole.table), each=len(whole.table) // datasets)
    yield unstratified_table(whole)
    yield BY_TIER
    yield tier_table(found)
    yield FIGURES


def data_set_table(found: Search) -> str:
    """For each data set: its own best, the paper's best and perplexity."""
    rows = []
    for dataset in dict.fromkeys(found.table.datasets):
        for post, ranked in found.rankings.items():
            own = max(ranked, key=lambda row: round(row.by_dataset[dataset], 12))
            others = (found.row(post, metric).by_dataset[dataset] for metric in (BEST, BASELINE))
            best = [own.metric, format_share(own.by_dataset[dataset])]
            rows.append([dataset, post, *best, *map(format_share, others)])
    header = ["data set", "post-gen", "its own best", "R²", BEST, "perplexity"]
    return render_table(header, rows, "markdown", 3) + "\n"


def describe_perplexity(found: Search) -> str:
    """What the table of data sets shows of perplexity."""
    perplexity = {post: found.row(post, BASELINE) for post in found.rankings}
    pairs = [
        (r2, found.row(post, BEST).by_dataset[dataset])
        for post, row in perplexity.items()
        for dataset, r2 in row.by_dataset.items()
    ]
    return WITHIN.format(
        overall=format_range([row.r2 for row in perplexity.values()]),
        within=format_range([r2 for r2, _ in pairs]),
        ahead=sum(r2 > best for r2, best in pairs),
        cases=len(pairs),
        best=BEST,
    )


def unstratified_table(whole: Search) -> str:
    """The paper's best and perplexity on whole test sets, over all data and within each."""
    datasets = list(dict.fromkeys(whole.table.datasets))
    rows = []
    for post in whole.rankings:
        for metric in (BEST, BASELINE):
            row = whole.row(post, metric)
            per_data_set = [format_share(row.by_dataset[dataset]) for dataset in datasets]
            low, high = map(format_share, row.interval)
            rows.append([post, metric, format_share(row.r2), f"{low} to {high}", *per_data_set])
    header = ["post-gen", "pre-gen", "R² over all", "95% interval", *datasets]
    return render_table(header, rows, "markdown", 2) + "\n"


def read_published(path: Path) -> dict[str, float]:
    """The R² over all data that the authors released, by pre-gen metric."""
    with path.open(newline="", encoding="utf-8") as stream:
        rows = csv.DictReader(stream, delimiter="\t")
        return {row["pregen"]: float(row["all_R^2"]) for row in rows}


def tier_table(found: Search) -> str:
    """The highest R² that each function of each tier allows."""
    rows = []
    for tier, (title, functions) in TIERS.items():
        for function in functions:
            cells = []
            for ranked in found.rankings.values():
                r2 = [row.r2 for row in ranked if getattr(METRICS[row.metric], tier) == function]
                cells.append(format_share(max(r2)) if r2 else "-")
            rows.append([title, function, *cells])
    return render_table(["tier", "function", *found.rankings], rows, "markdown", 2) + "\n"


def author_sections(folder: Path, plots: Path, kind: str) -> Iterator[str]:
    """Search their table, draw, and give the sections one by one."""
    table = read_search_table(folder / TABLE)
    published = {post: read_published(folder / PUBLISHED.format(post=post)) for post in table.post}
    found, whole = search(table), search(table.where("num_strata", "1"))
    plot_search(plots, found, TOP, kind)
    yield from page_parts(found, whole, published)
