"""Strata: an example cut in two, and a real captioner's test images cut in one to five parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from captious.papers.measurements.authors_rows import AuthorsRows, authors_rows
from captious.papers.measurements.experiment import Experiment
from captious.papers.result import Measured, Measurement, Panel, Table, Value
from captious.pregen.strata import STRATIFIER, split_into_strata

WHOLE, BETTER, WORSE = "all captions", "stratum 1, the better half", "stratum 2, the worse half"


def measure(
    experiment: Experiment, example: Sequence[float], published: Sequence[float]
) -> Measured:
    """The paper's example, and CIDEr in the strata of its first captioner."""
    scores = np.array(example)
    whole, worse, better = (
        scores[each.images].mean() for each in split_into_strata(scores, (1, 2))
    )
    rows: list[list[Value]] = [
        [name, Measurement(float(value), published=known)]
        for name, value, known in zip(
            (WHOLE, BETTER, WORSE), (whole, better, worse), published, strict=True
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
    return Measured((cut, table, every), (panel,), settings)


def _first_captioner(authors: AuthorsRows) -> tuple[Table, Panel]:
    """CIDEr of each stratum of one captioner: as a mean of all images' scores, and anew."""
    model = authors.models[0]
    scored = authors.scored[model]
    theirs = authors.authors.post[STRATIFIER]
    rows: list[list[Value]] = []
    curves: dict[str, list[tuple[float, float]]] = {}
    for row, stratum in enumerate(split_into_strata(scored.cider)):
        anew, known = float(scored.post[STRATIFIER][row]), float(theirs[row])
        mean = float(scored.cider[stratum.images].mean())
        parts = stratum.num_strata
        rows.append([f"{stratum.stratum + 1} of {parts}", mean, Measurement(anew, published=known)])
        middle = (stratum.stratum + 0.5) / parts
        curves.setdefault(_in_parts(parts), []).append((middle, anew))
        curves.setdefault("published", []).append((middle, known))
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
