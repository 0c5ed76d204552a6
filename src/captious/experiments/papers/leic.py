"""What LEIC's paper reports: critics that see the image, trained on Flickr8k here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from captious.critic.recipe import BOTH, CONTEXTS, FUSIONS, MLP
from captious.experiments.declaration import (
    Cell,
    Experiment,
    Grid,
    Ours,
    Published,
    Scored,
    Seeing,
    Task,
    TrainedCritic,
    Worsened,
)
from captious.experiments.papers.rows import CLASSICAL, LEARNED, LEIC
from captious.text.transformations import TRANSFORMATIONS

if TYPE_CHECKING:
    from captious.experiments.result import Measured, Table
    from captious.experiments.workbench.bench import Workbench

AUGMENTATION = {"with augmentation": "everything", "without": "machines"}


def _word_frequencies(bench: Workbench) -> Measured:
    from captious.experiments.procedures.word_frequencies import word_frequencies

    return word_frequencies(bench)


WORD_FREQUENCIES = Experiment(
    "word-frequencies",
    (LEIC.figure(4),),
    "how often people and captioners use their common and their rare words",
    "Word frequencies of people and captioners",
    (_word_frequencies,),
    (
        "These are the captions that critics of the other experiments learn from. Everyone has "
        "one caption of each image, so that counts of different words can be compared; the "
        "distance is half the sum of all differences of relative frequencies, 0 where words "
        "are used alike and 1 where none is shared. What two captions of people differ by is "
        "in the second row (people has every image's next caption there).",
    ),
    trains=True,
    draws=True,
)

# Context, fusion and augmentation; the paper varies context and fusion with augmentation only.
CAPABLE = tuple(
    (context, fusion, label)
    for label in AUGMENTATION
    for context in CONTEXTS
    for fusion in FUSIONS
    if context == BOTH or label != "without"
)


def _capability(bench: Workbench) -> Measured:
    from captious.experiments.procedures.capability import capability

    critics = {row: TrainedCritic(row[0], row[1], AUGMENTATION[row[2]]) for row in CAPABLE}
    return capability(bench, critics, LEIC.at("equation", 10))


def _whose_captions(bench: Workbench, _: tuple[Table, ...]) -> str:
    from captious.experiments.workbench.critics import Critics

    return (
        f"Machines are those that the critics learnt from, {', '.join(Critics(bench).captioners)}, "
        "of images that neither they nor the critics were trained on (both stopped by them). "
        "With augmentation: machines' captions, captions drawn by chance, and people's made "
        "worse by the three transformations, in the shares of the critics that ship, and their "
        "contexts to be found among others; without: machines' alone. The paper's figure has "
        "bars and no numbers."
    )


CAPABILITY = Experiment(
    "capability",
    (LEIC.figure(5), LEIC.at("equation", 10)),
    "whether critics tell people's captions from machines', by context and fusion",
    "How well critics tell people's captions from machines'",
    (_capability,),
    (
        "Performance is what equation 10 makes of people's and of machines' best captions, "
        "each half of it: the mean of the scores of the former and of 1 less those of the "
        "latter. Captions drawn by chance (sampled) and people's captions of other images are "
        "no part of it. A person's caption is scored beside the others of its image, all else "
        "beside all of them. In the plot, critics that tell captions apart are at the top "
        "left.",
        _whose_captions,
    ),
    trains=True,
    draws=True,
)

# Captions made worse: critics by fusion, and one of them beside metrics that ship.
WORSE = dict(
    zip(
        TRANSFORMATIONS,
        ("captions of other images", "words permuted", "words replaced"),
        strict=True,
    )
)
CRITICS: dict[str, Scored] = {
    f"critic, {fusion}, {label}": TrainedCritic(BOTH, fusion, against)
    for label, against in AUGMENTATION.items()
    for fusion in FUSIONS
}
SHIPPED: dict[str, Scored] = {
    **{
        name: name
        for name in ("bleu_4", "meteor", "rouge_l", "cider_d", "spice", "lceval", "captious")
    },
    **{name: Seeing(name) for name in ("captious_image", "leic")},
}


def _beside_shipped() -> dict[str, Scored]:
    chosen = f"critic, {MLP}, {next(iter(AUGMENTATION))}"
    return {chosen: CRITICS[chosen], **SHIPPED}


def _areas(title: str, scored: dict[str, Scored]) -> Grid:
    groups = (*TRANSFORMATIONS, "average", "worst")
    return Grid(
        title,
        ("metric", *(WORSE.get(group, group) for group in groups)),
        tuple(
            (name, *(Ours(each, Worsened("pathological", "auc", group)) for group in groups))
            for name, each in scored.items()
        ),
    )


def _curves(bench: Workbench) -> Measured:
    """All curves, each panel one transformation: of critics, then of metrics."""
    from captious.experiments.procedures.decay import decay_panels

    every = {"critics": CRITICS, "metrics": _beside_shipped()}
    return decay_panels(bench, every, WORSE)


CRITIC_ROBUSTNESS = Experiment(
    "critic-robustness",
    (LEIC.figure(6),),
    "how scores of critics and of other metrics fall as captions are made worse",
    "How scores fall as captions are made worse",
    (
        _areas("Area under the curve, critics of image and reference", CRITICS),
        lambda _: _areas("Area under the curve, beside other metrics", _beside_shipped()),
        _curves,
    ),
    (
        "A point is the mean score of all captions of the test images of Flickr8k made worse "
        "with that strength, over the mean score of the captions as they were; the area is "
        "taken over strengths from 0 to 1, and stands after each name in the plot. Lower is "
        "more robust. Each caption is scored beside the four others of its image, as "
        "`captious robustness` does.",
        "The paper draws the linear and the MLP's critic, and says that compact bilinear "
        "pooling is like the latter. It measures on COCO, where its critics learnt from COCO.",
    ),
    trains=True,
    draws=True,
)

# Correlation on Flickr8k: the statistic of each benchmark that published figures stand beside.
PROTOCOL = "leic"
BENCHMARKS = {
    "flickr8k-expert": ("Expert", "kendall_c"),
    "flickr8k-cf": ("Crowd Flower", "kendall_b"),
}
STATISTICS = {"kendall_c": "tau_c", "kendall_b": "tau_b"}
PAPERS_OWN = f"critic, {BOTH}, against other images"
UNSEEING: dict[str, Scored] = {
    name: name for name in ("bleu_1", "bleu_2", "bleu_3", *CLASSICAL[1:], *LEARNED, "captious")
}
SEEING: dict[str, Scored] = {
    "captious_image": Seeing("captious_image"),
    "leic": Seeing("leic"),
    "leic, reference alone": Seeing("leic_reference"),
}


def _on_flickr8k(bench: Workbench) -> Grid:
    """Hand-made metrics, what ships, and critics by context and by what they learnt from."""
    critics: dict[str, Scored] = {
        f"critic, {context}, against {against}": TrainedCritic(context, MLP, against)
        for against in ("other images", *(("everything",) if bench.captioners else ()))
        for context in CONTEXTS
    }
    # The paper's critic is one that was trained here, and not the one that ships.
    known = {name: name for name in UNSEEING} | {PAPERS_OWN: "leic"}
    source = LEIC.table(1).source
    rows = []
    for name, scored in {**UNSEEING, **SEEING, **critics}.items():
        cells: list[Cell] = [name]
        for benchmark, (_, papers) in BENCHMARKS.items():
            for statistic in STATISTICS:
                task = Task(benchmark, PROTOCOL, statistic)
                cells.append(Ours(scored, task))
                if statistic == papers:
                    cells.append(Published(known.get(name, ""), task, (source,)))
        rows.append(tuple(cells))
    header = ["metric"]
    for label, papers in BENCHMARKS.values():
        for statistic, shown in STATISTICS.items():
            header += [f"{label}: {shown}", *(["published"] if statistic == papers else [])]
    return Grid(
        "Kendall's tau, {0:,} pairs of Expert, {1:,} pairs of Crowd Flower; published: "
        f"{source}",
        tuple(header),
        tuple(rows),
    )


def _protocols(_: Workbench, __: tuple[Table, ...]) -> str:
    """The paper's protocols, and whether they are the usual ones."""
    from captious.meta.presets import STANDARD, preset

    def choices(name: str, benchmark: str) -> dict[str, object]:
        return {**vars(preset(name, benchmark)), "name": "", "remark": ""}

    differs = [
        label
        for benchmark, (label, _) in BENCHMARKS.items()
        if choices(PROTOCOL, benchmark) != choices(STANDARD, benchmark)
    ]
    usual = (
        f"This is not the standard protocol for {' and '.join(differs)}."
        if differs
        else "Both are the standard protocols of `captious meta`."
    )
    return (
        "Expert: ratings flattened, pairs with an own caption dropped, tau_c as in SPICE's "
        "paper, which this one follows. Crowd Flower: the share of raters who said yes, all "
        f"pairs, tau_b. {usual} The paper does not say which tau; its Expert figures "
        "of BLEU, ROUGE-L, METEOR and CIDEr fit no rule that was tried."
    )


