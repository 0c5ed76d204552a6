"""Network depth against no learning: LCEval's table 2, with SPIDEr's two features beside."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.experiments.experiment import Experiment
from captious.experiments.figures import LCEVAL_PAPER, figure
from captious.experiments.mixtures import CHOSEN
from captious.experiments.result import Cell, Finding, Table
from captious.experiments.workbench import Workbench, described
from captious.learned.feature_sets import LCEVAL
from captious.learned.features import FeatureSet
from captious.learned.scaling import Scaling
from captious.training.learned_metrics.recipe import LCEVAL_RECIPE

COMPOSITE, PROTOCOL = "composite", "lceval"
SPIDER = replace(
    LCEVAL,
    name="spider_features",
    features=tuple(f for f in LCEVAL.features if f.column in ("spice", "cider_d")),
)
LAYERS: dict[str, tuple[int, ...]] = {
    "1 layer": (),
    "2 layers": (12,),
    "3 layers": (12, 12),
}
# Equal weights of SPICE and CIDEr-D are SPIDEr; two layers of LCEval are LCEval.
_PUBLISHED = {
    ("spider_features", "no learning"): "spider",
    ("spider_features", "1 layer"): "spider_1_layer",
    ("spider_features", "2 layers"): "spider_2_layers",
    ("spider_features", "3 layers"): "spider_3_layers",
    ("lceval", "no learning"): "lceval_unlearned",
    ("lceval", "1 layer"): "lceval_1_layer",
    ("lceval", "2 layers"): "lceval",
    ("lceval", "3 layers"): "lceval_3_layers",
}


def by_depth(bench: Workbench) -> Finding:
    """Kendall's tau on Composite of equal weights and of networks of one to three layers."""
    rows: list[list[Cell]] = []
    validated: list[list[Cell]] = []
    for label, feature_set in (("SPIDEr", SPIDER), ("LCEval", LCEVAL)):
        features = bench.features(feature_set, COMPOSITE, PROTOCOL)
        found = {"no learning": equal_weights(feature_set, features)}
        taus: list[Cell] = [label]
        for name, hidden in LAYERS.items():
            trained = bench.trained(feature_set, replace(LCEVAL_RECIPE, hidden=hidden), CHOSEN)
            found[name] = trained.model.scores(features)
            taus.append(trained.tau)
        cells: list[Cell] = [label]
        for row in bench.agreement(found, COMPOSITE, PROTOCOL):
            metric = _PUBLISHED[feature_set.name, row.metric]
            cells += [
                row.values["kendall_b"],
                figure(COMPOSITE, "kendall_b", metric, LCEVAL_PAPER),
            ]
        rows.append(cells)
        validated.append(taus)
    header = ["features"]
    for name in ("no learning", *LAYERS):
        header += [name, "published"]
    return Finding(
        "network-depth",
        "Network depth against no learning",
        (
            Table.of(f"Kendall's tau_b on Composite; {LCEVAL_PAPER}, table 2", header, rows),
            Table.of("tau_b in validation (Flickr8k-Expert)", ["features", *LAYERS], validated),
        ),
        notes=(
            f"Trained against {described(CHOSEN)}; hidden layers of 12 units. No learning is the "
            "sum of the features as LCEval scales them, CIDEr-D / 10 among them: for SPIDEr that "
            "is not its own sum, in which CIDEr-D weighs ten times as much.",
        ),
    )


def equal_weights(feature_set: FeatureSet, features: FloatArray) -> FloatArray:
    """The mean of all features once they are scaled."""
    scaled = Scaling.of(feature_set, features).apply(features)
    return np.asarray(scaled.mean(axis=1))


NETWORK_DEPTH = Experiment(
    "network-depth",
    "LCEval table 2",
    "what learning and hidden layers add to equal weights",
    by_depth,
    trains=True,
)
