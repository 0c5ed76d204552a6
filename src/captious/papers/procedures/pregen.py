"""The pre-gen paper's figures: strata, the search for the best metrics, and recomputed scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.pregen_rows import (
    AUTHORS,
    OURS,
    RECOMPUTED,
    ROW_TITLES,
    SCALED_WMD,
    AuthorsRows,
    all_searches,
    authors_rows,
    describe_captioners,
    describe_settings,
    measured_r2,
    post_gen_label,
    rounded_point,
    rows_by_architecture,
    runs_by_architecture,
)
from captious.papers.result import Measurement, Panel, PartResult, Table, Value
from captious.pregen.names import ALIASES
from captious.pregen.search import Search
from captious.pregen.search_table import SearchTable
from captious.pregen.strata import STRATIFIER, split_into_strata
from captious.stats.correlation import pearson

ALL_CAPTIONS, BETTER_HALF, WORSE_HALF = (
    "all captions",
    "stratum 1, the better half",
    "stratum 2, the worse half",
)


def split_captioners(
    experiment: Experiment, example: Sequence[float], published: Sequence[float]
) -> PartResult:
    """The paper's example, and CIDEr in the strata of its first captioner."""
    scores = np.array(example)
    whole, worse, better = (
        scores[each.images].mean() for each in split_into_strata(scores, (1, 2))
    )
    rows: list[list[Value]] = [
        [name, Measurement(float(value), published=published_scores)]
        for name, value, published_scores in zip(
            (ALL_CAPTIONS, BETTER_HALF, WORSE_HALF), (whole, better, worse), published, strict=True
        )
    ]
    cut = Table(f"The figure's example: {len(example)} captions", ["part", "CIDEr"], rows)
    authors = authors_rows(experiment)
    table, panel = _first_captioner(authors)
    number = len(authors.authors)
    sizes: list[list[Value]] = [["captioners", len(authors.models)], ["rows", number]]
    every = Table("The authors' table", ["", "number"], sizes)
    settings = (
        f"{number} rows of {len(authors.models)} captioners; images in ascending order of CIDEr, "
        "equal parts, the remainder dropped, CIDEr anew with the part's own document frequencies",
    )
    return PartResult((cut, table, every), (panel,), settings)


def _first_captioner(authors: AuthorsRows) -> tuple[Table, Panel]:
    """CIDEr of each stratum of one captioner: as a mean of all images' scores, and anew."""
    model = authors.models[0]
    scores = authors.scores_by_model[model]
    theirs = authors.authors.post[STRATIFIER]
    rows: list[list[Value]] = []
    curves: dict[str, list[tuple[float, float]]] = {}
    for row, stratum in enumerate(split_into_strata(scores.cider)):
        anew, published_scores = float(scores.post[STRATIFIER][row]), float(theirs[row])
        mean = float(scores.cider[stratum.images].mean())
        parts = stratum.num_strata
        rows.append(
            [
                f"{stratum.stratum + 1} of {parts}",
                mean,
                Measurement(anew, published=published_scores),
            ]
        )
        middle = (stratum.stratum + 0.5) / parts
        curves.setdefault(_in_parts(parts), []).append((middle, anew))
        curves.setdefault("published", []).append((middle, published_scores))
    name = " ".join(model)
    table = Table(
        f"CIDEr in the strata of {name}, from the worst on",
        ["stratum", "mean of the images' scores", "within the stratum"],
        rows,
    )
    ordered = {key: curves[key] for key in sorted(curves, key=lambda key: key == "published")}
    return table, Panel(
        f"CIDEr in strata of {name}",
        "the middle of the stratum, among images in order of CIDEr",
        "CIDEr of the stratum",
        ordered,
        loose=("published",),
    )


def _in_parts(parts: int) -> str:
    return f"in {parts} parts" if parts > 1 else "whole"


PUBLISHED = "published"
RANKING_HEADER = ["post-gen", "place", "pre-gen", "R²"]


def rank_metrics(experiment: Experiment, top: int) -> PartResult:
    """The best for each post-gen metric: over all data, and on average within architectures."""
    searches = all_searches(experiment)
    tables = [_rank_over_all(experiment, rows, search, top) for rows, search in searches.items()]
    tables.append(_rank_within_architectures(experiment, searches[AUTHORS], top))
    panels = tuple(
        _plot_ranking(experiment, rows, search, top) for rows, search in searches.items()
    )
    return PartResult(
        tuple(tables), panels, describe_settings(searches), describe_captioners(searches)
    )


