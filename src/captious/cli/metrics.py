"""captious metrics: what there is, and all of one metric."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass
from pathlib import Path
from typing import Any

from captious.cli.terminal import show
from captious.diagnostics.diversity.diversity import MEASURES
from captious.diagnostics.diversity.self_cider import SelfCider
from captious.errors import InputError
from captious.io.output_tables import FORMATS, OutputTable, TabularResult
from captious.metrics.base import Metric
from captious.metrics.declarations import GROUPS, METRICS
from captious.metrics.image_objects import DETECTOR
from captious.metrics.names import DIVERSITY, normalize_name
from captious.metrics.parameters import VARIANT, Parameter, Parameterized
from captious.registry import find_metric
from captious.signature import Address

DESCRIPTION = """List all metrics or those of a group, or describe one: its columns and their range,
what it needs, which languages it scores, its parameters and variants, and commands to copy."""
EXAMPLES = """examples:
  captious metrics
  captious metrics coco
  captious metrics cider_d
  captious score captions.jsonl --metrics "cider_d(sigma=4),mine.npz,mine.py:overlap"
"""
EVERYTHING = "all"  # the group that every metric is in that needs no images
CLIP = "openai/clip-vit-base-patch32"  # the one that CLIPScore's authors took
IMAGES = "images (--images; files need captious[image])"
ANY, ENGLISH, UNLESS_GIVEN = "any", "English", "English*"  # languages, in the list
PACKAGES = {"onnxruntime": "ONNX Runtime: pip install 'captious[encoder]'"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="a metric, a column or a group")


def run(options: argparse.Namespace) -> None:
    """Print the list of metrics, or everything about one."""
    result: TabularResult
    if options.name is None or options.name in GROUPS:
        result = Metrics(options.name)
    elif normalize_name(options.name) == DIVERSITY:
        result = WholeCaptionMeasures()
    else:
        result = OneMetric(find_metric(Address.parse(options.name)), options.name)
    show(result.to_text(options.format))


@dataclass(frozen=True, repr=False)
class Metrics(TabularResult):
    """Table of all metrics, or of those of a group."""

    group: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """One object a metric."""
        every = map(_describe, METRICS.values())
        return {"metrics": [row for row in every if self.group in (None, *row["groups"])]}

    def as_tables(self) -> list[OutputTable]:
        """One row a metric."""
        rows = []
        for metric in self.to_dict()["metrics"]:
            groups = [name for name in metric["groups"] if name != EVERYTHING]
            cells = [metric["metric"], _format_range(metric["range"]), ", ".join(groups) or "-"]
            rows.append([*cells, _language_cell(metric), metric["description"]])
        header = ["metric", "range", "groups", "language", "what it is"]
        return [OutputTable(header, rows, len(header), wraps=1)]

    def notes_below(self) -> list[str]:
        """What the star means, and a group that has no metrics."""
        lines = []
        if any(row["english_unless"] for row in self.to_dict()["metrics"]):
            lines.append(
                f"{UNLESS_GIVEN}: other languages need a parameter (see captious metrics NAME)"
            )
        if self.group is None:
            lines.append(
                f"{DIVERSITY}: a group of measures of a system's captions as a whole "
                f"(captious metrics {DIVERSITY})"
            )
        return lines


@dataclass(frozen=True, repr=False)
class WholeCaptionMeasures(TabularResult):
    """The group `diversity`: measures of a system's captions as a whole."""

    formats_with_notes = FORMATS

    def to_dict(self) -> dict[str, Any]:
        """Its measures and parameters."""
        return {
            "group": DIVERSITY,
            "measures": [{"measure": name, "description": MEASURES[name]} for name in MEASURES],
            "parameters": _parameters(SelfCider),
            "examples": [
                f"captious score captions.jsonl --metrics {DIVERSITY}",
                f"captious score a.json b.json --references c.json --metrics coco,{DIVERSITY}",
                f'captious score a.json --repeated --metrics "{DIVERSITY}(variant=released)"',
                "captious compare a.csv b.csv --diversity --training captions_train2014.json",
            ],
        }

    def records(self) -> list[dict[str, Any]]:
        """One row a measure."""
        rows: list[dict[str, Any]] = self.to_dict()["measures"]
        return rows

    def notes_above(self) -> list[str]:
        """What it is."""
        return [
            f"{DIVERSITY}: what a system's captions are like as a whole, in a table below scores"
        ]

    def as_tables(self) -> list[OutputTable]:
        """The measures; the parameters, which are self-CIDEr's."""
        measures = OutputTable(
            ["measure", "what it is"], [list(row) for row in MEASURES.items()], 2
        )
        return [measures, _parameter_table(_parameters(SelfCider))]

    def notes_below(self) -> list[str]:
        """Commands to copy."""
        return ["examples:", *(f"  {example}" for example in self.to_dict()["examples"])]


def _can_construct(kind: type[Metric], **values: str) -> bool:
    try:
        kind(**values)
    except InputError:
        return False
    return True


