"""Correlation with people on Flickr8k of critics that see the image: LEIC's table 1."""

from __future__ import annotations

from captious.arrays.ragged import FloatArray
from captious.critic.leic import Leic
from captious.critic.recipe import BOTH, CONTEXTS, MLP
from captious.experiments.critic_recipes import AUGMENTED, LEIC_PAPER, OTHER_IMAGES
from captious.experiments.critics import WITHOUT_CAPTIONERS, Critics
from captious.experiments.experiment import Experiment
from captious.experiments.figures import CLASSICAL, LEARNED, figure
from captious.experiments.judged_scores import scores
from captious.experiments.result import Cell, Finding, Table
from captious.experiments.sighted_scores import Sighted, sighted_scores
from captious.experiments.workbench import Workbench
from captious.learned.captious_image import CaptiousImage
from captious.meta.presets import STANDARD, preset
from captious.resources import LEARNED as WEIGHTS

PROTOCOL, SOURCE = "leic", f"{LEIC_PAPER}, table 1"
BENCHMARKS = {"flickr8k-expert": "Expert", "flickr8k-cf": "Crowd Flower"}
STATISTICS = {"kendall_c": "tau_c", "kendall_b": "tau_b"}
METRICS = ("bleu_1", "bleu_2", "bleu_3", *CLASSICAL[1:], *LEARNED, "captious")
AGAINST = {"other images": OTHER_IMAGES, "everything": AUGMENTED}
PAPERS_OWN = f"critic, {BOTH}, against other images"
SHIPPED_CRITICS = {"leic": "leic", "leic, reference alone": "leic_reference"}  # files by name


def image_correlation(bench: Workbench) -> Finding:
    """Hand-made metrics, what ships, and critics by context and by what they learnt from."""
    critics = _critics(bench)
    found: dict[str, list[Cell]] = {}
    header = ["metric"]
    for benchmark, label in BENCHMARKS.items():
        columns = scores(bench, METRICS, benchmark, PROTOCOL)
        columns |= sighted_scores(bench, CaptiousImage, benchmark, PROTOCOL)
        for name, sighted in critics.items():
            columns[name] = _only(sighted_scores(bench, sighted, benchmark, PROTOCOL))
        first = preset(PROTOCOL, benchmark).statistic
        for row in bench.agreement(columns, benchmark, PROTOCOL):
            known = "leic" if row.metric == PAPERS_OWN else row.metric
            said = None if row.metric == "leic" else figure(benchmark, first, known, SOURCE)
            cells = found.setdefault(row.metric, [row.metric])
            for statistic in STATISTICS:
                cells.append(row.values[statistic])
                if statistic == first:
                    cells.append(said)
        for statistic, shown in STATISTICS.items():
            header += [f"{label}: {shown}", *(["published"] if statistic == first else [])]
    return Finding(
        "image-correlation",
        "Correlation with people on Flickr8k, with critics that see the image",
        (
            Table.of(
                f"Kendall's tau, {_count(bench)}; published: {SOURCE}",
                header,
                list(found.values()),
            ),
        ),
        notes=(
            "Expert: ratings flattened, pairs with an own caption dropped, tau_c as in SPICE's "
            "paper, which this one follows. Crowd Flower: the share of raters who said yes, all "
            f"pairs, tau_b. {_as_standard()} The paper does not say which tau; its Expert figures "
            "of BLEU, ROUGE-L, METEOR and CIDEr fit no rule that was tried.",
            "For this table the paper's critic learns from people's captions of other images "
            "alone; its context and fusion are not said, and its figures stand beside "
            f"`{PAPERS_OWN}`. `everything` adds machines' captions, "
            "captions drawn by chance, the other transformations, and the second task of the "
            f"critics that ship. All critics here have {MLP} fusion and Flickr8k's training "
            "images; none was trained on judgements, nor its epoch chosen by them.",
            *(
                ()
                if bench.captioners
                else (f"Critics against everything are left out: {WITHOUT_CAPTIONERS}.",)
            ),
        ),
    )


def _critics(bench: Workbench) -> dict[str, Sighted]:
    """Critics by name, those that ship first; the others are trained where they are not kept."""
    critics = Critics(bench)
    found: dict[str, Sighted] = {}
    for name, file in SHIPPED_CRITICS.items():
        weights = WEIGHTS / f"{file}.npz"
        found[name] = lambda crop, *_, path=weights: Leic(crop, critic=path)
    for label, against in AGAINST.items():
        if against is AUGMENTED and bench.captioners is None:
            continue
        for context in CONTEXTS:
            trained = critics.trained(against.recipe(context, MLP))
            found[f"critic, {context}, against {label}"] = lambda crop, *_, own=trained: own.metric(
                crop
            )
    return found


def _only(columns: dict[str, FloatArray]) -> FloatArray:
    (scores_of_one,) = columns.values()
    return scores_of_one


def _count(bench: Workbench) -> str:
    """How many pairs each benchmark has."""
    return ", ".join(
        f"{len(bench.judged(benchmark, PROTOCOL)[0]):,} pairs of {label}"
        for benchmark, label in BENCHMARKS.items()
    )


def _as_standard() -> str:
    """Whether the paper's protocol is the usual one."""
    differs = [
        label
        for benchmark, label in BENCHMARKS.items()
        if _choices(PROTOCOL, benchmark) != _choices(STANDARD, benchmark)
    ]
    if differs:
        return f"This is not the standard protocol for {' and '.join(differs)}."
    return "Both are the standard protocols of `captious meta`."


def _choices(name: str, benchmark: str) -> dict[str, object]:
    return {**vars(preset(name, benchmark)), "name": "", "remark": ""}


IMAGE_CORRELATION = Experiment(
    "image-correlation",
    "LEIC table 1",
    "how critics that see the image correlate with people on Flickr8k",
    image_correlation,
    trains=True,
)
