"""What LCEval is made of, by its paper's ablations: layers, word vectors, groups of features."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from captious.experiments.declaration import (
    EqualWeights,
    Experiment,
    Features,
    Grid,
    Learnt,
    Network,
    OneFeature,
    Points,
    Scored,
)
from captious.experiments.papers.rows import (
    CHOSEN,
    GROUPS,
    LCEVAL,
    NETWORK,
    ON_COMPOSITE,
    TRAINED,
    Column,
    Reported,
    Roles,
    by_correlation,
    crossed,
    network,
)

if TYPE_CHECKING:
    from captious.experiments.result import Measured, Table
    from captious.experiments.workbench.bench import Workbench

# Network depth: hidden layers by label, and features with the names of their published figures.
# Equal weights of SPICE and CIDEr-D are SPIDEr; two layers of LCEval are LCEval.
LAYERS: dict[str, tuple[int, ...]] = {"1 layer": (), "2 layers": (12,), "3 layers": (12, 12)}
FIGURES = {
    "SPIDEr": ("spider", "spider_1_layer", "spider_2_layers", "spider_3_layers"),
    "LCEval": ("lceval_unlearned", "lceval_1_layer", "lceval", "lceval_3_layers"),
}
FEATURES = {
    "SPIDEr": Features("lceval", only=("spice", "cider_d")),
    "LCEval": Features("lceval"),
}


def _by_depth(label: str) -> dict[str, Scored]:
    """Equal weights, and networks of one to three layers."""
    unlearned, *names = FIGURES[label]
    features, against = FEATURES[label], tuple(CHOSEN.items())
    depths: dict[str, Scored] = {"no learning": EqualWeights(unlearned, features)}
    for (depth, hidden), name in zip(LAYERS.items(), names, strict=True):
        depths[depth] = Network(name, features, against, hidden)
    return depths


DEPTHS = {label: _by_depth(label) for label in FEATURES}
NETWORK_DEPTH = Experiment(
    "network-depth",
    (LCEVAL.table(2),),
    "what learning and hidden layers add to equal weights",
    "Network depth against no learning",
    (
        crossed(
            f"Kendall's tau_b on Composite; {LCEVAL.table(2).source}",
            "features",
            DEPTHS,
            [
                Column(depth, ON_COMPOSITE, (LCEVAL.source,), of=depth)
                for depth in ("no learning", *LAYERS)
            ],
        ),
        crossed(
            "tau_b in validation (Flickr8k-Expert)",
            "features",
            DEPTHS,
            [Column(depth, Learnt(), of=depth) for depth in LAYERS],
        ),
    ),
    (
        f"{TRAINED}; hidden layers of 12 units. No learning is the "
        "sum of the features as LCEval scales them, CIDEr-D / 10 among them: for SPIDEr that "
        "is not its own sum, in which CIDEr-D weighs ten times as much.",
    ),
    trains=True,
)

VECTORS = {
    "lceval_mowe_glove": "GloVe 840B 300d",
    "lceval_mowe_word2vec": "word2vec 300d",
    "lceval": "fastText 300d",
}
VECTORS_FOLDER = "word_vectors"  # a user's own files, under the data's folder


def _by_vectors(bench: Workbench) -> Grid:
    """LCEval trained with each file of vectors behind MOWE, and MOWE by itself."""
    from captious.experiments.procedures.word_vectors import vector_files

    rows: dict[tuple[str, str], Roles] = {}
    for name, path in vector_files(bench, VECTORS_FOLDER).items():
        features = Features("lceval", vectors=str(path or ""))
        learned = Network("lceval", features, tuple(CHOSEN.items()))
        rows[name, "ours"] = {"": learned, "alone": OneFeature(features, "mowe")}
    for metric, name in VECTORS.items():
        rows[name, "published"] = {"": Reported(metric, (LCEVAL.source,))}
    return crossed(
        f"LCEval on Composite by the vectors of MOWE; {LCEVAL.table(3).source}",
        ("vectors", "whose"),
        rows,
        [
            *by_correlation(ON_COMPOSITE),
            Column("validation", Learnt()),
            Column("MOWE alone, Kendall", ON_COMPOSITE, of="alone"),
        ],
    )


WORD_VECTORS = Experiment(
    "word-vectors",
    (LCEVAL.table(3),),
    "what other word vectors behind MOWE change",
    "Word vectors for MOWE",
    (_by_vectors,),
    (
        f"{TRAINED}. The papers' vectors do not ship. The caption "
        "space's vectors are those of `consensus`, each word by itself; they were learned so "
        "that captions of one image lie together. Files of one's own that `captious vectors` "
        f"wrote are taken from {VECTORS_FOLDER}/ under the data's folder.",
    ),
    trains=True,
)


# Each group of features: the network without it, and the one with it alone.
SEMANTIC, SYNTACTIC, LEXICAL, NOT_LEXICAL, NOT_SYNTACTIC, NOT_SEMANTIC = GROUPS
REMOVED: dict[str, Roles] = {
    "all features": {"alone": NETWORK},
    "lexical": {"removed": NOT_LEXICAL, "alone": LEXICAL},
    "semantic": {"removed": NOT_SEMANTIC, "alone": SEMANTIC},
    "syntactic": {"removed": NOT_SYNTACTIC, "alone": SYNTACTIC},
}
FEATURE_GROUPS = Experiment(
    "feature-groups",
    (LCEVAL.table(5, 15),),
    "what each group of features is worth, alone and removed",
    "Feature groups removed and alone",
    (
        crossed(
            f"LCEval on Composite by its features; {LCEVAL.table(5, 15).source}",
            "group",
            REMOVED,
            [
                column
                for how in ("removed", "alone")
                for column in (
                    *by_correlation(ON_COMPOSITE, LCEVAL.source, before=f"{how}: ", of=how),
                    Column(f"{how}: validation", Learnt(), of=how),
                )
            ],
        ),
    ),
    (f"{TRAINED}.",),
    trains=True,
)


def _epoch_by_epoch(bench: Workbench) -> Measured:
    """Accuracy in training and tau in validation, a point an epoch."""
    from captious.experiments.result import Measured, Panel

    curve = bench.network(NETWORK).curve
    lines = {"classified rightly in training": curve[:, 1], "tau_b in validation": curve[:, 2]}
    epochs = range(1, len(curve) + 1)
    points = {name: tuple(zip(epochs, line.tolist(), strict=True)) for name, line in lines.items()}
    title = "LCEval, epoch by epoch (figure 7)"
    return Measured(panels=(Panel(title, "epoch", "share, tau_b", points),))


def _accuracy_and_tau(_: Workbench, tables: tuple[Table, ...]) -> str:
    """What the table says of accuracy and agreement with people."""
    import numpy as np

    columns = np.array([row[1:] for row in tables[0].rows], np.float64).T
    fit = [float(np.corrcoef(column, columns[2])[0, 1]) for column in columns[:2]]
    return (
        f"{TRAINED}. Right on Composite: people's captions told from "
        "the two systems' at the threshold that does so best (mean of both shares). As in the "
        "paper, who tells them apart better also agrees more with people; over these feature "
        "sets, correlation of "
        f"accuracy and tau: {fit[0]:+.2f} in training, {fit[1]:+.2f} on Composite."
    )


THROUGH_TRAINING = Experiment(
    "through-training",
    (LCEVAL.figure(7, 8),),
    "whether who classifies better also correlates better",
    "Classification accuracy against correlation",
    (
        _epoch_by_epoch,
        crossed(
            "Networks by their features (as in the paper's figure 8)",
            "features",
            (*GROUPS, NETWORK, network("nneval")),
            [
                Column("right in training", Learnt("accuracy")),
                Column("right on Composite", replace(ON_COMPOSITE, statistic="told_apart")),
                Column("Composite tau_b", ON_COMPOSITE),
                Column("validation tau_b", Learnt()),
            ],
            drawn=Points(
                "By features (figure 8)",
                "people's captions told from machines' on Composite, share",
                "Composite tau_b",
                x=2,
                y=3,
            ),
        ),
    ),
    (_accuracy_and_tau,),
    trains=True,
    draws=True,
)
