"""The number of references, with max, mean and min over them: LCEval's figures 10 and 11."""

from __future__ import annotations

from dataclasses import replace

from captious.arrays.ragged import FloatArray
from captious.experiments.experiment import Experiment
from captious.experiments.figures import LCEVAL_PAPER, figure
from captious.experiments.mixtures import CHOSEN
from captious.experiments.result import Cell, Finding, Panel, Table
from captious.experiments.workbench import Workbench, described
from captious.learned.feature_sets import LCEVAL, NNEVAL, POOLED_COLUMNS
from captious.learned.features import FeatureSet
from captious.meta.presets import preset
from captious.training.learned_metrics.recipe import LCEVAL_RECIPE

PASCAL = "pascal-50s"
COUNTS, QUICK_COUNTS = (1, 2, 3, 5, 8, 12, 20, 30, 50), (1, 5)
POOLS = ("max", "mean", "min")
SHOWN = {"mean": "all categories", "HC": "HC, two people's captions"}
CLASSICAL = ("bleu_1", "bleu_4", "rouge_l", "meteor", "cider_d", "spice", "wmd")
_ALONE = FeatureSet("alone", tuple(f for f in (*NNEVAL.features, *LCEVAL.features[5:6])))


def by_number(bench: Workbench) -> Finding:
    """Accuracy on PASCAL-50S with one to fifty references."""
    counts = QUICK_COUNTS if bench.quick else COUNTS
    trained = {
        pool: bench.trained(LCEVAL.pooled_by(pool, POOLED_COLUMNS), LCEVAL_RECIPE, CHOSEN)
        for pool in POOLS
    }
    found: dict[str, dict[int, dict[str, float]]] = {}
    for count in counts:
        protocol = replace(preset("lceval", PASCAL), references=count)
        options = {"all_references": True}
        columns: dict[str, FloatArray] = {
            f"lceval {pool}": one.model.scores(
                bench.features(one.model.feature_set, PASCAL, protocol, **options)
            )
            for pool, one in trained.items()
        }
        alone = bench.features(_ALONE, PASCAL, protocol, **options)
        for name in CLASSICAL:
            columns[name] = alone[:, _ALONE.columns.index(name)]
        columns["spider"] = (columns["cider_d"] + columns["spice"]) / 2
        for row in bench.agreement(columns, PASCAL, protocol, **options):
            found.setdefault(row.metric, {})[count] = dict(row.values)
    tables = []
    panels = []
    for group, label in SHOWN.items():
        rows: list[list[Cell]] = [
            [name, *(100 * by_count[count][group] for count in counts)]
            for name, by_count in found.items()
        ]
        said = [_published(group, count) for count in counts]
        rows.insert(0, ["lceval, published", *said])
        tables.append(
            Table.of(f"Accuracy in %, {label}", ["references", *map(str, counts)], rows, digits=1)
        )
        panels.append(
            Panel(
                label,
                "references",
                "accuracy",
                {
                    name: tuple((float(c), by_count[c][group]) for c in counts)
                    for name, by_count in found.items()
                },
            )
        )
    return Finding(
        "references",
        "Number of references, and max, mean and min over them",
        tuple(tables),
        tuple(panels),
        (
            "As in the paper, accuracy with max rises to about a dozen references and falls "
            "beyond; with mean it keeps what it has.",
            f"Published: {LCEVAL_PAPER}, section 5.5 (the figures themselves have no numbers). "
            f"Each LCEval was trained against {described(CHOSEN)} with features pooled as the "
            "paper's appendix A.2 has them: n-gram precision, unigram recall, MOWE and HWCM by "
            "max, mean or min over references, all others as they are. CIDEr-D takes the document "
            "frequencies that ship.",
        ),
    )


def _published(group: str, count: int) -> float | None:
    plural = "reference" if count == 1 else "references"
    value = figure(PASCAL, "accuracy", "lceval", LCEVAL_PAPER, f"{group}, {count} {plural}")
    return None if value is None else 100 * value


REFERENCES = Experiment(
    "references",
    "LCEval figures 10 and 11",
    "accuracy by number of references, with max, mean and min over them",
    by_number,
    trains=True,
    draws=True,
)
