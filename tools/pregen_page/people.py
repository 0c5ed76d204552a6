"""Agreement of a captioner's probability of a caption with how people rated the caption."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from captious.io.output_tables import render_table
from pregen_page.cells import format_signed_share
from pregen_page.measured import Measurements

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


def people_section(measured: Measurements) -> Iterator[str]:
    """The section: one table a benchmark, one column an architecture."""
    rated_runs = [run for run in measured.runs.values() if run["people"] is not None]
    if not rated_runs:
        return
    kinds = list(dict.fromkeys(run["architecture"] for run in rated_runs))
    yield PEOPLE.format(others=measured.figures["others"])
    tables = []
    for benchmark, statistic in STATISTICS.items():
        rows = []
        for form in rated_runs[0]["people"][benchmark]:
            by_kind: dict[str, list[float]] = {kind: [] for kind in kinds}
            for run in rated_runs:
                by_kind[run["architecture"]].append(run["people"][benchmark][form])
            rows.append([form, *(format_mean_and_range(by_kind[kind]) for kind in kinds)])
        for metric, value in measured.figures["metrics"][benchmark].items():
            rows.append([metric, *[format_signed_share(value)] * len(kinds)])
        tables.append(render_table([f"{benchmark}, {statistic}", *kinds], rows, "markdown"))
    yield "\n\n".join(tables) + "\n"


def format_mean_and_range(values: Sequence[float]) -> str:
    """The mean, and from the lowest to the highest where there are several."""
    mean = format_signed_share(float(np.mean(values)))
    return (
        mean
        if len(values) == 1
        else f"{mean} ({format_signed_share(min(values))} to {format_signed_share(max(values))})"
    )