def _left_out(bench: Workbench, _: tuple[Table, ...]) -> str:
    from captious.experiments.workbench.critics import WITHOUT_CAPTIONERS

    without = f"Critics against everything are left out: {WITHOUT_CAPTIONERS}."
    return "" if bench.captioners else without


IMAGE_CORRELATION = Experiment(
    "image-correlation",
    (LEIC.table(1),),
    "how critics that see the image correlate with people on Flickr8k",
    "Correlation with people on Flickr8k, with critics that see the image",
    (_on_flickr8k,),
    (
        _protocols,
        "For this table the paper's critic learns from people's captions of other images "
        "alone; its context and fusion are not said, and its figures stand beside "
        f"`{PAPERS_OWN}`. `everything` adds machines' captions, "
        "captions drawn by chance, the other transformations, and the second task of the "
        f"critics that ship. All critics here have {MLP} fusion and Flickr8k's training "
        "images; none was trained on judgements, nor its epoch chosen by them.",
        _left_out,
    ),
    trains=True,
)

FOLD_METRICS = ("cider_d", "meteor", "spice")


def _two_folds(bench: Workbench) -> Measured:
    from captious.experiments.procedures.two_folds import two_folds

    return two_folds(bench, FOLD_METRICS)


TWO_FOLDS = Experiment(
    "two-folds",
    (LEIC.at("section", "3.5"),),
    "how captioners score by critics trained against their own captions",
    "Systems judged by critics of their own",
    (_two_folds,),
    (
        f"As in {LEIC.source}, section 3.5: the images are split in halves, a critic of image "
        "and reference learns from one half to tell the system's captions, and people's made "
        "worse, from people's, and scores the other half; then the other way round. A higher "
        "score is of a system whose captions are taken for people's more often. People's own "
        "captions are scored by the same critics. The systems are the runs of Tanti et al. "
        "(2018), whose captions nobody has judged: the paper's correlation with people is not "
        "to be had here.",
    ),
    trains=True,
    draws=True,
)