@dataclass(frozen=True, repr=False)
class OneMetric(TabularResult):
    """Everything about one metric, under its own name or a column's."""

    formats_with_notes = FORMATS
    metric: Metric | type[Metric]
    asked: str

    @property
    def parameters(self) -> list[Parameter]:
        """What it takes."""
        return list(self.metric.parameters().values())

    def _takes(self, name: str) -> bool:
        return name in self.metric.parameters()

    @property
    def examples(self) -> list[str]:
        """Commands to copy."""
        detects = self._takes("objects")  # only then does it look at images
        sees = self._takes("images") and (not detects or f"objects={DETECTOR}" in self.asked)
        images = " --images photos/" if sees else ""
        clip = f" --clip {CLIP}" if self._takes("clip") else ""
        score = f"captious score captions.jsonl{images}{clip} --metrics"
        if "(" in self.asked:
            return [f'{score} "{self.asked}"']
        examples = [f"{score} {self.asked}"]
        for parameter in self.parameters:
            if parameter.name == "df":
                examples.append(f"{score} {self.asked} --df coco-val2014")
            elif parameter.choices:
                other = next(each for each in parameter.choices if each != parameter.default)
                if self._stands_alone(parameter.name, other):
                    examples.append(f'{score} "{self.asked}({parameter.name}={other})"')
        if detects:
            seen = "captious score captions.jsonl --images photos/ --metrics"
            examples.append(f'{seen} "{self.asked}(objects={DETECTOR})"')
        return examples

    def _stands_alone(self, name: str, value: str) -> bool:
        """Whether a value asks for no other parameter: it can be given if the metric can be."""
        kind = self.metric if isinstance(self.metric, type) else type(self.metric)
        return _can_construct(kind, **{name: value}) or not _can_construct(kind)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON has it."""
        parameters = _parameters(self.metric)
        return {**_describe(self.metric), "parameters": parameters, "examples": self.examples}

    def notes_above(self) -> list[str]:
        """What it is."""
        return [f"{self.metric.name}: {self.metric.description}"]

    def as_tables(self) -> list[OutputTable]:
        """What it gives and needs; its parameters."""
        known = self.to_dict()
        rows = [
            ["columns", ", ".join(known["columns"])],
            *_range_rows(self.metric),
            ["groups", ", ".join(known["groups"]) or "none"],
            ["needs", ", ".join(known["needs"]) or "candidates and references, no more"],
            ["languages", _describe_languages(self.metric)],
        ]
        variants = self.metric.parameters().get(VARIANT)
        if variants is not None:
            rows.append(
                [VARIANT, f"{', '.join(variants.choices)}; unless named, {variants.default}"]
            )
        tables = [OutputTable(["what", "value"], rows, 2, wraps=1)]
        if known["parameters"]:
            tables.append(_parameter_table(known["parameters"]))
        return tables

    def notes_below(self) -> list[str]:
        """Commands to copy."""
        return ["examples:", *(f"  {example}" for example in self.examples)]


def _parameters(of: Parameterized | type[Parameterized]) -> list[dict[str, Any]]:
    return [
        {
            "parameter": parameter.name,
            "default": _format_default(parameter.default),
            "allowed": parameter.allowed,
            "description": parameter.what,
        }
        for parameter in of.parameters().values()
    ]


def _parameter_table(parameters: Sequence[Mapping[str, Any]]) -> OutputTable:
    header = ["parameter", "default", "what it may be", "what it is"]
    cells = [[str(cell) for cell in row.values()] for row in parameters]
    return OutputTable(header, cells, len(header), wraps=2)


def _describe(metric: Metric | type[Metric]) -> dict[str, Any]:
    images = [IMAGES] if metric.needs_images else []
    return {
        "metric": metric.name,
        "columns": list(metric.columns),
        "range": list(metric.bounds),
        "options": list(metric.parameters()),
        "groups": [
            group
            for group, names in GROUPS.items()
            if not {metric.name, *metric.columns}.isdisjoint(names)
        ],
        "english": _english_part(metric),
        "english_unless": list(metric.language_free_with),
        "needs": [*images, *(PACKAGES.get(package, package) for package in metric.requires)],
        "description": metric.description,
    }


def _format_default(value: Any) -> Any:
    """Return a default as it is written; a shipped file by its name alone."""
    if value is MISSING:
        return "must be given"
    return value.stem if isinstance(value, Path) else value


def _english_part(metric: Metric | type[Metric]) -> str:
    return metric.english_part() if isinstance(metric, Metric) else metric.english


def _describe_languages(metric: Metric | type[Metric]) -> str:
    """Say which languages a metric scores, which part is English only, and what replaces it."""
    if isinstance(metric, Metric) and (learned := metric.domain_language()) is not None:
        return f"{learned}, of which its domain was learned"
    part, given = _english_part(metric), metric.language_free_arguments()
    if not part:
        return ANY
    return f"{ENGLISH} only ({part}){f'; others with {given}' if given else ''}"


def _language_cell(known: Mapping[str, Any]) -> str:
    if not known["english"]:
        return ANY
    return UNLESS_GIVEN if known["english_unless"] else ENGLISH


def _range_rows(metric: Metric | type[Metric]) -> list[list[str]]:
    """Return one row for all columns, or one for each where ranges differ."""
    ranges = {name: _format_range(metric.bounds_of(name)) for name in metric.columns}
    if len(set(ranges.values())) == 1:
        return [["range", next(iter(ranges.values()))]]
    return [[f"range of {name}", text] for name, text in ranges.items()]


def _format_range(bounds: Any) -> str:
    low, high = bounds
    return f"{low:.3g} to {high:.3g}"
