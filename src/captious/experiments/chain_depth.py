"""Head-word chain matching by the length of the chain: LCEval's table 6."""

from __future__ import annotations

import numpy as np

from captious.experiments.experiment import Experiment
from captious.experiments.figures import LCEVAL_PAPER, figure
from captious.experiments.judged_scores import scores
from captious.experiments.result import Cell, Finding, Table
from captious.experiments.workbench import Workbench
from captious.metrics.hwcm import Hwcm

COMPOSITE, PROTOCOL = "composite", "lceval"
DEPTHS = tuple(range(1, 5))
# How matches are counted: the paper divides by the candidate's chains, the code that its authors
# released by the reference's.
VARIANTS = {"paper": "candidate's chains", "released": "reference's chains"}


def by_depth(bench: Workbench) -> Finding:
    """Chains of one length, and of all lengths up to it, counted in both ways."""
    columns = {}
    for variant in VARIANTS:
        found = scores(bench, [Hwcm(variant=variant)], COMPOSITE, PROTOCOL)
        single = np.stack([np.nan_to_num(found[f"hwcm_{depth}"]) for depth in DEPTHS], axis=1)
        for depth in DEPTHS:
            columns[f"{variant} {depth}"] = single[:, depth - 1]
            columns[f"{variant} up to {depth}"] = single[:, :depth].mean(axis=1)
    agreed = {row.metric: row for row in bench.agreement(columns, COMPOSITE, PROTOCOL)}
    rows: list[list[Cell]] = []
    for depth in DEPTHS:
        cells: list[Cell] = [str(depth)]
        for variant in VARIANTS:
            several = (f"{variant} {depth}", f"{variant} up to {depth}")
            cells += [agreed[name].values["kendall_b"] for name in several]
        cells.append(figure(COMPOSITE, "kendall_b", f"hwcm_{depth}", f"{LCEVAL_PAPER}, table 6"))
        rows.append([*cells, agreed[f"paper {depth}"].ties])
    header = ["length"]
    for how in VARIANTS.values():
        header += [f"{how}: this length", f"{how}: mean up to it"]
    said, _ = bench.judged(COMPOSITE, PROTOCOL)
    return Finding(
        "chain-depth",
        "Head-word chain matching by the length of the chain",
        (
            Table.of(
                f"Kendall's tau_b on Composite, LCEval's protocol ({len(said):,} captions; "
                f"{LCEVAL_PAPER}, table 6)",
                [*header, "published", "ties, this length"],
                rows,
            ),
        ),
        notes=(
            "The paper's text divides the matched chains of one length by the candidate's. Its "
            "figures do not fall with length, while those of single lengths must: most captions "
            "share no long chain with their references and score 0 alike (ties: the share of pairs "
            "of captions with equal scores). What fits the published figures is the mean over all "
            "lengths up to the one named, as Liu and Gildea define HWCM, divided by the "
            "reference's chains, as the released code does.",
        ),
    )


CHAIN_DEPTH = Experiment(
    "chain-depth",
    "LCEval table 6",
    "head-word chain matching by the length of the chain",
    by_depth,
)
