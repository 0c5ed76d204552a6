"""Names of metrics elsewhere: aliases that users may type, and columns as papers print them.

Papers, the COCO toolkit, aac-metrics and others write the same metric in many ways. In aliases
letters' case, hyphens, spaces and points never matter; what else differs stands in the tables
below. Of columns as printed, some are multiplied by 100.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

MAX_NAME_CHARS = 100  # characters of a name that may mean a metric


class Alias(NamedTuple):
    """The metric that an alias stands for, and a note for the user where it may surprise."""

    name: str
    note: str = ""


_CIDER_D = (
    "is read as cider_d, the number that papers and the COCO toolkit report; plain CIDEr is cider"
)
_BERTSCORE = (
    "is read as bertscore with the encoder that ships, unless bertscore(model=...) names "
    "another; papers mostly report roberta-large's numbers"
)
_ROUGE = "is read as rouge_l, the ROUGE that captioning papers report"

# By normalized name; a note explains a choice that may surprise.
ALIASES: dict[str, Alias] = {
    "cider": Alias("cider_d", _CIDER_D),
    "ciderd": Alias("cider_d"),
    "rouge": Alias("rouge_l", _ROUGE),
    "rougel": Alias("rouge_l"),
    "bertscore": Alias("bertscore", _BERTSCORE),
    "bert_score": Alias("bertscore", _BERTSCORE),
    "bertscore_f1": Alias("bertscore", _BERTSCORE),
    "bert_score_f1": Alias("bertscore", _BERTSCORE),
    "bert_score_mrefs": Alias("bertscore", _BERTSCORE),
    "bertscoremrefs": Alias("bertscore", _BERTSCORE),
    "clip_s": Alias("clipscore"),
    "clips": Alias("clipscore"),
    "clip_score": Alias("clipscore"),
    "refclip_s": Alias("refclipscore"),
    "refclips": Alias("refclipscore"),
    "ref_clip_score": Alias("refclipscore"),
    **{
        f"{stem}{number}": Alias(f"bleu_{number}")
        for stem in ("bleu", "bleu@", "b@", "b_", "b")
        for number in range(1, 5)
    },
}

# Notes on our own names that are often meant otherwise.
AMBIGUOUS_NAMES = {
    "cider": "is plain CIDEr, as its paper defines it; the number that papers and the COCO toolkit "
    "report is cider_d"
}

# Metrics of other packages that are not available here, with the most similar one, if any.
UNAVAILABLE_METRICS: dict[str, str | None] = {
    "emscore": "clipscore",
    "fer": "form",
    "fluerr": "form",
    "moverscore": "wmd",
    "pac_s": "clipscore",
    "pac_score": "clipscore",
    "ref_pac_s": "refclipscore",
    "rouge_1": "unigram_recall",
    "rouge_2": "rouge_l",
    "sbert": "encoder_consensus",
    "sbert_sim": "encoder_consensus",
    "sbertsim": "encoder_consensus",
    "spice_plus": "spice",
    "spider_fl": "spider",
    "spider_max": "spider",
    "spiderfl": "spider",
    "spidermax": "spider",
    **dict.fromkeys(
        """aces bartscore bleurt chrf clair comet fense fleur infometic mid polos ter tiger umic
        vifidel vilbertscore""".split()
    ),
}

# Measures of all captions of a system together, not of single captions.
DIVERSITY = "diversity"
SYSTEM_LEVEL_NAMES = {
    DIVERSITY,
    *"self_cider selfcider mbleu mbleu_4 m_bleu self_bleu selfbleu distinct_1 distinct_2".split(),
    *"div_1 div_2 novel novelty vocab vocabulary".split(),
}


def normalize_name(name: str) -> str:
    """Return a name in lower case, with underscores between words."""
    return re.sub(r"[\s_.\-]+", "_", name[:MAX_NAME_CHARS].strip().lower())


def resolve_alias(name: str) -> Alias | None:
    """Return the alias of this name; None if there is none."""
    return ALIASES.get(normalize_name(name))


def suggest_alternative(name: str) -> str | None:
    """Return what to use in place of a metric that is not available; None if it is unknown."""
    plain = normalize_name(name)
    if plain in SYSTEM_LEVEL_NAMES:
        return (
            "all captions of a system have it together: `captious score --metrics diversity`, or "
            "captious.diversity in Python"
        )
    if plain not in UNAVAILABLE_METRICS:
        return None
    near = UNAVAILABLE_METRICS[plain]
    return "none is like it" if near is None else f"the most similar is {near!r}"


class PaperName(NamedTuple):
    """A column as papers write it: its label, and the factor of its scores."""

    label: str
    times: int = 1


_PAPER_NAMES = {
    "rouge_l": PaperName("ROUGE-L", 100),
    "meteor": PaperName("METEOR", 100),
    "cider": PaperName("CIDEr", 100),
    "cider_d": PaperName("CIDEr-D", 100),
    "spice": PaperName("SPICE", 100),
    **{
        f"spice_{part}": PaperName(f"SPICE ({part})", 100)
        for part in ("object", "attribute", "relation", "color", "number", "size")
    },
    "spider": PaperName("SPIDEr", 100),
    "wmd": PaperName("WMD", 100),
    "mowe": PaperName("MOWE", 100),
    "bertscore": PaperName("BERTScore", 100),
    "bertscore_precision": PaperName("BERTScore (precision)", 100),
    "bertscore_recall": PaperName("BERTScore (recall)", 100),
    "bertscore_multiref": PaperName("BERTScore (combined references)", 100),
    "unigram_multiref": PaperName("unigrams (combined references)", 100),
    "unigram_recall": PaperName("unigram recall", 100),
    "consensus": PaperName("consensus", 100),
    "nneval": PaperName("NNEval", 100),
    "lceval": PaperName("LCEval", 100),
    "leic": PaperName("LEIC", 100),
    "hallucination": PaperName("hallucination", 100),
    **{
        f"hallucination_{kind}": PaperName(f"hallucination ({kind})", 100)
        for kind in ("object", "attribute", "relation")
    },
    "chair_i": PaperName("CHAIR-i", 100),
    "chair_s": PaperName("CHAIR-s", 100),
    "clipscore": PaperName("CLIPScore", 100),
    "refclipscore": PaperName("RefCLIPScore", 100),
    "captious": PaperName("Captious", 100),
    "captious_full": PaperName("Captious (full)", 100),
    "captious_image": PaperName("Captious (image)", 100),
    "captious_image_alone": PaperName("Captious (image alone)", 100),
    "captious_image_full": PaperName("Captious (image, full)", 100),
    "captious_image_full_alone": PaperName("Captious (image alone, full)", 100),
}
_NUMBERED_PAPER_NAMES = {
    "bleu": PaperName("BLEU", 100),
    "ngram_precision": PaperName("n-gram precision", 100),
    "hwcm": PaperName("HWCM", 100),
    "hwcm_dep": PaperName("HWCM (dependencies)", 100),
}


def paper_name(column: str) -> PaperName:
    """Return a column's name in papers; a column that no paper has keeps its own.

    Parameters stay behind the name: `cider_d(sigma=4)` is `CIDEr-D(sigma=4)`.
    """
    name, bracket, parameters = column.partition("(")
    known = _PAPER_NAMES.get(name)
    if known is None and (numbered := re.fullmatch(r"(\w+)_(\d)", name)):
        stem = _NUMBERED_PAPER_NAMES.get(numbered[1])
        known = None if stem is None else PaperName(f"{stem.label}-{numbered[2]}", stem.times)
    if known is None:
        return PaperName(column)
    return PaperName(known.label + bracket + parameters, known.times)


def paper_names(columns: Iterable[str]) -> dict[str, PaperName]:
    """Return the names of a table's columns; CIDEr-D is CIDEr, as in papers, unless both occur."""
    names = {column: paper_name(column) for column in columns}
    if "cider" not in names and "cider_d" in names:
        names["cider_d"] = names["cider_d"]._replace(label="CIDEr")
    return names
