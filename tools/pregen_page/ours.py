"""Our own captioners searched: do the paper's best metrics hold on models it never saw?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from captioner_measures import EARLY
from captious.io.output_tables import render_table
from captious.pregen.names import BEST, METRICS, TOP
from captious.pregen.search import Search, search
from captious.report.pregen_plots import plot_search
from pregen_page.cells import BASELINE, display_name, format_share, ranking_table
from pregen_page.measured import Measurements

INTRODUCTION = """
## Captioners that the paper never saw

{runs} captioners of our own ({architectures}; {seeds} seeds each) on Flickr8k, trained by
`tools/train_captioners.py` and measured by `tools/measure_captioners.py` on the 1,000 test images
({when}): captions generated with a beam of {beam}; their METEOR, CIDEr-D, SPICE and WMD as Captious
computes them; the {all} pre-gen metrics of the captioner's probabilities for the references. The
tables are in `docs/pregen_search/our_captioners` and can be read by `captious pregen search`. Here,
`filter0` is the paper's; the released variant has separate tables.

There is only one data set, because no image vectors of others were available for training.
Differences between data sets, which account for much of the figures over all data above, therefore
play no part here. All images have five references, so `mean_mean_…`, `mean_join_…` and `mean_sum_…`
are the same metric up to a factor: the paper's best four are only two here, and these three share a
place up to rounding.
"""
STRATA = """
### Final captioners in strata, as the authors did

The epoch with the lowest validation loss of each run, its test images split into 1 to 5 parts by
the CIDEr-D of its captions: {rows} rows; {kept} metrics are finite and not constant. The table
shows the best five, the paper's best four and perplexity. The confidence intervals resample whole
runs ({resamples} resamples, seed {seed}). `captious pregen search strata_paper.csv.gz` prints this.

"""
EPOCHS = """
### Checkpoints without strata

Epochs {early} and the kept one of each run, whole test sets: {rows} rows, {kept} metrics. This
is what the strata were a substitute for: captioners of different quality.

"""
RELEASED = """
The best of the 168 metrics with the *released* `filter0` (words not ranked first), on which the
authors' figures are based:

"""
LESS = """
### How much of it is easy

R² on different sets of rows, with confidence intervals. Strata differ much, and so do early epochs;
during training, it is late epochs and finished captioners that must be told apart.

"""
PLACES = """
Of {kept} metrics, `{best}` ranks {places}, perplexity {others} (for {posts}).

