"""Agreement of a captioner's probability of a caption with how people rated the caption."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from captious.io.output_tables import render_table
from pregen_page.cells import signed
from pregen_page.measured import Measured

PEOPLE = """
### A captioner's probability of a caption as a metric

Flickr8k-Expert and -CF (protocol `standard`) have ratings of human captions for Flickr8k's test
images; most of the captions describe other images. How well do the probabilities that our
captioners assign to these captions agree with the ratings? For each form of the sentence tier and
the kept epoch of each run, the tables show the mean over seeds and their range. With a minus
sign, lower is better; `_released` uses the words *not* ranked first; `normcount_none` is always 1
and correlates with nothing. `information` is ln p(caption | image) minus the logarithm of the
caption's mean probability over {others} validation images (pointwise mutual information): what the
image contributes, independent of the caption's words and length. The last two rows are metrics for
comparison: `cider_d` reads the image's references, `captious_image_alone` sees the image and no
reference.

"""
STATISTICS = {"flickr8k-expert": "τ_c", "flickr8k-cf": "τ_b"}


def people(measured: Measured) -> Iterator[str]:
    """The section: one table a benchmark, one column an architecture."""
    found = [run for run in measured.runs.values() if run["people"] is not None]
    if not found:
        return
    kinds = list(dict.fromkeys(run["architecture"] for run in found))
    yield PEOPLE.format(others=measured.figures["others"])
    tables = []
    for benchmark, statistic in STATISTICS.items():
        rows = []
        for form in found[0]["people"][benchmark]:
            own: dict[str, list[float]] = {kind: [] for kind in kinds}
            for run in found:
                own[run["architecture"]].append(run["people"][benchmark][form])
            rows.append([form, *(mean_and_range(own[kind]) for kind in kinds)])
        for metric, value in measured.figures["metrics"][benchmark].items():
            rows.append([metric, *[signed(value)] * len(kinds)])
        tables.append(render_table([f"{benchmark}, {statistic}", *kinds], rows, "markdown"))
    yield "\n\n".join(tables) + "\n"


def mean_and_range(values: Sequence[float]) -> str:
    """The mean, and from the lowest to the highest where there are several."""
    mean = signed(float(np.mean(values)))
    return mean if len(values) == 1 else f"{mean} ({signed(min(values))} to {signed(max(values))})"
