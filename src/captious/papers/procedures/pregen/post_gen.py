"""The post-gen scores of the authors' rows, computed anew from the captions that they released."""

from __future__ import annotations

import numpy as np

from captious.papers.measurements.authors_rows import LONGER, authors_rows
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.pregen_searches import label_of, rounded_point
from captious.papers.result import Measured, Measurement, Panel, Table, Value
from captious.stats.correlation import pearson

SAME = 1e-9
ROUNDED = 12  # digits, beyond which there is rounding alone
LARGEST = "largest difference"


def measure(experiment: Experiment) -> Measured:
    """Differences in all rows by data set, and the scores of whole test sets side by side."""
    rows = authors_rows(experiment)
    theirs, ours = rows.authors, rows.recomputed
    datasets = np.array(theirs.datasets)
    compared: list[list[Value]] = []
    panels = []
    for post, scores in ours.post.items():
        known = theirs.post["wmd" if post == LONGER else post]
        label = label_of(experiment, post)
        for dataset in dict.fromkeys(theirs.datasets):
            some = datasets == dataset
            apart = scores[some] - known[some]
            r = pearson(scores[some], known[some])
            compared.append(
                [label, dataset, int(some.sum()), float(np.abs(apart).max()),
                 round(float(apart.mean()), ROUNDED) + 0.0, r]
            )  # fmt: skip
        if not np.allclose(scores, known, atol=SAME):  # otherwise there is a diagonal to see
            points = {
                dataset: list(
                    map(rounded_point, known[datasets == dataset], scores[datasets == dataset])
                )
                for dataset in dict.fromkeys(theirs.datasets)
            }
            panels.append(Panel(label, "the authors'", "ours", points, joined=False))
    header = ["post-gen", "data set", "rows", LARGEST, "mean difference", "Pearson's r"]
    every = Table("Ours less the authors', in all rows", header, compared, digits=6, texts=2)
    whole = [row for row, parts in enumerate(theirs.keys["num_strata"]) if parts == "1"]
    return Measured((every, _whole(experiment, whole)), tuple(panels))


def _whole(experiment: Experiment, rows: list[int]) -> Table:
    """The scores of each captioner on its whole test set."""
    table = authors_rows(experiment)
    theirs, ours = table.authors, table.recomputed
    cells: list[list[Value]] = []
    for row in rows:
        keys = [theirs.keys[name][row] for name in ("dataset", "architecture", "run")]
        known = {post: float(values[row]) for post, values in theirs.post.items()}
        known[LONGER] = known.pop("wmd")  # ours has vectors of another length
        cells.append(
            [*keys, *(Measurement(float(values[row]), published=known.get(post))
                      for post, values in ours.post.items())]
        )  # fmt: skip
    labels = [label_of(experiment, post) for post in ours.post]
    header = ["data set", "architecture", "run", *labels]
    return Table("Whole test sets", header, cells, texts=3)
