"""What NNEval's paper reports, all of it beside LCEval's: correlation, preferences, robustness."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from captious.experiments.declaration import (
    Cell,
    Experiment,
    Grid,
    Ours,
    Over,
    Published,
    Row,
    Task,
    Worsened,
    in_words,
)
from captious.experiments.papers.rows import (
    ALL_METRICS,
    CATEGORIES,
    CHOSEN,
    CLASSICAL,
    COMPOSITE,
    LCEVAL,
    LEARNED,
    MACHINE,
    NNEVAL,
    OTHER,
    PASCAL,
    Column,
    by_correlation,
    crossed,
    network,
)

if TYPE_CHECKING:
    from captious.experiments.result import Table
    from captious.experiments.workbench.bench import Workbench

PROTOCOLS = {"nneval": NNEVAL.table(1), "lceval": LCEVAL.table(4)}
EQUAL = 4  # references: what a person's caption has once its own is dropped
DRAWS = (0, 1, 2, 3, 4)
DISTRACTIONS = (
    "replace_person",
    "replace_scene",
    "share_person",
    "share_scene",
    "just_person",
    "just_scene",
)
GAMES = ("repeated_clause", "reference_words", "cut_off")
METRICS = (*CLASSICAL, *LEARNED)


def _spice_lost(_: Workbench, tables: tuple[Table, ...]) -> str:
    """What SPICE loses in Kendall's tau with equal references, under each protocol."""
    spice = [next(row for row in table.rows if row[0] == "spice") for table in tables]
    before, after = (spice[0][1], spice[1][1]), (spice[2][1], spice[2][4])
    lost = [float(x or 0) - float(y or 0) for x, y in zip(before, after, strict=True)]
    return (
        "Once its own caption is dropped, a person's caption has four references and a "
        "machine's five. SPICE, whose recall falls with every reference, profits from that: "
        f"with four for every caption (last table) it loses {lost[0]:.3f} and {lost[1]:.3f}, "
        "and LCEval is ahead of every hand-made metric. Which captions to train on so that it "
        "is ahead in any case is the experiment training-sets."
    )


CORRELATION = Experiment(
    "correlation",
    tuple(PROTOCOLS.values()),
    "how metrics correlate with people on Composite, caption by caption",
    "Caption-level correlation on Composite",
    (
        *(
            crossed(
                f"{place.paper.name}'s protocol ({{0:,}} captions; {place.source})",
                "metric",
                METRICS,
                by_correlation(Task(COMPOSITE, protocol), place.source),
            )
            for protocol, place in PROTOCOLS.items()
        ),
        crossed(
            f"The same protocols with {EQUAL} references, drawn at random, for every caption",
            "metric",
            METRICS,
            [
                column
                for protocol, place in PROTOCOLS.items()
                for column in by_correlation(
                    Task(COMPOSITE, protocol, references=EQUAL), before=f"{place.paper.name}'s: "
                )
            ],
        ),
    ),
    (
        _spice_lost,
        "NNEval's paper has 11,214 captions and LCEval's 7,996, by rules that cannot be "
        "recovered; Kendall is tau_b. Published CIDEr is CIDEr-D.",
    ),
)


def _preferred(group: str, seed: int | None = None) -> Task:
    return Task(PASCAL, "lceval", "accuracy", group, seed=seed)


def _over_draws(bench: Workbench) -> Grid:
    """The lowest and the highest accuracy over several draws of five references."""
    seeds = DRAWS[:2] if bench.quick else DRAWS
    groups = ("HC", "MM", "mean")
    rows: list[Row] = []
    for metric in CLASSICAL:
        cells: list[Cell] = []
        for group in groups:
            draws = tuple(Ours(metric, _preferred(group, seed)) for seed in seeds)
            known = Published(metric, _preferred(group), (LCEVAL.source,))
            cells += [Over(draws, "min"), Over(draws, "max"), known]
        rows.append((metric, *cells))
    header = [name for group in groups for name in (f"{group}: lowest", "highest", "published")]
    title = f"Accuracy in % over {len(seeds)} draws of references"
    return Grid(title, ("metric", *header), tuple(rows), percent=True)


