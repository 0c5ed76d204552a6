"""Declarations of metrics: what is known of each one before its module is imported.

A metric's columns, the packages that it requires and whether it needs images are stated here and
nowhere else: its class takes them from its row, by its name.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from captious._internal.similar_names import closest_name

if TYPE_CHECKING:
    from captious.metrics.base import Metric


class MetricDeclaration(NamedTuple):
    """A metric's name, where its class is, its columns, and what it needs."""

    name: str
    class_path: str  # module:class, below captious
    columns: tuple[str, ...]
    requires: tuple[str, ...] = ()  # packages beyond the core's
    needs_images: bool = False  # and so is in no group
    is_learned: bool = False

    @property
    def kind(self) -> type[Metric]:
        """The metric's class, imported when it is first asked for."""
        return import_metric(self.class_path)

    @property
    def is_installed(self) -> bool:
        """Whether all packages that the metric needs are there."""
        return all(importlib.util.find_spec(package) is not None for package in self.requires)


class WeightsFileMetric(NamedTuple):
    """A metric whose address is a file of weights, and how such a file is recognized."""

    array: str  # which only such files have; "" for any other file
    class_path: str
    parameter: str  # takes the file


def import_metric(class_path: str) -> type[Metric]:
    """Import a metric's class from its `module:class`, below captious."""
    module, _, name = class_path.partition(":")
    kind: type[Metric] = getattr(importlib.import_module(f"captious.{module}"), name)
    return kind


class MetricTable(Mapping[str, "type[Metric]"]):
    """Metrics by name; looking one up imports that one's module and no other."""

    def __init__(self, *declarations: MetricDeclaration) -> None:
        self._by_name = {each.name: each for each in declarations}
        self._by_column = {column: each for each in declarations for column in each.columns}

    def __getitem__(self, name: str) -> type[Metric]:
        return self._by_name[name].kind

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    @property
    def declarations(self) -> tuple[MetricDeclaration, ...]:
        """All declarations, in order."""
        return tuple(self._by_name.values())

    def find(self, name: str) -> MetricDeclaration | None:
        """Return the metric of this name, or else the one with a column of this name."""
        return self._by_name.get(name) or self._by_column.get(name)

    def find_by_name(self, name: str) -> MetricDeclaration | None:
        """Return the metric of this name."""
        return self._by_name.get(name)

    def find_by_column(self, column: str) -> MetricDeclaration | None:
        """Return the metric that a column of scores belongs to."""
        return self._by_column.get(column)

    def closest_name(self, name: str, *others: str) -> str | None:
        """Return the name of a metric, a column or of `others` that is most like this one."""
        return closest_name(name, [*self._by_name, *self._by_column, *others])


def _numbered_columns(name: str) -> tuple[str, ...]:
    return tuple(f"{name}_{number}" for number in range(1, 5))


def _part_columns(name: str, *parts: str) -> tuple[str, ...]:
    return (name, *(f"{name}_{part}" for part in parts))


_ENCODER = ("onnxruntime",)

