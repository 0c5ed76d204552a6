"""What LCEval's paper alone reports of metrics: chains, references, translations and times."""

from __future__ import annotations

from dataclasses import replace

from captious.experiments.declaration import (
    Experiment,
    Features,
    Grid,
    Lines,
    Mean,
    Mixture,
    OneFeature,
    Scored,
    Task,
    Variant,
    in_words,
    measured_by,
)
from captious.experiments.papers.rows import (
    ALL_METRICS,
    CHOSEN,
    LCEVAL,
    MACHINE,
    NETWORK,
    ON_COMPOSITE,
    ORDER,
    OTHER,
    PASCAL,
    WMT16,
    Column,
    Measurable,
    Reported,
    crossed,
    network,
)

# Head-word chains. How matches are counted: the paper divides by the candidate's chains, the code
# that its authors released by the reference's.
CHAINS = {"candidate's chains": "paper", "reference's chains": "released"}
LENGTHS = range(1, 5)


def _chains(length: int) -> dict[str, Scored]:
    """Chains of one length, and of all lengths up to it, counted in both ways."""
    chains: dict[str, Scored] = {}
    for how, variant in CHAINS.items():
        up_to = tuple(Variant(f"hwcm_{n}", (("variant", variant),)) for n in LENGTHS[:length])
        chains |= {f"{how}: this length": up_to[-1], f"{how}: mean up to it": Mean(up_to)}
    return chains


CHAIN_DEPTH = Experiment(
    "chain-depth",
    (LCEVAL.table(6),),
    "head-word chain matching by the length of the chain",
    "Head-word chain matching by the length of the chain",
    (
        crossed(
            "Kendall's tau_b on Composite, LCEval's protocol ({0:,} captions; "
            f"{LCEVAL.table(6).source})",
            "length",
            {str(length): {**_chains(length), "": f"hwcm_{length}"} for length in LENGTHS},
            [
                *(Column(chains, ON_COMPOSITE, of=chains) for chains in _chains(1)),
                Column("published", ON_COMPOSITE, (LCEVAL.table(6).source,), ours=False),
                Column(
                    "ties, this length",
                    replace(ON_COMPOSITE, statistic="ties"),
                    of="candidate's chains: this length",
                ),
            ],
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

# Numbers of references, and how features are pooled over them.
COUNTS, QUICK_COUNTS = (1, 2, 3, 5, 8, 12, 20, 30, 50), (1, 5)
POOLS = ("max", "mean", "min")
NNEVALS, LCEVALS = Features("nneval"), Features("lceval")
BY_REFERENCES: dict[str, Measurable] = {
    "lceval, published": Reported("lceval", (LCEVAL.source,)),
    **{f"lceval {p}": replace(NETWORK, features=Features("lceval", pool=p)) for p in POOLS},
    **{name: OneFeature(NNEVALS, name) for name in ("bleu_1", "bleu_4")},
    "rouge_l": OneFeature(LCEVALS, "rouge_l"),
    **{name: OneFeature(NNEVALS, name) for name in ("meteor", "cider_d", "spice", "wmd")},
    "spider": Mean((OneFeature(NNEVALS, "cider_d"), OneFeature(NNEVALS, "spice"))),
}


def _by_number(group: str, label: str, quick: bool) -> Grid:
    """Accuracy on PASCAL-50S in one category with one to fifty references."""
    counts = QUICK_COUNTS if quick else COUNTS
    columns = []
    for count in counts:
        task = Task(PASCAL, "lceval", "accuracy", group, references=count, all_references=True)
        known = replace(task, group=f"{group}, {count} reference{'s' if count > 1 else ''}")
        columns.append(Column(str(count), task, known=known))
    drawn = Lines(label, "references", "accuracy")
    title = f"Accuracy in %, {label}"
    return crossed(title, "references", BY_REFERENCES, columns, percent=True, drawn=drawn)


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
TRAINED_ON: tuple[Mixture, ...] = ({OTHER: 1}, CHOSEN, {**CHOSEN, ORDER: 1}, MACHINE)
OVER_LANGUAGES = Task(WMT16, "lceval", group="mean")
TRANSLATIONS = Experiment(
    "translations",
    (LCEVAL.table(14),),
    "how metrics for captions do on machine translations",
    "Machine translations, WMT16",
    (
        crossed(
            f"Kendall's tau_b; {LCEVAL.table(14).source}",
            "metric",
            ALL_METRICS,
            [
                Column(group, replace(OVER_LANGUAGES, group=group), (LCEVAL.source,))
                for group in (*LANGUAGES, "mean")
            ],
        ),
        crossed(
            "LCEval by training set, mean over languages",
            "trained against",
            {
                **{in_words(mixture): network("lceval", mixture) for mixture in TRAINED_ON},
                "published": Reported("lceval", (LCEVAL.source,)),
            },
            [Column("tau_b", OVER_LANGUAGES)],
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


TIMES = Experiment(
    "times",
    (LCEVAL.table(12),),
    "how long each feature takes, cold and with the cache of parses",
    "Execution times",
    (measured_by("times", place=LCEVAL.table(12)),),
    (
        "Each metric by itself, from raw captions to scores, in one process, once everything "
        "that is loaded once is loaded; warm: parses of all captions in the cache on disk. "
        "4,000 x 1: captions of PASCAL-50S with one reference, as in the paper (another "
        "machine, Java); 5,000 x 5: a system's captions of COCO images.",
    ),
)
