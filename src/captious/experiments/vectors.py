"""Word vectors for MOWE: LCEval's table 3, with the vectors that can be had."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from captious.experiments.experiment import Experiment
from captious.experiments.figures import CORRELATIONS, LCEVAL_PAPER, figure
from captious.experiments.mixtures import CHOSEN
from captious.experiments.result import Cell, Finding, Table
from captious.experiments.workbench import Workbench, described
from captious.learned.feature_sets import LCEVAL
from captious.learned.features import Feature, FeatureSet
from captious.text.vectors.caption_vectors import CaptionSpace
from captious.text.vectors.word_vectors import DEFAULT, WordVectors
from captious.training.learned_metrics.recipe import LCEVAL_RECIPE

COMPOSITE, PROTOCOL = "composite", "lceval"
FOLDER = "word_vectors"  # a user's own files, under the data's folder
PAPERS = {
    "lceval_mowe_glove": "GloVe 840B 300d",
    "lceval_mowe_word2vec": "word2vec 300d",
    "lceval": "fastText 300d",
}


def by_vectors(bench: Workbench) -> Finding:
    """LCEval trained with each file of vectors behind MOWE, and MOWE by itself."""
    rows: list[list[Cell]] = []
    for name, path in _files(bench).items():
        feature_set = LCEVAL if path is None else _with_vectors(path)
        trained = bench.trained(feature_set, LCEVAL_RECIPE, CHOSEN)
        features = bench.features(feature_set, COMPOSITE, PROTOCOL)
        alone = features[:, feature_set.columns.index("mowe")]
        columns = {"learned": trained.model.scores(features), "alone": alone}
        learned, mowe = bench.agreement(columns, COMPOSITE, PROTOCOL)
        taken = [learned.values[statistic] for statistic in CORRELATIONS]
        rows.append([name, "ours", *taken, trained.tau, mowe.values["kendall_b"]])
    for metric, name in PAPERS.items():
        taken_there = [
            figure(COMPOSITE, statistic, metric, LCEVAL_PAPER) for statistic in CORRELATIONS
        ]
        rows.append([name, "published", *taken_there, None, None])
    return Finding(
        "word-vectors",
        "Word vectors for MOWE",
        (
            Table.of(
                f"LCEval on Composite by the vectors of MOWE; {LCEVAL_PAPER}, table 3",
                ["vectors", "whose", *CORRELATIONS.values(), "validation", "MOWE alone, Kendall"],
                rows,
                texts=2,
            ),
        ),
        notes=(
            f"Trained against {described(CHOSEN)}. The papers' vectors do not ship. The caption "
            "space's vectors are those of `consensus`, each word by itself; they were learned so "
            "that captions of one image lie together. Files of one's own that `captious vectors` "
            f"wrote are taken from {FOLDER}/ under the data's folder.",
        ),
    )


def _files(bench: Workbench) -> dict[str, Path | None]:
    """Vectors by name; none stands for those that ship."""
    found: dict[str, Path | None] = {DEFAULT: None, "caption space": _caption_space(bench)}
    for path in sorted((bench.data / FOLDER).glob("*.npz")):
        found[WordVectors.load(path).name] = path
    return found


def _caption_space(bench: Workbench) -> Path:
    """The caption space's vectors of the words that ship with vectors, as a file of vectors."""
    space = CaptionSpace.load()
    path = bench.kept.path(f"vectors-{space.signature.replace('@', '-')}.npz")
    if not path.is_file():
        words = WordVectors.load().words
        values = np.asarray(space.of_words(words), np.float32)
        WordVectors.of("caption-space", words, values).save(path)
    return path


def _with_vectors(path: Path) -> FeatureSet:
    changed = tuple(
        replace(feature, options=(("vectors", str(path)),)) if feature.column == "mowe" else feature
        for feature in LCEVAL.features
    )
    features: tuple[Feature, ...] = changed
    return replace(LCEVAL, features=features)


VECTORS = Experiment(
    "word-vectors",
    "LCEval table 3",
    "what other word vectors behind MOWE change",
    by_vectors,
    trains=True,
)
