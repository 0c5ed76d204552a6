"""What LCEval's paper alone reports: ablations of a learned metric, translations, times."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from captious.experiments.declaration import (
    Cell,
    EqualWeights,
    Experiment,
    Features,
    Grid,
    Learnt,
    Lines,
    Mean,
    Network,
    OneFeature,
    Ours,
    Points,
    Published,
    Row,
    Scored,
    Task,
    Variant,
    in_words,
)
from captious.experiments.papers.rows import (
    ALL_METRICS,
    CHOSEN,
    COMPOSITE,
    CORRELATIONS,
    GROUPS,
    LCEVAL,
    MACHINE,
    ORDER,
    OTHER,
    PASCAL,
    TRAINED,
    WMT16,
    beside_published,
    by_metric,
    correlations,
    network,
    with_published,
)

if TYPE_CHECKING:
    from captious.experiments.result import Measured, Table
    from captious.experiments.workbench.bench import Workbench

ON_COMPOSITE = Task(COMPOSITE, "lceval")
NETWORK = network("lceval")
BY_FEATURES: tuple[Network, ...] = (*GROUPS, NETWORK)

# Head-word chains. How matches are counted: the paper divides by the candidate's chains, the code
# that its authors released by the reference's.
CHAINS = {"paper": "candidate's chains", "released": "reference's chains"}
LENGTHS = range(1, 5)


def _chains(variant: str, length: int) -> tuple[Variant, Mean]:
    """Chains of one length, and of all lengths up to it."""
    up_to = tuple(Variant(f"hwcm_{n}", (("variant", variant),)) for n in LENGTHS[:length])
    return up_to[-1], Mean(up_to)


CHAIN_DEPTH = Experiment(
    "chain-depth",
    (LCEVAL.table(6),),
    "head-word chain matching by the length of the chain",
    "Head-word chain matching by the length of the chain",
    (
        Grid(
            "Kendall's tau_b on Composite, LCEval's protocol ({0:,} captions; "
            f"{LCEVAL.table(6).source})",
            (
                "length",
                *(
                    f"{how}: {which}"
                    for how in CHAINS.values()
                    for which in ("this length", "mean up to it")
                ),
                "published",
                "ties, this length",
            ),
            tuple(
                (
                    str(length),
                    *(
                        Ours(chains, ON_COMPOSITE)
                        for variant in CHAINS
                        for chains in _chains(variant, length)
                    ),
                    Published(f"hwcm_{length}", ON_COMPOSITE, (LCEVAL.table(6).source,)),
                    Ours(_chains("paper", length)[0], replace(ON_COMPOSITE, statistic="ties")),
                )
                for length in LENGTHS
            ),
        ),
    ),
    (
        "The paper's text divides the matched chains of one length by the candidate's. Its "
        "figures do not fall with length, while those of single lengths must: most captions "
        "share no long chain with their references and score 0 alike (ties: the share of pairs "
        "of captions with equal scores). What fits the published figures is the mean over all "
        "lengths up to the one named, as Liu and Gildea define HWCM, divided by the "
        "reference's chains, as the released code does.",
    ),
)

# Network depth: hidden layers by label, and features with the names of their published figures.
# Equal weights of SPICE and CIDEr-D are SPIDEr; two layers of LCEval are LCEval.
LAYERS: dict[str, tuple[int, ...]] = {"1 layer": (), "2 layers": (12,), "3 layers": (12, 12)}
DEPTHS = {
    "SPIDEr": (
        Features("lceval", only=("spice", "cider_d")),
        ("spider", "spider_1_layer", "spider_2_layers", "spider_3_layers"),
    ),
    "LCEval": (
        Features("lceval"),
        ("lceval_unlearned", "lceval_1_layer", "lceval", "lceval_3_layers"),
    ),
}


def _deep(features: Features) -> tuple[Network, ...]:
    """Networks of one to three layers."""
    against = tuple(CHOSEN.items())
    return tuple(Network(name, features, against, hidden) for name, hidden in LAYERS.items())


def _by_depth(features: Features, names: tuple[str, ...]) -> list[Cell]:
    """Equal weights and networks of every depth, each with the name that its figure has."""
    scored: tuple[Scored, ...] = (EqualWeights(features), *_deep(features))
    cells: list[Cell] = []
    for each, name in zip(scored, names, strict=True):
        cells += beside_published(each, (ON_COMPOSITE,), LCEVAL.source, known_as=name)
    return cells


NETWORK_DEPTH = Experiment(
    "network-depth",
    (LCEVAL.table(2),),
    "what learning and hidden layers add to equal weights",
    "Network depth against no learning",
    (
        Grid(
            f"Kendall's tau_b on Composite; {LCEVAL.table(2).source}",
            ("features", *with_published(("no learning", *LAYERS))),
            tuple((label, *_by_depth(*declared)) for label, declared in DEPTHS.items()),
        ),
        Grid(
            "tau_b in validation (Flickr8k-Expert)",
            ("features", *LAYERS),
            tuple(
                (label, *map(Learnt, _deep(features))) for label, (features, _) in DEPTHS.items()
            ),
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

    rows: list[Row] = []
    for name, path in vector_files(bench, VECTORS_FOLDER).items():
        features = Features("lceval", vectors=str(path or ""))
        learned = Network("lceval", features, tuple(CHOSEN.items()))
        measured = [Ours(learned, task) for task in correlations(ON_COMPOSITE)]
        alone = Ours(OneFeature(features, "mowe"), ON_COMPOSITE)
        rows.append((name, "ours", *measured, Learnt(learned), alone))
    for metric, name in VECTORS.items():
        figures = [Published(metric, task, (LCEVAL.source,)) for task in correlations(ON_COMPOSITE)]
        rows.append((name, "published", *figures, None, None))
    return Grid(
        f"LCEval on Composite by the vectors of MOWE; {LCEVAL.table(3).source}",
        ("vectors", "whose", *CORRELATIONS.values(), "validation", "MOWE alone, Kendall"),
        tuple(rows),
        texts=2,
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


def _one_group(removed: Network | None, alone: Network) -> list[Cell]:
    """Correlations and validation without a group of features, and with it alone."""
    cells: list[Cell] = []
    for each in (removed, alone):
        if each is None:
            cells += [None] * (2 * len(CORRELATIONS) + 1)
        else:
            cells += beside_published(each, correlations(ON_COMPOSITE), LCEVAL.source)
            cells.append(Learnt(each))
    return cells


_BY_NAME = {each.name: each for each in BY_FEATURES}
FEATURE_GROUPS = Experiment(
    "feature-groups",
    (LCEVAL.table(5, 15),),
    "what each group of features is worth, alone and removed",
    "Feature groups removed and alone",
    (
        Grid(
            f"LCEval on Composite by its features; {LCEVAL.table(5, 15).source}",
            (
                "group",
                *(
                    name
                    for how in ("removed", "alone")
                    for name in (
                        *with_published(f"{how}: {label}" for label in CORRELATIONS.values()),
                        f"{how}: validation",
                    )
                ),
            ),
            tuple(
                (
                    group,
                    *_one_group(_BY_NAME.get(f"lceval_{others}"), _BY_NAME[alone]),
                )
                for group, others, alone in (
                    ("all features", "", "lceval"),
                    ("lexical", "semantic_syntactic", "lceval_lexical"),
                    ("semantic", "syntactic_lexical", "lceval_semantic"),
                    ("syntactic", "semantic_lexical", "lceval_syntactic"),
                )
            ),
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
        Grid(
            "Networks by their features (as in the paper's figure 8)",
            (
                "features",
                "right in training",
                "right on Composite",
                "Composite tau_b",
                "validation tau_b",
            ),
            tuple(
                (
                    each.name,
                    Learnt(each, "accuracy"),
                    Ours(each, replace(ON_COMPOSITE, statistic="told_apart")),
                    Ours(each, ON_COMPOSITE),
                    Learnt(each),
                )
                for each in (*BY_FEATURES, network("nneval"))
            ),
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

# Numbers of references, and how features are pooled over them.
COUNTS, QUICK_COUNTS = (1, 2, 3, 5, 8, 12, 20, 30, 50), (1, 5)
POOLS = ("max", "mean", "min")
NNEVALS, LCEVALS = Features("nneval"), Features("lceval")
BY_REFERENCES: dict[str, Scored] = {
    **{
        f"lceval {pool}": replace(NETWORK, features=Features("lceval", pool=pool)) for pool in POOLS
    },
    "bleu_1": OneFeature(NNEVALS, "bleu_1"),
    "bleu_4": OneFeature(NNEVALS, "bleu_4"),
    "rouge_l": OneFeature(LCEVALS, "rouge_l"),
    "meteor": OneFeature(NNEVALS, "meteor"),
    "cider_d": OneFeature(NNEVALS, "cider_d"),
    "spice": OneFeature(NNEVALS, "spice"),
    "wmd": OneFeature(NNEVALS, "wmd"),
    "spider": Mean((OneFeature(NNEVALS, "cider_d"), OneFeature(NNEVALS, "spice"))),
}


def _by_number(group: str, label: str, quick: bool) -> Grid:
    """Accuracy on PASCAL-50S in one category with one to fifty references."""
    counts = QUICK_COUNTS if quick else COUNTS
    tasks = [
        Task(PASCAL, "lceval", "accuracy", group, references=count, all_references=True)
        for count in counts
    ]
    known: list[Cell] = []
    for task in tasks:
        plural = "reference" if task.references == 1 else "references"
        there = replace(task, group=f"{group}, {task.references} {plural}")
        known.append(Published("lceval", there, (LCEVAL.source,)))
    rows: list[Row] = [
        (name, *(Ours(scored, task) for task in tasks)) for name, scored in BY_REFERENCES.items()
    ]
    return Grid(
        f"Accuracy in %, {label}",
        ("references", *map(str, counts)),
        (("lceval, published", *known), *rows),
        digits=1,
        percent=True,
        drawn=Lines(label, "references", "accuracy", tuple(map(float, counts))),
    )


REFERENCES = Experiment(
    "references",
    (LCEVAL.figure(10, 11),),
    "accuracy by number of references, with max, mean and min over them",
    "Number of references, and max, mean and min over them",
    (
        lambda bench: _by_number("mean", "all categories", bench.quick),
        lambda bench: _by_number("HC", "HC, two people's captions", bench.quick),
    ),
    (
        "As in the paper, accuracy with max rises to about a dozen references and falls "
        "beyond; with mean it keeps what it has.",
        f"Published: {LCEVAL.source}, section 5.5 (the figures themselves have no numbers). "
        f"Each LCEval was trained against {in_words(CHOSEN)} with features pooled as the "
        "paper's appendix A.2 has them: n-gram precision, unigram recall, MOWE and HWCM by "
        "max, mean or min over references, all others as they are. CIDEr-D takes the document "
        "frequencies that ship.",
    ),
    trains=True,
    draws=True,
)

LANGUAGES = ("cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en")
OVER_LANGUAGES = Task(WMT16, "lceval", group="mean")
TRANSLATIONS = Experiment(
    "translations",
    (LCEVAL.table(14),),
    "how metrics for captions do on machine translations",
    "Machine translations, WMT16",
    (
        by_metric(
            f"Kendall's tau_b; {LCEVAL.table(14).source}",
            ALL_METRICS,
            {group: replace(OVER_LANGUAGES, group=group) for group in (*LANGUAGES, "mean")},
            LCEVAL.source,
        ),
        Grid(
            "LCEval by training set, mean over languages",
            ("trained against", "tau_b"),
            (
                *(
                    (in_words(mixture), Ours(network("lceval", mixture), OVER_LANGUAGES))
                    for mixture in ({OTHER: 1}, CHOSEN, {**CHOSEN, ORDER: 1}, MACHINE)
                ),
                ("published", Published("lceval", OVER_LANGUAGES, (LCEVAL.source,))),
            ),
        ),
    ),
    (
        "One reference a segment. No metric here was trained on translations. Hand-made "
        "metrics are as published, or nearly; the learned ones depend on the captions that "
        "they were trained on (second table): with captions of other images alone LCEval is as "
        "published, and machines' captions cost agreement. `nneval` and `lceval` are those "
        f"that ship; groups of features were trained against {in_words(CHOSEN)}.",
    ),
    trains=True,
)


def _times(bench: Workbench) -> Measured:
    from captious.experiments.procedures.times import seconds_table

    return seconds_table(bench, LCEVAL.table(12))


TIMES = Experiment(
    "times",
    (LCEVAL.table(12),),
    "how long each feature takes, cold and with the cache of parses",
    "Execution times",
    (_times,),
    (
        "Each metric by itself, from raw captions to scores, in one process, once everything "
        "that is loaded once is loaded; warm: parses of all captions in the cache on disk. "
        "4,000 x 1: captions of PASCAL-50S with one reference, as in the paper (another "
        "machine, Java); 5,000 x 5: a system's captions of COCO images.",
    ),
)
