"""What the two papers report, and the metrics that they compare."""

from __future__ import annotations

from captious.meta.published import published

NNEVAL_PAPER, LCEVAL_PAPER = "Sharif et al. 2018", "Sharif et al. 2019"

# The hand-made metrics of the papers' tables.
CLASSICAL = ("bleu_1", "bleu_4", "rouge_l", "meteor", "cider_d", "spice", "spider", "wmd")
LEARNED = ("nneval", "lceval")

CORRELATIONS = {"kendall_b": "Kendall", "spearman": "Spearman", "pearson": "Pearson"}


def figure(
    benchmark: str, statistic: str, metric: str, source: str, group: str = ""
) -> float | None:
    """One published number; `source` is a paper, perhaps with its table."""
    names = (metric, "cider") if metric == "cider_d" else (metric,)
    for name in names:
        for found in published(benchmark, statistic, name, source, group):
            return found.value
    return None


def percent(value: float | None) -> float | None:
    """A share in per cent, as the papers' tables of accuracy have it."""
    return None if value is None else 100 * value