PAIRS = Experiment(
    "pairs",
    (NNEVAL.table(2), LCEVAL.table(7)),
    "which of two captions people prefer on PASCAL-50S, by category",
    "Accuracy on PASCAL-50S by category",
    (
        crossed(
            f"Accuracy in %, published: {LCEVAL.table(7).source}; last column: "
            f"{NNEVAL.table(2).source}",
            "metric",
            ALL_METRICS,
            [
                *(Column(group, _preferred(group), (LCEVAL.source,)) for group in CATEGORIES),
                Column("NNEval's mean", _preferred("mean"), (NNEVAL.source,), ours=False),
            ],
            percent=True,
        ),
        _over_draws,
    ),
    (
        "HC: two people's captions of the image; HI: one of them of another image; HM: a "
        "person's and a machine's; MM: two machines'. Labels of 11 votes, five references "
        "of 50 at random; the papers' draw is unknown, and other draws (second table) give "
        "other figures. They do not explain all: published CIDEr-D and SPICE are above every "
        "draw in MM. Groups of features were trained against "
        f"{in_words(CHOSEN)}; `nneval` and `lceval` are those that ship.",
    ),
    trains=True,
)


def _worsened(kind: str, tasks: tuple[str, ...], *sources: str) -> list[Column]:
    """A column for each task, their average, which papers call a mean, and the worst case."""
    return [
        Column(
            task.replace("_", " "),
            Worsened(kind, group=task),
            sources,
            known=Worsened(kind, group="mean" if task == "average" else task),
        )
        for task in (*tasks, "average", "worst")
    ]


def _distracted() -> Grid:
    """Six forced choices, and how many of each there are."""
    columns = _worsened("distractions", DISTRACTIONS, NNEVAL.source, LCEVAL.source)
    grid = crossed(
        f"Accuracy in %, a tie one half; published: {NNEVAL.table(3).source}, and "
        f"{LCEVAL.table(9).source}",
        "metric",
        ALL_METRICS,
        columns,
        percent=True,
    )
    counts = [Ours(CLASSICAL[0], replace(column.task, statistic="n")) for column in columns]
    choices = ("choices", *(cell for count in counts for cell in (count, None)))
    return replace(grid, rows=(*grid.rows, choices))


DISTRACTED = Experiment(
    "distractions",
    (NNEVAL.table(3), LCEVAL.table(9)),
    "whether metrics notice a wrong person or place, with the worst case",
    "Distraction tasks with the worst case",
    (
        _distracted(),
        crossed(
            "Accuracy in % by training set",
            ("metric", "trained against"),
            {
                (kind, in_words(mixture)): network(kind, mixture)
                for kind in LEARNED
                for mixture in ({OTHER: 1}, CHOSEN, MACHINE)
            },
            _worsened("distractions", DISTRACTIONS),
            percent=True,
        ),
    ),
    (
        "The papers take the 23,977 pairs of Hodosh and Hockenmaier (2016), which are not to "
        "be had; ours are made by rule from the 1,000 test images of Flickr8k "
        "(docs/robustness.md), each against the four other captions.",
        "`nneval` and `lceval` are those that ship. What learned metrics notice depends on "
        "what they were trained against (second table): with captions of other images alone "
        "they are the most robust on average.",
    ),
    trains=True,
)

GAMED = Experiment(
    "gaming",
    (NNEVAL.at("section", "3.4"),),
    "whether metrics fall for captions made to flatter them",
    "Captions that game a metric",
    (
        crossed(
            "How often the human caption scores higher, in %, a tie one half",
            "metric",
            ALL_METRICS,
            _worsened("gaming", GAMES),
            percent=True,
        ),
    ),
    (
        f"{NNEVAL.source}, section 3.4, argues that a composition of metrics resists systems "
        "that game one of them, and reports no figures. Captions are made as in "
        "docs/robustness.md.",
    ),
    trains=True,
)
