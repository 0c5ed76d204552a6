"""NNEval and LCEval: their feature sets and networks, as in the papers, their code or figures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from captious._internal.checks.arguments import check_arguments, check_choice
from captious.errors import InputError, short_repr
from captious.metrics.base import Metric
from captious.metrics.declarations import FEATURE_GROUPS
from captious.metrics.learned.features import FIXED, MIN_MAX, Feature, FeatureSet
from captious.metrics.learned.metric import NetworkMetric, weights_parameter
from captious.metrics.parameters import PAPER, PUBLISHED, VARIANTS, variant_parameter
from captious.resources import LEARNED
from captious.signature import Address

_DF = (("df", "coco-val2014"),)
_RELEASED = (("variant", "released"),)
_CIDERS = ("cider", "cider_d")
MAX_REFERENCES = 5  # as many as the networks are validated with

# The released code brings CIDEr and MOWE to 0...1 by fixed maps; all others are there already.
_METEOR, _WMD, _SPICE = Feature("meteor"), Feature("wmd"), Feature("spice")
_CIDER = Feature(_CIDERS[0], _DF, divisor=10.0)
_MOWE = Feature("mowe", shift=1.0, divisor=2.0)
_BLEU = tuple(Feature(f"bleu_{n}") for n in range(1, 5))
_PRECISION = tuple(Feature(f"ngram_precision_{n}") for n in range(1, 5))
_RECALL, _ROUGE = Feature("unigram_recall"), Feature("rouge_l")
_CHAINS = FEATURE_GROUPS["syntactic"]

NNEVAL = FeatureSet(
    "nneval", (_METEOR, _WMD, *_BLEU, _SPICE, _CIDER), MIN_MAX, most_references=MAX_REFERENCES
)
NNEVAL_RELEASED = replace(NNEVAL, name="nneval_released", scaling=FIXED)


def _lceval(name: str, mowe: Feature, chains: tuple[Feature, ...]) -> FeatureSet:
    lexical = (*_PRECISION, _RECALL, _ROUGE, _METEOR)
    features = (*lexical, _WMD, _SPICE, _CIDER, mowe, *chains)
    return FeatureSet(name, features, FIXED, most_references=MAX_REFERENCES)


# The paper says nothing of scaling: the maps of its released code serve for both.
LCEVAL = _lceval("lceval", _MOWE, tuple(map(Feature, _CHAINS)))
LCEVAL_RELEASED = _lceval(
    "lceval_released",
    replace(_MOWE, options=_RELEASED),
    tuple(Feature(column, _RELEASED) for column in _CHAINS),
)
# The columns that the paper's appendix A.2 pools by mean or by min; the others stay as they are.
POOLED_COLUMNS = (*(feature.column for feature in _PRECISION), "unigram_recall", "mowe", *_CHAINS)
FEATURE_SETS = {each.name: each for each in (NNEVAL, NNEVAL_RELEASED, LCEVAL, LCEVAL_RELEASED)}


@check_arguments
def select_groups(names: Iterable[str] | str, whole: FeatureSet = LCEVAL) -> FeatureSet:
    """The features of some of the groups lexical, semantic and syntactic, in LCEval's order."""
    chosen = list(dict.fromkeys([names] if isinstance(names, str) else names))
    for name in chosen:
        if name not in FEATURE_GROUPS:
            raise InputError(
                f"no group of features {short_repr(name)}; there are: {', '.join(FEATURE_GROUPS)}"
            )
    wanted = {column for name in chosen for column in FEATURE_GROUPS[name]}
    features = tuple(feature for feature in whole.features if feature.column in wanted)
    return replace(whole, name=f"{whole.name}_{'_'.join(chosen)}", features=features)


def with_cider(feature_set: FeatureSet, cider: str) -> FeatureSet:
    """The set with another CIDEr in the place of its own, and named after it."""
    check_choice(f"{feature_set.name}: unknown cider", cider, _CIDERS)
    features = tuple(
        replace(feature, column=cider) if feature.column in _CIDERS else feature
        for feature in feature_set.features
    )
    if features == feature_set.features:
        return feature_set
    return replace(feature_set, name=f"{feature_set.name}_{cider}", features=features)


def get_feature_set(name: str) -> FeatureSet:
    """A published set by name, or groups of LCEval's with `+` between: `lexical+semantic`.

    In brackets, as an address has them, stands which CIDEr is read: `nneval(cider=cider_d)`.
    """
    sets, bracket, rest = name.partition("(")
    # A set of groups is no address, with its +; what stands in brackets is as in one.
    arguments = dict(Address.parse(f"features({rest}").arguments) if bracket else {}
    cider = arguments.pop("cider", _CIDERS[0])
    if arguments:
        raise InputError(f"{name}: a feature set has the parameter cider and no other")
    return with_cider(_get_published(sets), str(cider))


def _get_published(name: str) -> FeatureSet:
    if name in FEATURE_SETS:
        return FEATURE_SETS[name]
    parts = name.split("+")
    if all(part in FEATURE_GROUPS for part in parts):
        return select_groups(parts)
    raise InputError(
        f"no feature set {short_repr(name)}; there are: {', '.join(FEATURE_SETS)}, and the groups "
        f"{', '.join(FEATURE_GROUPS)} with + between, or a TOML file"
    )


@dataclass(frozen=True)
class PublishedMetric(NetworkMetric):
    """A published metric: weights from a file, or those that ship for its variant.

    The variants `paper` and `published` are networks alike, trained against other negatives:
    selected by a rule that looks at no judgement of generated captions, or such that the paper's
    figures on Composite are reached.
    """

    variant: str = variant_parameter((*VARIANTS, PUBLISHED))

    def __post_init__(self) -> None:
        Metric.__post_init__(self)  # before the weights are chosen and read
        if self.variant != PAPER and self.weights == LEARNED / f"{self.name}.npz":
            object.__setattr__(self, "weights", LEARNED / f"{self.name}_{self.variant}.npz")
        super().__post_init__()


@dataclass(frozen=True)
class NnEval(PublishedMetric):
    """Probability that a person wrote the caption, from eight scores."""

    weights: str | Path = weights_parameter("nneval.npz")

    name = "nneval"
    description = "network over METEOR, WMD, BLEU, SPICE and CIDEr (Sharif et al., 2018)"


@dataclass(frozen=True)
class LcEval(PublishedMetric):
    """Probability that a person wrote the caption, from sixteen scores."""

    weights: str | Path = weights_parameter("lceval.npz")

    name = "lceval"
    description = "network over lexical, semantic and syntactic scores (Sharif et al., 2019)"
