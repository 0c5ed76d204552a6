"""Names of columns as papers write them, and which of them papers multiply by 100."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple


class PaperName(NamedTuple):
    """A column as papers write it: its label, and the factor of its scores."""

    label: str
    times: int = 1


_NAMES = {
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
_NUMBERED = {
    "bleu": PaperName("BLEU", 100),
    "ngram_precision": PaperName("n-gram precision", 100),
    "hwcm": PaperName("HWCM", 100),
    "hwcm_dep": PaperName("HWCM (dependencies)", 100),
}


def paper_name(column: str) -> PaperName:
    """The name that papers give a column of scores; one of ours, or a user's own, stays as it is.

    Parameters stay behind the name: `cider_d(sigma=4)` is `CIDEr-D(sigma=4)`.
    """
    name, bracket, parameters = column.partition("(")
    known = _NAMES.get(name)
    if known is None and (numbered := re.fullmatch(r"(\w+)_(\d)", name)):
        stem = _NUMBERED.get(numbered[1])
        known = None if stem is None else PaperName(f"{stem.label}-{numbered[2]}", stem.times)
    if known is None:
        return PaperName(column)
    return PaperName(known.label + bracket + parameters, known.times)


def paper_names(columns: Iterable[str]) -> dict[str, PaperName]:
    """The names of a table's columns; CIDEr-D is CIDEr, as in papers, unless both are there."""
    names = {column: paper_name(column) for column in columns}
    if "cider" not in names and "cider_d" in names:
        names["cider_d"] = names["cider_d"]._replace(label="CIDEr")
    return names
