"""Presets: the protocol of each paper for each benchmark that it used, by name."""

from __future__ import annotations

from typing import Any

from captious.errors import InputError, short_repr
from captious.meta.benchmarks import BENCHMARKS
from captious.meta.judgements import HUMAN
from captious.meta.protocol import COCO, Protocol

STANDARD = "standard"

_WHICH_TAU = "the paper does not say which tau"


_VALIDATION = {
    "raters": "mode",
    "statistic": "kendall_b",
    "remark": "the paper validates on these pairs, own captions among them, and reports no figure; "
    f"{_WHICH_TAU}",
}


def _eleven_votes(ties: str) -> dict[str, Any]:
    return {
        "references": "first:5",
        "votes": 11,
        "ties": ties,
        "remark": "of the 50 references, ties and votes the paper says nothing; its figures fit "
        f"the first five, ties to the {ties} caption and the 11 votes",
    }


# Sharif et al. 2018 and 2019, whose CIDEr and CIDEr-D are plain CIDEr with COCO's frequencies.
_NO_PERSONS_CAPTION = {
    "own": "drop_human",
    "documents": COCO,
    "statistic": "kendall_b",
}
_WHAT_FITS = (
    "of references the paper says nothing, its figures fit these: four are left, or five of 52 "
    "images whose caption by a person lost an apostrophe and is not found; and they fit tau_b"
)
_SYSTEMS = {"remark": "12 teams that sent captions of val2014, which are not distributed"}
# By paper: what it does otherwise with each benchmark that it used.
_CHOICES: dict[str, dict[str, dict[str, Any]]] = {
    # Sharif et al. 2018.
    "nneval": {
        "flickr8k-expert": _VALIDATION,
        "composite": {
            **_NO_PERSONS_CAPTION,
            "unseen": True,
            "remark": "the paper leaves out 771 captions and does not name them: here the first "
            "771 of people's 812 captions of Flickr8k that are rated 5, a rule made to fit; "
            f"{_WHAT_FITS}",
        },
        "pascal-50s": {**_eleven_votes("first"), "documents": COCO},
    },
    # Sharif et al. 2019.
    "lceval": {
        "flickr8k-expert": _VALIDATION,
        "composite": {
            **_NO_PERSONS_CAPTION,
            "parts": (HUMAN, "machine/neural"),
            "remark": "the paper has 7,996 captions of one sentence, where people and the neural "
            f"system wrote 7,990; {_WHAT_FITS}",
        },
        "pascal-50s": {**_eleven_votes("first"), "documents": COCO},
        "abstract-50s": {
            "references": "first:5",
            "ties": "first",
            "documents": COCO,
            "remark": "the paper says nothing of references and ties: as for PASCAL-50S",
        },
        "coco-2015": _SYSTEMS,
        "wmt16-daseg": {"documents": COCO, "remark": _WHICH_TAU},
    },
    # Cui et al. 2018.
    "leic": {
        "flickr8k-expert": {
            "own": "drop_pair",
            "references": "first:1",
            "statistic": "kendall_b",
            "remark": "after SPICE's paper, flattened; the paper says neither which tau nor how "
            "many references; its figures fit tau_b and the image's first reference alone",
        },
        "flickr8k-cf": {"remark": f"{_WHICH_TAU}; its figures fit tau_b and own captions kept"},
        "coco-2015": _SYSTEMS,
    },
    # Yi et al. 2020.
    "yi2020": {
        "flickr8k-expert": {
            "raters": "mean",
            "own": "drop_pair",
            "references": 4,
            "statistic": "kendall_b",
            "remark": "the paper says neither which tau nor how many references; its figures fit "
            "tau_b and four",
        },
        "composite": {
            "remark": "the paper says neither which tau nor that own captions are dropped; its "
            "figures fit tau_c and that"
        },
        "pascal-50s": _eleven_votes("second"),
        "coco-2015": _SYSTEMS,
    },
    # Hessel et al. 2021.
    "clipscore": {
        "flickr8k-expert": {"own": "drop_pair"},
        "flickr8k-cf": {
            "own": "drop_candidates",
            "remark": "all pairs, but four references: the published figures fit nothing else",
        },
        "composite": {
            "references": 4,
            "remark": "one rating a caption; four references for every row, which the figures fit",
        },
        "pascal-50s": {
            "votes": 48,
            "remark": "the five references that come with the labels; the paper draws its own five",
        },
    },
    # Zhou et al. 2022.
    "fense": {
        name: {
            "ties": "wrong",
            "remark": "in HC the paper leaves out each caption for itself alone; its older metrics "
            "see four of five references in MM, in turn",
        }
        for name in ("audiocaps-eval", "clotho-eval")
    },
}
PRESETS: dict[str, dict[str, Protocol]] = {
    STANDARD: {
        name: Protocol(STANDARD, **{**benchmark.common_choices, **benchmark.standard_choices})
        for name, benchmark in BENCHMARKS.items()
    },
    **{
        paper: {
            name: Protocol(paper, **{**BENCHMARKS[name].common_choices, **choices})
            for name, choices in by_benchmark.items()
        }
        for paper, by_benchmark in _CHOICES.items()
    },
}


def preset(name: str, benchmark: str) -> Protocol:
    """The protocol of a paper for a benchmark."""
    if name not in PRESETS:
        raise InputError(f"no protocol {short_repr(name)}; there are: {', '.join(PRESETS)}")
    if benchmark not in PRESETS[name]:
        raise InputError(
            f"protocol {name!r} says nothing of {benchmark!r}; "
            f"it has: {', '.join(PRESETS[name])}; take {STANDARD!r} or build one"
        )
    return PRESETS[name][benchmark]
