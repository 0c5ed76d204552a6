"""Agreement of a captioner's probability of a caption with how people rated the caption."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from captious.tables import render_table
from pregen_page.cells import signed
from pregen_page.measured import Measured

PEOPLE = """
### A captioner's probability of a caption as a judge of it

People rated captions of Flickr8k's test images, all written by people, most of them of other
images (Flickr8k-Expert and -CF, protocol `standard`). How well does what our captioners give to
these captions agree with the ratings? For each form of the sentence's tier, the kept epoch of each
run: the mean over seeds and their range. With a minus sign, the lower the better; `_released` is of
the words *not* ranked first; `normcount_none` is always 1 and agrees with nothing. `information`
is ln p(caption | image) less the logarithm of the caption's mean probability over {others}
validation images: what the image says of the caption, whatever its words and length are worth
anywhere (pointwise mutual information). Last, two metrics for comparison: `cider_d` reads the
image's references, `captious_image_alone` sees the image and no reference.

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
