"""What the paper scores captions with: rows by their names, with encoders that ship and others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from captious.metrics.bertscore.bertscore import DEFAULT_LAYER
from captious.metrics.bertscore.multiref import BETAS
from captious.metrics.parameters import PAPER, RELEASED
from captious.papers.declaration import AnyMetric, EncoderMetric, EncoderStates, Task
from captious.papers.exhibit import Paper
from captious.papers.rows import COMPOSITE, Measurable, NamedMetric, PublishedRow, Roles

if TYPE_CHECKING:
    from captious.papers.measurements.experiment import Experiment

YI2020 = Paper(
    "yi2020",
    "BERTScore with combined references",
    "Yi et al. 2020",
    "Improving Image Captioning Evaluation by Considering Inter References Variance",
    tables=5,
    figures=3,
)
FLICKR8K, SYSTEMS = "flickr8k-expert", "coco-systems"
EXPERT = Task(FLICKR8K, YI2020.key, "kendall_b")
RATED = Task(COMPOSITE, YI2020.key, "kendall_c")
Rows = dict[str, Measurable | Roles]

CLASSICAL: dict[str, str] = {
    "BLEU-1": "bleu_1",
    "BLEU-4": "bleu_4",
    "ROUGE-L": "rouge_l",
    "METEOR": "meteor",
    "CIDEr": "cider_d",
    "SPICE": "spice",
}
# Those that the paper also computes with all references concatenated.
CONCATENATED = ("BLEU-1", "ROUGE-L", "METEOR")
# The settings of the paper's ablation: threshold (T), combination (B), no stop words (R).
BS, OURS, UNIGRAM = "BS", "Ours", "Ours (Unigram)"
ABLATION: dict[str, tuple[tuple[str, object], ...]] = {
    "T": (("pooling", "best"), ("remove_stop_words", False)),
    "T+cat+R": (("pooling", "concatenated"),),
    "TB": (("remove_stop_words", False),),
    "TBR": (),
}
# Under which names the numbers of BERT-base and RoBERTa-large are published. They stand in rows of
# their own, or beside the same encoder where it is there: never beside the one that ships.
BERT, ROBERTA = "BERT-base", "RoBERTa-large"
PUBLISHED = {
    BERT: {BS: "bertscore_bert", OURS: "bertscore_multiref"},
    ROBERTA: {BS: "bertscore_roberta", OURS: "bertscore_multiref_roberta"},
}
PUBLISHED_ABLATION = {
    "T": "bertscore_multiref_cut",
    "T+cat+R": "bertscore_multiref_cut_joined_removed",
    "TB": "bertscore_multiref_cut_combined",
    "TBR": "bertscore_multiref",
}


def concatenated_rows() -> Rows:
    """Metrics whose references are concatenated, by label, with the names of published numbers."""
    return {
        f"{name} (cat)": NamedMetric(CLASSICAL[name], f"{CLASSICAL[name]}_joined")
        for name in CONCATENATED
    }


def bertscore(states: EncoderStates, layer: int, name: str = "") -> EncoderMetric:
    """BERTScore as the paper has it: recall, weighed by rarity."""
    return EncoderMetric("bertscore_recall", states, (("idf", True), ("layer", layer)), name)


def combined_bertscore(
    states: EncoderStates, layer: int, beta: float, line: str = "TBR", name: str = ""
) -> EncoderMetric:
    """A line of the ablation with an encoder's layer and threshold."""
    setting = (("layer", layer), ("beta", beta), *ABLATION[line])
    return EncoderMetric("bertscore_multiref", states, setting, name)


# The encoder that ships: a layer as deep as the paper's, which is 8 of 12, and the usual one.
LAYER = 4
BETA = BETAS[PAPER][LAYER]
MINILM = EncoderStates((LAYER, DEFAULT_LAYER))
SHIPPED, LAST = f"MiniLM, layer {LAYER}", f"MiniLM, layer {DEFAULT_LAYER}"
OF_BS, OF_OURS = f"{BS} ({SHIPPED})", f"{OURS} ({SHIPPED})"
MINILM_METRICS: dict[str, AnyMetric] = {
    OF_BS: bertscore(MINILM, LAYER),
    OF_OURS: combined_bertscore(MINILM, LAYER, BETA),
}
AS_RELEASED = f"{OURS}, released ({LAST})"
LAST_LAYER_METRICS: dict[str, AnyMetric] = {
    f"{BS} ({LAST})": bertscore(MINILM, DEFAULT_LAYER),
    f"{OURS} ({LAST})": EncoderMetric("bertscore_multiref", MINILM),
    AS_RELEASED: EncoderMetric("bertscore_multiref", MINILM, (("variant", RELEASED),)),
    f"BERTScore's F1 ({LAST})": EncoderMetric("bertscore", MINILM),
}
# Encoders that do not ship, by the folder that they are looked for in: layer and threshold. Those
# of the first are ours, of the others the paper's and its code's.
ENCODERS: dict[str, tuple[str, int, float]] = {
    "mpnet": ("encoders/all-mpnet-base-v2", 8, 0.6),
    BERT: ("encoders/bert-base-uncased", 8, 0.4),
    ROBERTA: ("encoders/roberta-large", 17, 0.83),
}


def encoder_rows(experiment: Experiment) -> Rows:
    """The same with encoders that do not ship, or where to put them."""
    rows: Rows = {}
    for name, (folder, layer, beta) in ENCODERS.items():
        states = EncoderStates((layer,), folder)
        label, known = f"{name}, layer {layer}", PUBLISHED.get(name, {})
        if (experiment.data / folder).is_dir():
            rows[f"{BS} ({label})"] = bertscore(states, layer, known.get(BS, ""))
            rows[f"{OURS} ({label})"] = combined_bertscore(
                states, layer, beta, name=known.get(OURS, "")
            )
        else:
            rows[f"{BS} and {OURS} ({label}): put it into {folder}, see docs/encoder.md"] = {}
    return rows


def published_rows(source: str) -> Rows:
    """What the paper reports for its own encoders, in rows that say whose numbers these are."""
    return {
        f"{metric} ({encoder}), as published": PublishedRow(name, (source,))
        for encoder, metrics in PUBLISHED.items()
        for metric, name in metrics.items()
    }