"""
# Of what is drawn by the name of its file, for our captioners in strata and for our checkpoints.
PLOTS = {
    "perplexity": "Perplexity of {whose} against the post-gen metrics",
    "best": "The best pre-gen metric on {whose} against the post-gen metrics",
    "ranking": "The best pre-gen metrics on {whose}",
}
FIGURES = """
These correspond to the paper's figures 4, 6 and 5:
"""


def our_sections(measured: Measurements, plots: Path, kind: str) -> Iterator[str]:
    """Search our tables, draw, and give the sections one by one."""
    strata = search(measured.table("strata_paper"))
    epochs = measured.table("epochs_paper")
    spread = search(measured.early_and_chosen_epochs(epochs))
    plot_search(plots, spread, kind=kind)
    plot_search(plots / "strata", strata, kind=kind)
    runs = measured.runs
    yield INTRODUCTION.format(
        runs=len(runs),
        architectures=", ".join(f"`{name}`" for name in measured.architectures),
        seeds=" to ".join(map(str, _describe_seed_counts(measured))),
        when=_describe_epochs(measured),
        beam=measured.figures["beam"],
        all=len(METRICS),
    )
    yield STRATA.format(
        rows=len(strata.table),
        kept=strata.ranked_count,
        resamples=strata.resamples,
        seed=strata.seed,
    )
    yield ranking_table(strata, always_shown=TOP)
    yield describe_ranks(strata)
    yield RELEASED
    yield best_released_table(search(measured.table("strata_released")), strata)
    yield FIGURES
    yield from draw_plots("ours/strata", "our captioners in strata", kind)
    early = ", ".join(map(str, EARLY))
    yield EPOCHS.format(early=early, rows=len(spread.table), kept=spread.ranked_count)
    yield ranking_table(spread, always_shown=TOP)
    yield describe_ranks(spread)
    yield RELEASED
    released = measured.early_and_chosen_epochs(measured.table("epochs_released"))
    yield best_released_table(search(released), spread)
    yield LESS
    searches = {
        "final captioners in strata": strata,
        f"epochs {early} and the kept one": spread,
        f"epochs from {EARLY[-1]} on": search(measured.late_epochs(epochs)),
        "the kept epochs": search(measured.chosen_epochs(epochs)),
    }
    yield strata_table(searches, spread.rankings["cider_d"][0].metric)
    yield from draw_plots("ours", "our checkpoints", kind)


def draw_plots(folder: str, whose: str, kind: str) -> Iterator[str]:
    """The plots of a search."""
    for name, text in PLOTS.items():
        yield f"\n![{text.format(whose=whose)}](pregen_search/{folder}/{name}.{kind})\n"


def _describe_epochs(measured: Measurements) -> str:
    """After which epochs runs were measured."""
    whole, every = len(measured.complete), len(measured.runs)
    if whole == every:
        return "after every epoch"
    early = ", ".join(map(str, EARLY))
    return f"{whole} of them after every epoch, the others after epochs {early} and the kept one"


def _describe_seed_counts(measured: Measurements) -> list[int]:
    """How many runs an architecture has: the fewest and, if others have more, the most."""
    counts = [
        sum(run["architecture"] == name for run in measured.runs.values())
        for name in measured.architectures
    ]
    return sorted({min(counts), max(counts)})


def describe_ranks(found: Search) -> str:
    """Where the paper's best and perplexity stand, in a sentence."""
    metrics = (BEST, BASELINE)
    shown = [
        ", ".join(str(found.rank(post, metric) or "-") for post in found.rankings)
        for metric in metrics
    ]
    posts = ", ".join(found.rankings)
    return (
        PLACES.format(
            kept=found.ranked_count, best=BEST, places=shown[0], others=shown[1], posts=posts
        ).rstrip("\n")
        + "\n"
    )


def best_released_table(found: Search, beside: Search) -> str:
    """The best metric with the released filter, and its place among those of the paper."""
    rows = []
    for post, ranked in found.rankings.items():
        best = ranked[0]
        place = 1 + sum(other.r2 > best.r2 for other in beside.rankings[post])
        low, high = map(format_share, best.interval)
        cells = [str(place), f"{best.r:+.3f}", format_share(best.r2), f"{low} to {high}"]
        rows.append([post, display_name(best.metric), *cells])
    header = ["post-gen", "pre-gen", "would be at", "r", "R²", "95% interval"]
    return render_table(header, rows, "markdown", 2) + "\n"


def strata_table(searches: dict[str, Search], found_best: str) -> str:
    """R² of a few metrics by which rows are looked at."""
    shown = list(dict.fromkeys((BEST, TOP[1], found_best, BASELINE)))
    rows = []
    for title, found in searches.items():
        for post in found.rankings:
            cells = []
            for metric in shown:
                if found.rank(post, metric) is None:
                    cells.append("-")
                    continue
                row = found.row(post, metric)
                low, high = map(format_share, row.interval)
                sign = "" if (row.r > 0) != METRICS[metric].lower_is_better else ", wrong sign"
                cells.append(f"{format_share(row.r2)} ({low} to {high}{sign})")
            rows.append([title, str(len(found.table)), post, *cells])
    header = ["which rows", "rows", "post-gen", *map(display_name, shown)]
    return render_table(header, rows, "markdown", 3) + "\n"