def _rank_over_all(experiment: Experiment, rows: str, search: Search, top: int) -> Table:
    cells: list[list[Value]] = [
        [post_gen_label(experiment, post), str(place), row.metric, measured_r2(rows, post, row)]
        for post, ranking in search.rankings.items()
        for place, row in enumerate(ranking[:top], 1)
    ]
    return Table(f"{ROW_TITLES[rows]}: over all data", RANKING_HEADER, cells, texts=3)


def _plot_ranking(experiment: Experiment, rows: str, search: Search, top: int) -> Panel:
    """R² by place, a line a post-gen metric; what was published as points."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for post, ranking in search.rankings.items():
        for place, row in enumerate(ranking[:top], 1):
            cell = measured_r2(rows, post, row)
            curves.setdefault(post_gen_label(experiment, post), []).append((place, cell.value))
            if cell.published is not None:
                curves.setdefault(PUBLISHED, []).append((place, cell.published))
    ordered = {name: curves[name] for name in sorted(curves, key=lambda name: name == PUBLISHED)}
    loose = tuple(name for name in ordered if name == PUBLISHED)
    return Panel(ROW_TITLES[rows], "place of the pre-gen metric", "R²", ordered, loose=loose)


def _rank_within_architectures(experiment: Experiment, search: Search, top: int) -> Table:
    """By the mean of the R² within each data set and architecture, where that is defined."""
    table = search.table
    groups = rows_by_architecture(table).values()
    cells: list[list[Value]] = []
    for post, ranking in search.rankings.items():
        y = table.post[post]
        means = {
            row.metric: float(
                np.mean(
                    [
                        pearson(table.pre[row.metric][in_dataset], y[in_dataset]) ** 2
                        for in_dataset in groups
                    ]
                )
            )
            for row in ranking
        }
        best = sorted(means, key=lambda name: -round(np.nan_to_num(means[name]), 12))[:top]
        for place, name in enumerate(best, 1):
            cells.append([post_gen_label(experiment, post), str(place), name, means[name]])
    title = f"{ROW_TITLES[AUTHORS]}: the mean of R² within each data set and architecture"
    return Table(title, RANKING_HEADER, cells, texts=3)


LOWER_ROWS, UPPER_ROWS = "rows below the median", "rows above"


def relate_metric(experiment: Experiment, metric: str) -> PartResult:
    """R² over all rows, in both halves of them, and within architectures; and all points."""
    name = ALIASES.get(metric, metric)
    searches = all_searches(experiment)
    tables = [_overall_r2(experiment, rows, search, name) for rows, search in searches.items()]
    if OURS in searches:
        tables.append(_means_over_runs(experiment, searches, name))
    tables += [
        _r2_within_architectures(experiment, rows, searches[rows].table, name)
        for rows in (OURS, AUTHORS)
        if rows in searches
    ]
    drawn = {rows: searches[rows].table for rows in (AUTHORS, OURS) if rows in searches}
    panels = [
        panel
        for rows, table in drawn.items()
        for panel in _plot_relation(experiment, rows, table, name)
    ]
    return PartResult(
        tuple(tables), tuple(panels), describe_settings(searches), describe_captioners(searches)
    )


def _overall_r2(experiment: Experiment, rows: str, search: Search, metric: str) -> Table:
    """R² of each post-gen metric, over all rows and in the halves with low and high scores."""
    cells: list[list[Value]] = []
    for post, scores in search.table.post.items():
        x = search.table.pre[metric]
        low = scores < np.median(scores)
        halves = [pearson(x[in_dataset], scores[in_dataset]) ** 2 for in_dataset in (low, ~low)]
        overall = measured_r2(rows, post, search.row(post, metric))
        cells.append([post_gen_label(experiment, post), overall, *halves])
    return Table(
        f"{ROW_TITLES[rows]}: R² of `{metric}`", ["post-gen", "R²", LOWER_ROWS, UPPER_ROWS], cells
    )


def _means_over_runs(experiment: Experiment, searches: Mapping[str, Search], metric: str) -> Table:
    """Scores on whole test sets of our captioners and of the authors', by architecture.

    Means over runs, with their range; post-gen scores are all ours.
    """
    cells: list[list[Value]] = []
    ours = searches[OURS].table
    for whose, rows in ((ROW_TITLES[OURS], OURS), (ROW_TITLES[AUTHORS], RECOMPUTED)):
        table = searches[rows].table
        whole = np.array(table.keys["num_strata"]) == "1"
        runs = runs_by_architecture(table)
        for (dataset, architecture), inside in rows_by_architecture(table).items():
            if dataset in ours.datasets:
                runs_inside = inside[whole[inside]]
                scores = (table.pre[metric], *(table.post[post] for post in ours.post))
                means = [Measurement.mean(values[runs_inside].tolist()) for values in scores]
                cells.append([whose, architecture, runs[dataset, architecture], *means])
    labels = [post_gen_label(experiment, post) for post in ours.post]
    return Table(
        f"Whole test sets of {', '.join(dict.fromkeys(ours.datasets))}, means over runs",
        ["captioners", "architecture", "runs", metric, *labels],
        cells,
        texts=2,
    )


def _r2_within_architectures(
    experiment: Experiment, rows: str, table: SearchTable, metric: str
) -> Table:
    """R² within each data set and architecture."""
    cells: list[list[Value]] = []
    for (dataset, architecture), inside in rows_by_architecture(table).items():
        r2 = [pearson(table.pre[metric][inside], y[inside]) ** 2 for y in table.post.values()]
        cells.append([dataset, architecture, *r2])
    labels = [post_gen_label(experiment, post) for post in table.post]
    title = f"{ROW_TITLES[rows]}: R² of `{metric}` within each data set and architecture"
    return Table(title, ["data set", "architecture", *labels], cells, texts=2)


def _plot_relation(
    experiment: Experiment, rows: str, table: SearchTable, metric: str
) -> Iterator[Panel]:
    """A row of panels a data set, one panel a post-gen metric, with architectures in colours."""
    title_prefix = "" if rows == AUTHORS else f"{ROW_TITLES[rows]}, "
    groups = rows_by_architecture(table)
    for dataset in dict.fromkeys(table.datasets):
        for post in (name for name in table.post if name != SCALED_WMD):
            points = {
                architecture: [
                    rounded_point(table.pre[metric][row], table.post[post][row]) for row in inside
                ]
                for (name, architecture), inside in groups.items()
                if name == dataset
            }
            label = post_gen_label(experiment, post)
            yield Panel(f"{title_prefix}{dataset}", metric, label, points, joined=False)


EQUAL_TOLERANCE = 1e-9
DIFFERENCE_DIGITS = 12  # digits, beyond which there is rounding alone
LARGEST_DIFFERENCE = "largest difference"


def compare_post_gen_scores(experiment: Experiment) -> PartResult:
    """Differences in all rows by data set, and the scores of whole test sets side by side."""
    rows = authors_rows(experiment)
    theirs, ours = rows.authors, rows.recomputed
    datasets = np.array(theirs.datasets)
    rows_of_differences: list[list[Value]] = []
    panels = []
    for post, scores in ours.post.items():
        published_scores = theirs.post["wmd" if post == SCALED_WMD else post]
        label = post_gen_label(experiment, post)
        for dataset in dict.fromkeys(theirs.datasets):
            in_dataset = datasets == dataset
            differences = scores[in_dataset] - published_scores[in_dataset]
            r = pearson(scores[in_dataset], published_scores[in_dataset])
            rows_of_differences.append(
                [label, dataset, int(in_dataset.sum()), float(np.abs(differences).max()),
                 round(float(differences.mean()), DIFFERENCE_DIGITS) + 0.0, r]
            )  # fmt: skip
        if not np.allclose(
            scores, published_scores, atol=EQUAL_TOLERANCE
        ):  # otherwise there is a diagonal to see
            points = {
                dataset: list(
                    map(
                        rounded_point,
                        published_scores[datasets == dataset],
                        scores[datasets == dataset],
                    )
                )
                for dataset in dict.fromkeys(theirs.datasets)
            }
            panels.append(Panel(label, "the authors'", "ours", points, joined=False))
    header = ["post-gen", "data set", "rows", LARGEST_DIFFERENCE, "mean difference", "Pearson's r"]
    every = Table(
        "Ours less the authors', in all rows", header, rows_of_differences, digits=6, texts=2
    )
    whole = [row for row, parts in enumerate(theirs.keys["num_strata"]) if parts == "1"]
    return PartResult((every, _whole_test_sets(experiment, whole)), tuple(panels))


def _whole_test_sets(experiment: Experiment, rows: list[int]) -> Table:
    """The scores of each captioner on its whole test set."""
    table = authors_rows(experiment)
    theirs, ours = table.authors, table.recomputed
    cells: list[list[Value]] = []
    for row in rows:
        keys = [theirs.keys[name][row] for name in ("dataset", "architecture", "run")]
        published_scores = {post: float(values[row]) for post, values in theirs.post.items()}
        published_scores[SCALED_WMD] = published_scores.pop(
            "wmd"
        )  # ours has vectors of another length
        cells.append(
            [*keys, *(Measurement(float(values[row]), published=published_scores.get(post))
                      for post, values in ours.post.items())]
        )  # fmt: skip
    labels = [post_gen_label(experiment, post) for post in ours.post]
    header = ["data set", "architecture", "run", *labels]
    return Table("Whole test sets", header, cells, texts=3)