METRICS = MetricTable(
    MetricDeclaration("bleu", "metrics.bleu:Bleu", _numbered_columns("bleu")),
    MetricDeclaration("rouge_l", "metrics.rouge_l:RougeL", ("rouge_l",)),
    MetricDeclaration("meteor", "metrics.meteor:Meteor", ("meteor",)),
    MetricDeclaration("cider", "metrics.cider.cider:Cider", ("cider",)),
    MetricDeclaration("cider_d", "metrics.cider.cider:CiderD", ("cider_d",)),
    MetricDeclaration(
        "spice",
        "metrics.spice:Spice",
        _part_columns("spice", "object", "attribute", "relation", "color", "number", "size"),
    ),
    MetricDeclaration("spider", "metrics.spider:Spider", ("spider",)),
    MetricDeclaration(
        "ngram_precision",
        "metrics.ngram_precision:NgramPrecision",
        _numbered_columns("ngram_precision"),
    ),
    MetricDeclaration(
        "unigram_recall", "metrics.ngram_precision:UnigramRecall", ("unigram_recall",)
    ),
    MetricDeclaration("wmd", "metrics.wmd:Wmd", ("wmd",)),
    MetricDeclaration("mowe", "metrics.mowe:Mowe", ("mowe",)),
    MetricDeclaration("hwcm", "metrics.hwcm:Hwcm", _numbered_columns("hwcm")),
    MetricDeclaration("hwcm_dep", "metrics.hwcm:HwcmDep", _numbered_columns("hwcm_dep")),
    MetricDeclaration(
        "bertscore",
        "metrics.bertscore.bertscore:BertScore",
        _part_columns("bertscore", "precision", "recall"),
        _ENCODER,
    ),
    MetricDeclaration(
        "bertscore_multiref",
        "metrics.bertscore.multiref:BertScoreMultiref",
        ("bertscore_multiref",),
        _ENCODER,
    ),
    MetricDeclaration(
        "unigram_multiref", "metrics.unigram_multiref:UnigramMultiref", ("unigram_multiref",)
    ),
    MetricDeclaration("consensus", "metrics.consensus.consensus:Consensus", ("consensus",)),
    MetricDeclaration(
        "support", "metrics.consensus.support:Support", ("support_recall", "support_precision")
    ),
    MetricDeclaration("scarcity", "metrics.consensus.support:Scarcity", ("scarcity",)),
    MetricDeclaration(
        "encoder_consensus",
        "metrics.consensus.encoder_consensus:EncoderConsensus",
        ("encoder_consensus",),
        _ENCODER,
    ),
    MetricDeclaration("form", "metrics.form:Form", ("form",)),
    MetricDeclaration(
        "hallucination",
        "metrics.hallucination.hallucination:Hallucination",
        _part_columns("hallucination", "object", "attribute", "relation"),
    ),
    MetricDeclaration("chair", "metrics.chair:Chair", ("chair_i", "chair_s")),
    MetricDeclaration(
        "clipscore", "metrics.clipscore:ClipScore", ("clipscore", "refclipscore"), needs_images=True
    ),
    MetricDeclaration("nneval", "metrics.learned.published:NnEval", ("nneval",), is_learned=True),
    MetricDeclaration("lceval", "metrics.learned.published:LcEval", ("lceval",), is_learned=True),
    MetricDeclaration("leic", "metrics.leic.leic:Leic", ("leic",), is_learned=True),
    MetricDeclaration(
        "captious", "metrics.learned.captious:Captious", ("captious",), is_learned=True
    ),
    MetricDeclaration(
        "captious_full",
        "metrics.learned.captious:CaptiousFull",
        ("captious_full",),
        _ENCODER,
        is_learned=True,
    ),
    MetricDeclaration(
        "captious_image",
        "metrics.learned.captious_image:CaptiousImage",
        ("captious_image", "captious_image_alone"),
        needs_images=True,
        is_learned=True,
    ),
    MetricDeclaration(
        "captious_image_full",
        "metrics.learned.captious_image:CaptiousImageFull",
        ("captious_image_full", "captious_image_full_alone"),
        _ENCODER,
        needs_images=True,
        is_learned=True,
    ),
)

# Metrics that are files of weights, the first whose array a file has.
WEIGHTS_FILE_METRICS = (
    WeightsFileMetric("space_words", "metrics.learned.captious:DomainCaptious", "weights"),
    WeightsFileMetric("factor", "metrics.learned.metric:LearnedMetric", "weights"),
    WeightsFileMetric("", "metrics.leic.leic:Leic", "critic"),
)

# LCEval's groups of features, by column.
FEATURE_GROUPS: dict[str, tuple[str, ...]] = {
    "lexical": (
        *_numbered_columns("ngram_precision"),
        *("unigram_recall", "rouge_l", "meteor", "cider"),
    ),
    "semantic": ("wmd", "spice", "mowe"),
    "syntactic": ("hwcm_2", "hwcm_3", "hwcm_4", "hwcm_dep_2", "hwcm_dep_3"),
}
# Groups take what is installed; the rest is left out with a note. Where a metric has a column of
# its own name, a group means that column alone (`spice`, no categories).
GROUPS: dict[str, tuple[str, ...]] = {
    "coco": ("bleu", "rouge_l", "meteor", "cider_d", "spice"),
    **FEATURE_GROUPS,
    "learned": tuple(
        each.name for each in METRICS.declarations if each.is_learned and not each.needs_images
    ),
    "all": tuple(
        column for each in METRICS.declarations if not each.needs_images for column in each.columns
    ),
}
