"""What LCEval is made of: tables 2, 3, 5, 6 and 15, figures 7 and 8."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from captious.experiments.declaration import (
    EqualWeights,
    Features,
    Grid,
    Learnt,
    OneFeature,
    Points,
    Variant,
)
from captious.experiments.exhibit import Claim, Exhibit
from captious.experiments.papers.nneval import OTHER_TRAINING
from captious.experiments.papers.rows import (
    AS_PUBLISHED,
    GROUPS,
    HAND_MADE,
    LCEVAL,
    ON_COMPOSITE,
    WRITTEN_OUT,
    Column,
    Measurable,
    Named,
    Reported,
    Roles,
    ahead,
    by_correlation,
    crossed,
    networks,
)

if TYPE_CHECKING:
    from captious.experiments.result import Measured, Table
    from captious.experiments.workbench.bench import Workbench

# Table 2: hidden layers by label, and features with the names of their published numbers.
# Equal weights of SPICE and CIDEr are SPIDEr; two layers of LCEval are LCEval.
LAYERS: dict[str, tuple[int, ...]] = {"1 layer": (), "2 layers": (12,), "3 layers": (12, 12)}
NAMES = {
    "SPIDEr": ("spider", "spider_1_layer", "spider_2_layers", "spider_3_layers"),
    "LCEval": ("lceval_unlearned", "lceval_1_layer", "lceval", "lceval_3_layers"),
}
NAMES[f"LCEval, {AS_PUBLISHED}"] = NAMES["LCEval"]
FEATURES = {
    "SPIDEr": Features("lceval", only=("spice", "cider")),
    "LCEval": Features("lceval"),
    f"LCEval, {AS_PUBLISHED}": Features("lceval", chains="published"),
}


def _by_depth(label: str) -> dict[str, Measurable]:
    """Equal weights, and networks of one to three layers."""
    unlearned, *names = NAMES[label]
    features = FEATURES[label]
    depths: dict[str, Measurable] = {"no learning": EqualWeights(unlearned, features)}
    for (depth, hidden), name in zip(LAYERS.items(), names, strict=True):
        depths[depth] = networks(features, name=name, hidden=hidden)
    return depths


def _learning_helps(tables: Sequence[Table]) -> bool:
    value = tables[0].value
    return all(value(row, "2 layers") > value(row, "no learning") for row in ("SPIDEr", "LCEval"))


NETWORK_DEPTH = Exhibit(
    LCEVAL.table(2),
    "network depth against no learning",
    (
        crossed(
            "Kendall's tau_b on Composite",
            "features",
            {label: _by_depth(label) for label in FEATURES},
            [
                Column(depth, ON_COMPOSITE, (LCEVAL.source,), of=depth)
                for depth in ("no learning", *LAYERS)
            ],
        ),
    ),
    (
        Claim("learning is better than equal weights", _learning_helps),
        Claim(
            "two layers are at least as good as one and as three, within .005",
            lambda tables: (
                tables[0].value("LCEval", "2 layers") + 0.005
                > max(tables[0].value("LCEval", each) for each in ("1 layer", "3 layers"))
            ),
        ),
    ),
    reason=f"{OTHER_TRAINING} One layer is already as good as two where negatives are easier to "
    "tell.",
    notes=(
        "Hidden layers of 12 units. No learning is the mean of the features as LCEval scales "
        "them, CIDEr / 10 among them: for SPIDEr that is not its own sum, in which CIDEr weighs "
        "ten times as much.",
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
        rows[name, "ours"] = {"": networks(features), "alone": OneFeature(features, "mowe")}
    for metric, name in VECTORS.items():
        rows[name, "published"] = {"": Reported(metric, (LCEVAL.source,))}
    return crossed(
        "LCEval on Composite by the vectors of MOWE",
        ("vectors", "whose"),
        rows,
        [
            *by_correlation(ON_COMPOSITE),
            Column("MOWE alone, Kendall", ON_COMPOSITE, of="alone"),
        ],
    )


def _vectors_matter_little(tables: Sequence[Table]) -> bool:
    """Whether LCEval changes with the vectors by no more than twice what it does in the paper."""
    taus = [
        tables[0].value(f"{row[0]}, ours", "Kendall") for row in tables[0].rows if row[1] == "ours"
    ]
    return max(taus) - min(taus) < 0.01


WORD_VECTORS = Exhibit(
    LCEVAL.table(3),
    "what other word vectors behind MOWE change",
    (_by_vectors,),
    (
        Claim(
            "other vectors change LCEval's correlation little (here: by less than .01)",
            _vectors_matter_little,
        ),
    ),
    reason="The paper's vectors are not the ones that can be had here.",
    notes=(
        "The paper's vectors do not ship. The caption space's vectors are those of `consensus`, "
        "each word by itself; they were learned so that captions of one image lie together. Files "
        f"of one's own that `captious vectors` wrote are taken from {VECTORS_FOLDER}/ under the "
        "data's folder.",
    ),
    trains=True,
)

# Each group of features: the network without it, and the one with it alone.
WHOLE = {"": networks("lceval")}
REMOVED: dict[str, Roles] = {
    "All features": {"alone": networks("lceval")},
    "Semantic": {"removed": GROUPS["Syn-Lex"], "alone": GROUPS["Semantic"]},
    "Lexical": {"removed": GROUPS["Sem-Syn"], "alone": GROUPS["Lexical"]},
    "Syntactic": {"removed": GROUPS["Sem-Lex"], "alone": GROUPS["Syntactic"]},
}


def _written_out(label: str) -> Measurable:
    return WRITTEN_OUT[f"{label}, {AS_PUBLISHED}"]


BOTH_CHAINS: dict[str, Roles] = REMOVED | {
    f"All features, {AS_PUBLISHED}": {"alone": _written_out("LCEval")},
    f"Semantic, {AS_PUBLISHED}": {"removed": _written_out("Syn-Lex")},
    f"Lexical, {AS_PUBLISHED}": {"removed": _written_out("Sem-Syn")},
    f"Syntactic, {AS_PUBLISHED}": {"alone": _written_out("Syntactic")},
}
GROUP_CLAIMS = (
    Claim(
        "the lexical group alone is the best of the three",
        ahead("Lexical", ["Semantic", "Syntactic"], "alone: Kendall"),
    ),
    Claim(
        "leaving out the lexical group costs most",
        lambda tables: (
            tables[0].value("Lexical", "removed: Kendall")
            < min(tables[0].value(each, "removed: Kendall") for each in ("Semantic", "Syntactic"))
        ),
    ),
    Claim(
        "all features together are at least as good as any group, within .005",
        lambda tables: (
            tables[0].value("All features", "alone: Kendall") + 0.005
            > max(
                tables[0].value(each, "alone: Kendall")
                for each in ("Semantic", "Lexical", "Syntactic")
            )
        ),
    ),
)


def _by_group(columns: Sequence[Column]) -> Grid:
    return crossed("LCEval on Composite by its features", "group", BOTH_CHAINS, columns)


FEATURE_GROUPS = Exhibit(
    LCEVAL.table(5),
    "what each group of features is worth, alone and removed",
    (
        _by_group(
            [
                Column(f"{how}: Kendall", ON_COMPOSITE, (LCEVAL.source,), of=how)
                for how in ("removed", "alone")
            ]
        ),
    ),
    GROUP_CLAIMS,
    reason=OTHER_TRAINING,
    trains=True,
)
FEATURE_GROUPS_IN_FULL = Exhibit(
    LCEVAL.table(15),
    "the same with three correlations",
    (
        _by_group(
            [
                column
                for how in ("removed", "alone")
                for column in by_correlation(ON_COMPOSITE, LCEVAL.source, before=f"{how}: ", of=how)
            ]
        ),
    ),
    GROUP_CLAIMS,
    reason=OTHER_TRAINING,
    trains=True,
)

# Table 6. Chains of one length divided by the candidate's, as the paper's text has it; by the
# reference's, as in the released code; and as its numbers have it.
LENGTHS = range(1, 5)
COUNTED = {"paper": "as the text has it", "released": "as the code has it"}


def _chains(length: int) -> Mapping[str, Measurable]:
    column = f"hwcm_{length}"
    several: dict[str, Measurable] = {
        label: Named(Variant(column, (("variant", variant),)), "")
        for variant, label in COUNTED.items()
    }
    return several | {AS_PUBLISHED: Named(Variant(column, (("variant", "published"),)), column)}


CHAIN_DEPTH = Exhibit(
    LCEVAL.table(6),
    "head-word chain matching by the length of the chain",
    (
        crossed(
            "Kendall's tau_b on Composite",
            "length",
            {str(length): _chains(length) for length in LENGTHS},
            [
                Column(AS_PUBLISHED, ON_COMPOSITE, (LCEVAL.table(6).source,), of=AS_PUBLISHED),
                *(Column(label, ON_COMPOSITE, of=label) for label in COUNTED.values()),
                Column(
                    "ties, as the text has it",
                    replace(ON_COMPOSITE, statistic="ties"),
                    of=COUNTED["paper"],
                ),
            ],
        ),
        crossed(
            "Beside BLEU and ROUGE-L, tau_b",
            "metric",
            {label: HAND_MADE[label] for label in ("BLEU-1", "BLEU-4", "ROUGE-L")},
            [Column("Kendall", ON_COMPOSITE)],
        ),
    ),
    (
        Claim(
            "chains correlate better than BLEU",
            lambda tables: (
                tables[0].value("2", AS_PUBLISHED)
                > max(tables[1].value(each, "Kendall") for each in ("BLEU-1", "BLEU-4"))
            ),
        ),
    ),
    reason="",
    notes=(
        "The paper's text divides the matched chains of one length by the candidate's. Its "
        "numbers do not fall with length, while those of single lengths must: most captions share "
        "no long chain with their references and score 0 alike (ties: the share of pairs of "
        "captions with equal scores). What fits the numbers is the mean over all lengths up to "
        "the one named, as Liu and Gildea define HWCM, divided by the reference's chains, as the "
        "released code does.",
    ),
)


def _epoch_by_epoch(bench: Workbench) -> Measured:
    """Accuracy and tau in validation, a point an epoch, and the epoch that is kept."""
    from captious.experiments.declaration import Ours
    from captious.experiments.result import Measured, Panel, Table, Value
    from captious.experiments.workbench.settings import settings_of

    network = networks("lceval")[0]
    training = bench.network(network)
    curve, epochs = training.curve, range(1, len(training.curve) + 1)
    lines = {
        "classified rightly in training": curve[:, 1],
        "classified rightly in validation": curve[:, 3],
        "tau_b in validation": curve[:, 2],
    }
    points = {name: tuple(zip(epochs, line.tolist(), strict=True)) for name, line in lines.items()}
    kept = f"kept: epoch {training.epoch}"
    panel = Panel(
        "LCEval, epoch by epoch",
        "epoch",
        "share, tau_b",
        {**points, kept: ((float(training.epoch), training.tau),)},
        loose=(kept,),
    )
    rows: list[list[Value]] = [
        [name, float(line[0]), float(line[training.epoch - 1]), float(line.max())]
        for name, line in lines.items()
    ]
    header = ["", "first epoch", f"epoch {training.epoch}, kept", "highest"]
    table = Table("Validation while LCEval learns", header, rows)
    return Measured((table,), (panel,), settings_of(bench, [Ours(network, Learnt())]))


def _tau_is_not_accuracy(tables: Sequence[Table]) -> bool:
    accuracy, tau = (tables[0].rows[place] for place in (1, 2))
    return isinstance(accuracy[3], float) and tau[2] == tau[3]


THROUGH_TRAINING = Exhibit(
    LCEVAL.figure(7),
    "validation accuracy epoch by epoch, and the epoch that is chosen by Kendall's tau",
    (_epoch_by_epoch,),
    (
        Claim("the epoch with the highest tau in validation is kept", _tau_is_not_accuracy),
        Claim(
            "both rise while the network learns",
            lambda tables: all(
                float(row[3] or 0) > float(row[1] or 0)  # type: ignore[arg-type]
                for row in tables[0].rows
            ),
        ),
    ),
    notes=("The paper's figure has no numbers.",),
    trains=True,
)


def _rises_with_accuracy(tables: Sequence[Table]) -> float:
    """The correlation of accuracy and tau over feature sets."""
    import numpy as np

    names = [str(row[0]) for row in tables[0].rows]
    columns = ("right on Composite", "Composite tau_b")
    x, y = ([tables[0].value(name, column) for name in names] for column in columns)
    return float(np.corrcoef(x, y)[0, 1])


ACCURACY_AND_TAU = Exhibit(
    LCEVAL.figure(8),
    "whether who classifies better also correlates better",
    (
        crossed(
            "Networks by their features",
            "features",
            {label: several[0] for label, several in GROUPS.items()}
            | {"LCEval": networks("lceval")[0], "NNEval": networks("nneval")[0]},
            [
                Column("right in training", Learnt("accuracy")),
                Column("right on Composite", replace(ON_COMPOSITE, statistic="told_apart")),
                Column("Composite tau_b", ON_COMPOSITE),
                Column("validation tau_b", Learnt()),
            ],
            drawn=Points(
                "By features",
                "people's captions told from machines' on Composite, share",
                "Composite tau_b",
                x=2,
                y=3,
            ),
        ),
    ),
    (
        Claim(
            "networks that classify better correlate better (r over feature sets above .5)",
            lambda tables: _rises_with_accuracy(tables) > 0.5,
        ),
    ),
    reason="Networks here learn from captions of other images, too, and not only to tell machines "
    "from people: how well they tell them on Composite says less of their agreement.",
    notes=(
        "Right on Composite: people's captions told from the systems' at the threshold that does "
        "so best (mean of both shares). The paper's figure has no numbers.",
        lambda _, tables: (
            "Correlation of accuracy and tau over these feature sets: "
            f"{_rises_with_accuracy(tables):+.2f}."
        ),
    ),
    trains=True,
)
