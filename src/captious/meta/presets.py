"""Presets: the protocol of each paper for each benchmark that it used, by name."""

from __future__ import annotations

from captious.errors import InputError
from captious.meta.protocol import ACCURACY, Protocol
from captious.shown import shown

STANDARD = "standard"

_VALIDATION = "the paper validates on these pairs, own captions among them, and reports no figure"
_PASCAL = "five of the 50 at random; the paper's draw is unknown, its figures fit the 11 votes"
_WHICH_TAU = "the paper does not say which tau"
_SYSTEMS = "12 teams that sent captions of val2014, which are not distributed"


def _preferences(name: str, **choices: str | int) -> Protocol:
    return Protocol(name, statistic=ACCURACY, **choices)  # type: ignore[arg-type]


def _systems(name: str) -> Protocol:
    return Protocol(name, raters="mean", statistic="pearson", remark=_SYSTEMS)


def _validation(name: str) -> Protocol:
    remark = f"{_VALIDATION}; {_WHICH_TAU}"
    return Protocol(name, raters="mode", statistic="kendall_b", remark=remark)


PRESETS: dict[str, dict[str, Protocol]] = {
    STANDARD: {
        "flickr8k-expert": Protocol(own="drop_pair"),
        "flickr8k-cf": Protocol(raters="mean", statistic="kendall_b"),
        "composite": Protocol(raters="mean", own="drop_reference", equality="words", references=4),
        "pascal-50s": _preferences(STANDARD),
        "abstract-50s": _preferences(STANDARD, references=5),
        "coco-2015": Protocol(raters="mean", statistic="pearson"),
        "wmt16-daseg": Protocol(raters="mean", documents="pair", statistic="kendall_b"),
        "sugarcrepe": _preferences(STANDARD, own="drop_reference"),
        "foil": _preferences(STANDARD, own="drop_reference"),
        "custom": Protocol(),
    },
    # Sharif et al. 2018.
    "nneval": {
        "flickr8k-expert": _validation("nneval"),
        "composite": Protocol(
            "nneval",
            raters="mean",
            own="drop_reference",
            equality="words",
            statistic="kendall_b",
            remark="the paper leaves out 771 pairs that overlap Flickr8k's, by a rule that cannot "
            f"be recovered: here all 11,985 are in; {_WHICH_TAU}, nor that own captions go",
        ),
        "pascal-50s": _preferences("nneval", references=5, votes=11, remark=_PASCAL),
    },
    # Sharif et al. 2019.
    "lceval": {
        "flickr8k-expert": _validation("lceval"),
        "composite": Protocol(
            "lceval",
            raters="mean",
            own="drop_reference",
            equality="words",
            statistic="kendall_b",
            one_sentence=True,
            remark="the paper takes 7,996 captions of one sentence, by a rule that cannot be "
            f"recovered: here 10,649 have one; {_WHICH_TAU}",
        ),
        "pascal-50s": _preferences("lceval", references=5, votes=11, remark=_PASCAL),
        "abstract-50s": _preferences(
            "lceval",
            references=5,
            remark="five references at random, as for PASCAL-50S; the paper does not say how many",
        ),
        "coco-2015": _systems("lceval"),
        "wmt16-daseg": Protocol(
            "lceval",
            raters="mean",
            documents="pair",
            statistic="kendall_b",
            remark=_WHICH_TAU,
        ),
    },
    # Cui et al. 2018.
    "leic": {
        "flickr8k-expert": Protocol(
            "leic",
            own="drop_pair",
            remark="after SPICE's paper, flattened; its figures of BLEU, ROUGE-L, METEOR and CIDEr "
            f"fit no rule that was tried; {_WHICH_TAU}",
        ),
        "flickr8k-cf": Protocol(
            "leic",
            raters="mean",
            statistic="kendall_b",
            remark=f"{_WHICH_TAU}; its figures fit tau_b and own captions kept",
        ),
        "coco-2015": _systems("leic"),
    },
    # Yi et al. 2020.
    "yi2020": {
        "flickr8k-expert": Protocol(
            "yi2020",
            raters="mean",
            own="drop_pair",
            references=4,
            statistic="kendall_b",
            remark="the paper says neither which tau nor how many references; its figures fit "
            "tau_b and four",
        ),
        "composite": Protocol(
            "yi2020",
            raters="mean",
            own="drop_reference",
            equality="words",
            remark="the paper says neither which tau nor that own captions are dropped; its "
            "figures fit tau_c and that",
        ),
        "pascal-50s": _preferences("yi2020", references=5, votes=11, remark=_PASCAL),
        "coco-2015": _systems("yi2020"),
    },
    # Hessel et al. 2021.
    "clipscore": {
        "flickr8k-expert": Protocol("clipscore", own="drop_pair"),
        "flickr8k-cf": Protocol(
            "clipscore",
            raters="mean",
            own="drop_candidates",
            statistic="kendall_b",
            remark="all pairs, but four references: the published figures fit nothing else",
        ),
        "composite": Protocol(
            "clipscore",
            raters="mean",
            own="drop_reference",
            equality="words",
            references=4,
            remark="one rating a caption; four references for every row, which the figures fit",
        ),
        "pascal-50s": _preferences(
            "clipscore",
            votes=48,
            remark="the five references that come with the labels; the paper draws its own five",
        ),
    },
}


def preset(name: str, benchmark: str) -> Protocol:
    """The protocol of a paper for a benchmark."""
    if name not in PRESETS:
        raise InputError(f"no protocol {shown(name)}; there are: {', '.join(PRESETS)}")
    if benchmark not in PRESETS[name]:
        raise InputError(
            f"protocol {name!r} says nothing of {benchmark!r}; "
            f"it has: {', '.join(PRESETS[name])}; take {STANDARD!r} or build one"
        )
    return PRESETS[name][benchmark]
