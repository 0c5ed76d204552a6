"""Names of the 504 pre-gen metrics: every combination of one function of each tier."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import product

from captious._internal.checks.arguments import check_arguments, check_choice
from captious._internal.similar_names import closest_name
from captious.errors import InputError, UnknownMetricError, short_repr
from captious.metrics.parameters import VARIANTS

# In the order of the authors' own table, from which the order of all metrics follows.
DATASET_TIER = ("sum", "mean", "median", "geomean", "max", "min")
IMAGE_TIER = (*DATASET_TIER, "join")
SENTENCE_TIER = ("prob", "pplx", "count", "normcount")
FILTER_TIER = ("none", "filter0", "prefix0")

ALL = "all"
PERPLEXITY = "perplexity"  # the common name of one of them
BEST = "mean_max_normcount_prefix0"  # of the paper's 504, for all four post-gen metrics
TOP = tuple(f"mean_{image}_normcount_prefix0" for image in ("max", "mean", "join", "sum"))
ALIASES = {PERPLEXITY: "geomean_join_pplx_none"}
DEFAULT = (*TOP, ALIASES[PERPLEXITY])

MetricNames = Iterable[str] | str | None


@dataclass(frozen=True, slots=True)
class PregenMetric:
    """One metric: the function of each tier, from the data set down to the words."""

    dataset: str
    image: str
    sentence: str
    filter: str

    @property
    def name(self) -> str:
        """As the paper writes it, the data set's tier first."""
        return f"{self.dataset}_{self.image}_{self.sentence}_{self.filter}"

    @property
    def lower_is_better(self) -> bool:
        """Whether a better captioner has the lower value: perplexities alone."""
        return self.sentence == "pplx"


METRICS: dict[str, PregenMetric] = {
    metric.name: metric
    for metric in (
        PregenMetric(*tiers)
        for tiers in product(DATASET_TIER, IMAGE_TIER, SENTENCE_TIER, FILTER_TIER)
    )
}


@check_arguments
def select(names: MetricNames = None) -> tuple[PregenMetric, ...]:
    """Metrics from names, patterns (`mean_*_prefix0`), `perplexity` or `all`, each once.

    Without names, the paper's best four and perplexity.
    """
    requested = DEFAULT if names is None else (names,) if isinstance(names, str) else tuple(names)
    if not requested:
        raise InputError("no pre-gen metrics were asked for; name some, or `all`")
    selected: dict[str, PregenMetric] = {}
    for given in requested:
        if not isinstance(given, str):
            raise InputError(f"a pre-gen metric is a name or a pattern, not {short_repr(given)}")
        pattern = "*" if given == ALL else ALIASES.get(given, given)
        if pattern in METRICS:
            matching = [pattern]
        else:
            matching = [name for name in METRICS if fnmatchcase(name, pattern)]
        if not matching:
            raise UnknownMetricError(_unknown(given))
        selected |= {name: METRICS[name] for name in matching}
    return tuple(selected.values())


def check_variant(variant: str) -> None:
    """Raise an error for an unknown variant."""
    check_choice("unknown variant", variant, VARIANTS)


def _unknown(name: str) -> str:
    near = closest_name(name, (*METRICS, *ALIASES, ALL))
    meant = f"; did you mean {near!r}?" if near else ""
    return f"unknown pre-gen metric {short_repr(name)}{meant} (`captious pregen metrics` lists all)"
