"""Training sets as tables: on Composite, on PASCAL-50S, and the best with more seeds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from captious.experiments.figures import LCEVAL_PAPER, figure, percent
from captious.experiments.judged_scores import scores
from captious.experiments.measured import (
    CATEGORIES,
    COMPOSITE,
    KINDS,
    PASCAL,
    PROTOCOLS,
    SEEDS,
    Found,
    cider_of_negatives,
)
from captious.experiments.result import Cell, Table
from captious.experiments.workbench import Mixture, Workbench
from captious.meta.presets import preset
from captious.meta.protocol import Protocol

FINALISTS = 3
EQUAL = 4  # references for every caption: people's have four once their own is dropped
PAPERS = {
    "lceval_trained_on_adaptive_attention": "published: Adaptive Attention",
    "lceval_trained_on_show_attend_tell": "published: Show, Attend and Tell",
    "lceval_trained_on_show_tell": "published: Show and Tell",
    "lceval": "published: all three",
}


def composite_table(
    bench: Workbench,
    sets: dict[str, Mixture],
    found: Found,
    best: dict[str, tuple[str, float]],
) -> Table:
    rows: list[list[Cell]] = []
    for metric, label in PAPERS.items():
        value = figure(COMPOSITE, "kendall_b", metric, LCEVAL_PAPER)
        rows.append([label, *[None] * 8, value, None])
    for name, kinds in found.items():
        cells: list[Cell] = [name, cider_of_negatives(bench, sets[name])[0]]
        for kind in KINDS:
            one = kinds[kind]
            cells += [one.right, one.validation]
            cells += [_starred(one.composite[p], best[p][1]) for p in PROTOCOLS]
        both = [
            p
            for p in PROTOCOLS
            if kinds["lceval"].composite[p] > kinds["nneval"].composite[p] > best[p][1]
        ]
        cells.append("both" if len(both) == len(PROTOCOLS) else ", ".join(both))
        rows.append(cells)
    names = dict.fromkeys(metric for metric, _ in best.values())
    values: list[Cell] = [value for _, value in best.values()]
    rows.append([f"best hand-made: {', '.join(names)}", None, None, None, *values, None, None,
                 *values, None])  # fmt: skip
    header = ["training set", "CIDEr-D"]
    for kind in ("NNEval", "LCEval"):
        header += [f"{kind}: right", "validation"]
        header += [f"Composite, {name}'s" for name in ("NNEval", "LCEval")]
    return Table.of(
        f"Kendall's tau_b by training set; published: {LCEVAL_PAPER}, table 10",
        [*header, "as published"],
        rows,
    )


def finalists_table(bench: Workbench, sets: dict[str, Mixture], found: Found) -> Table:
    """The sets with machines' captions that validate best, with more seeds, beside SPICE."""
    names = [name for name in sets if any(map(bench.sources.is_machine, sets[name]))]
    names.sort(key=lambda name: -sum(found[name][kind].validation for kind in KINDS))
    equal = {name: replace(preset(name, COMPOSITE), references=EQUAL) for name in PROTOCOLS}
    protocols: tuple[str | Protocol, ...] = (*PROTOCOLS, *equal.values())
    seeds = SEEDS[:1] if bench.quick else SEEDS
    rows: list[list[Cell]] = []
    for name in names[:FINALISTS]:
        for kind, (feature_set, recipe) in KINDS.items():
            trained = [
                bench.trained(feature_set, replace(recipe, seed=seed), sets[name]) for seed in seeds
            ]
            cells: list[Cell] = [name, kind, float(np.mean([one.tau for one in trained]))]
            for protocol in protocols:
                features = bench.features(feature_set, COMPOSITE, protocol)
                scored = {str(k): one.model.scores(features) for k, one in enumerate(trained)}
                rows_of = bench.agreement(scored, COMPOSITE, protocol)
                cells += [
                    float(np.mean([row.values[statistic] for row in rows_of]))
                    for statistic in ("kendall_b", "kendall_c")
                ]
            rows.append(cells)
    cells = ["hand-made", "spice", None]
    for protocol in protocols:
        (row,) = bench.agreement(scores(bench, ["spice"], COMPOSITE, protocol), COMPOSITE, protocol)
        cells += [row.values["kendall_b"], row.values["kendall_c"]]
    header = ["training set", "metric", "validation"]
    for label in ("", f", {EQUAL} references each"):
        for name in ("NNEval", "LCEval"):
            header += [f"{name}'s{label}: tau_b", f"{name}'s{label}: tau_c"]
    return Table.of(
        f"The {FINALISTS} sets with machines' captions that validate best, means of {len(seeds)} "
        "seeds, on Composite",
        header,
        [*rows, cells],
        digits=4,
        texts=2,
    )


def _starred(value: float, best: float) -> str:
    return f"{value:.3f}{'*' if value > best else ''}"


def pairs_table(found: Found) -> Table:
    rows: list[list[Cell]] = []
    for metric, label in PAPERS.items():
        said = [figure(PASCAL, "accuracy", metric, LCEVAL_PAPER, name) for name in CATEGORIES]
        rows.append([label, *map(percent, said)])
    for name, kinds in found.items():
        rows.append([name, *(percent(kinds["lceval"].accuracy[each]) for each in CATEGORIES)])
    return Table.of(
        f"LCEval on PASCAL-50S, accuracy in %; published: {LCEVAL_PAPER}, tables 7 and 11",
        ["training set", *CATEGORIES],
        rows,
        digits=1,
    )
