"""LCEval's paper: what stands for each of its tables and figures."""

from __future__ import annotations

from captious.papers.declaration import run_procedure
from captious.papers.exhibit import Claim, Exhibit
from captious.papers.lceval import (
    ablations,
    agreement,
    figures,
    training_tables,
)
from captious.papers.rows import LCEVAL

TIMES = Exhibit(
    LCEVAL.table(12),
    "computation time of each feature",
    (run_procedure("times.measure_feature_times", place=LCEVAL.table(12)),),
    (
        Claim(
            "SPICE and head-word chains, which need parses, take longest",
            lambda tables: (
                min(tables[0].value(each, "cold") for each in ("spice", "hwcm"))
                > max(
                    tables[0].value(each, "cold")
                    for each in ("meteor", "bleu", "rouge_l", "cider", "wmd", "mowe")
                )
            ),
        ),
        Claim(
            "computing the network's output takes next to no time compared with its features",
            lambda tables: (
                tables[0].value("lceval: network", "cold")
                < tables[0].value("lceval: all features", "cold") / 100
            ),
        ),
    ),
    notes=(
        "Each metric alone, from raw captions to scores, in one process, after everything that is "
        "loaded only once has been loaded. Warm: the parses of all captions are in the disk "
        "cache. The captions are those of PASCAL-50S, with one reference each, as in the paper, "
        "which used another machine, Java and spaCy. Times are measured once and stored, as "
        "everything else is.",
    ),
)
DRAWINGS = (
    Exhibit(
        LCEVAL.table(1),
        "details of the word vectors",
        drawing="A list of the vectors that the paper compares for MOWE: GloVe 840B, word2vec, "
        "fastText. The vectors shipped with Captious are described in docs/word_vectors.md.",
    ),
    Exhibit(
        LCEVAL.figure(1),
        "overview of caption evaluation",
        drawing="Features are computed from a candidate and its references, and a score from the "
        "features: docs/learned.md.",
    ),
    Exhibit(
        LCEVAL.figure(2),
        "a taxonomy of metrics",
        drawing="`captious metrics` lists ours: classical and learned, by what they compare.",
    ),
    Exhibit(
        LCEVAL.figure(3),
        "the architecture of LCEval",
        drawing="Sixteen features, one hidden layer of 12 units, a softmax over two classes: "
        "docs/metrics/lceval.md.",
    ),
    Exhibit(
        LCEVAL.figure(4),
        "dependency trees of a candidate and a reference",
        drawing="An example. Head-word chains are read off such trees: docs/metrics/hwcm.md.",
    ),
    Exhibit(
        LCEVAL.figure(5),
        "a Flickr30k image with human captions and those of three systems",
        drawing="An example. The captions that networks are trained on here: docs/learned.md.",
    ),
    Exhibit(
        LCEVAL.figure(6),
        "how candidates are paired with references",
        drawing="An example. Each candidate is paired with four references, never including "
        "itself: `training/learned_metrics/dataset.py`.",
    ),
    Exhibit(
        LCEVAL.figure(9),
        "a caption and its distracted versions",
        drawing="An example. Ours are in docs/robustness.md.",
    ),
)
_EVERY = (
    *DRAWINGS,
    ablations.NETWORK_DEPTH,
    ablations.WORD_VECTORS,
    agreement.CORRELATION,
    ablations.FEATURE_GROUPS,
    ablations.CHAIN_DEPTH,
    agreement.PAIRS,
    agreement.SCENES,
    agreement.DISTRACTION_ACCURACY,
    training_tables.ON_CORRELATION,
    training_tables.ON_PREFERENCES,
    TIMES,
    agreement.SYSTEMS,
    agreement.TRANSLATIONS,
    ablations.FEATURE_GROUPS_IN_FULL,
    figures.THROUGH_TRAINING,
    figures.ACCURACY_AND_TAU,
    figures.REFERENCE_NUMBERS,
    figures.POOLING,
)
EXHIBITS = tuple(sorted(_EVERY, key=lambda exhibit: LCEVAL.numbered_places.index(exhibit.place)))
