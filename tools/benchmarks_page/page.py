"""The page itself, made of what was measured."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks_page.plots import Curve, draw

INTRODUCTION = """# Benchmarks

Speed and memory beside the programs that people use today. Both were run on one machine, alternately, in fresh
processes with start-up included; figures are medians. `make bench-page` measures them again and writes this page;
[what each script does](../benchmarks/README.md).
"""  # noqa: E501
TOOLKITS = {"pycocoevalcap": "pycocoevalcap", "captious": "Captious"}
NAMES = {
    "tokenizer": "tokenizer",
    "bleu": "BLEU",
    "rouge_l": "ROUGE-L",
    "cider_d": "CIDEr-D",
    "meteor": "METEOR",
    "all": "all, from raw captions",
}
# What a script prints is shown as it is: the heading, and the runs that belong to it.
PRINTED = {
    "SPICE": ("spice",),
    "Word mover's distance, beside POT": ("word-vectors",),
    "As a reward in training": ("reward",),
    "Many systems": ("many-systems",),
    "A million samples in memory": ("one-metric-consensus", "one-metric-captious"),
    "Very long captions": ("long-captions",),
    "Images": ("images",),
    "Pre-gen metrics beside writing captions": ("pregen",),
}


@dataclass
class Measured:
    """All that was measured, by the name of the run: what it printed, and its figures."""

    date: str
    machine: dict[str, str]
    printed: dict[str, str] = field(default_factory=dict)
    figures: dict[str, Any] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)


def write_page(measured: Measured, folder: Path) -> Path:
    """The page and its plots, in a folder."""
    plots = folder / "benchmarks"
    plots.mkdir(parents=True, exist_ok=True)
    page = folder / "benchmarks.md"
    page.write_text("\n".join(_lines(measured, plots)) + "\n", encoding="utf-8")
    return page


def _lines(measured: Measured, plots: Path) -> Iterator[str]:
    yield INTRODUCTION
    yield from _table(("", ""), [("measured", measured.date), *measured.machine.items()])
    yield from _toolkit(measured.figures["toolkit"])
    yield from _by_size(measured, plots)
    yield from _scale(measured, plots)
    for heading, names in PRINTED.items():
        texts = [measured.printed[name] for name in names if name in measured.printed]
        if texts:
            yield f"\n## {heading}\n"
            yield "```text\n" + "\n\n".join(text.strip() for text in texts) + "\n```"
    if measured.left_out:
        yield "\n## Left out\n"
        yield from (f"- {name}: {why}" for name, why in measured.left_out.items())


def _toolkit(figures: Mapping[str, Any]) -> Iterator[str]:
    yield f"\n## Beside pycocoevalcap, {figures['size']:,} captions with five references each\n"
    rows = []
    for row in figures["tasks"]:
        theirs, ours = (row[toolkit]["whole"] for toolkit in TOOLKITS)
        ratio = statistics.median(theirs) / statistics.median(ours)
        sizes = [f"{statistics.median(row[each]['megabytes']):,.0f}" for each in TOOLKITS]
        apart = "" if row["apart"] is None else f"{row['apart']:.0e}"
        seconds = _range(theirs), _range(ours), f"{ratio:.1f}"
        rows.append((NAMES[row["task"]], *seconds, *sizes, apart))
    heads = ("task", "pycocoevalcap, s", "Captious, s", "ratio", "its MB", "our MB")
    yield from _table((*heads, "scores differ by"), rows)
    yield "\nSeconds of whole processes: the median, with the least and the most."


def _by_size(measured: Measured, plots: Path) -> Iterator[str]:
    sizes = [measured.figures[name] for name in _numbered(measured.figures, "toolkit")]
    if not sizes:
        return
    yield "\n## By number of captions\n"
    rows, seconds, megabytes = [], list[list[float]](), list[list[float]]()
    for each in sizes:
        (row,) = each["tasks"]
        seconds.append([statistics.median(row[toolkit]["whole"]) for toolkit in TOOLKITS])
        megabytes.append([statistics.median(row[toolkit]["megabytes"]) for toolkit in TOOLKITS])
        theirs, ours = seconds[-1]
        cells = [f"{theirs:.2f}", f"{ours:.2f}", f"{theirs / ours:.1f}"]
        rows.append((f"{each['size']:,}", *cells, *(f"{size:,.0f}" for size in megabytes[-1])))
    heads = ("captions", "pycocoevalcap, s", "Captious, s", "ratio", "its MB", "our MB")
    yield from _table(heads, rows)
    counts = [float(each["size"]) for each in sizes]
    for name, what, values in (
        ("speed", "seconds", seconds),
        ("memory", "MB of the largest process", megabytes),
    ):
        curves = [
            Curve(toolkit, counts, [pair[place] for pair in values])
            for place, toolkit in enumerate(TOOLKITS.values())
        ]
        title = f"Tokenizer, BLEU, ROUGE-L, CIDEr-D and METEOR: {what}"
        draw(plots / f"{name}.svg", title, ("captions, each with five references", what), curves)
        yield f"\n![{title}](benchmarks/{name}.svg)"


def _scale(measured: Measured, plots: Path) -> Iterator[str]:
    runs = [row for name in _numbered(measured.figures, "scale") for row in measured.figures[name]]
    if not runs:
        return
    yield "\n## Captions without end: `captious score --stream`\n"
    heads = ("rows", "processes", "seconds", "processor seconds", "µs a row", "MB a process")
    yield from _table(
        heads,
        [
            (
                f"{run['rows']:,}",
                str(run["jobs"]),
                f"{run['seconds']:.1f}",
                f"{run['cpu']:.1f}",
                f"{1e6 * run['seconds'] / run['rows']:.0f}",
                f"{run['megabytes']:,.0f}",
            )
            for run in runs
        ],
    )
    for name, what, key in (
        ("scale", "seconds", "seconds"),
        ("scale-memory", "MB of the largest process", "megabytes"),
    ):
        curves = []
        for jobs in sorted({run["jobs"] for run in runs}):
            same = [run for run in runs if run["jobs"] == jobs]
            label = f"{jobs} process{'es' * (jobs > 1)}"
            rows = [float(run["rows"]) for run in same]
            curves.append(Curve(label, rows, [run[key] for run in same]))
        title = f"captious score --stream --metrics captious: {what}"
        draw(plots / f"{name}.svg", title, ("rows", what), curves)
        yield f"\n![{title}](benchmarks/{name}.svg)"


def _numbered(figures: Iterable[str], prefix: str) -> list[str]:
    """The runs that differ by their size alone, the smallest first."""
    names = [name for name in figures if name.startswith(f"{prefix}-")]
    return sorted(names, key=lambda name: int(name.rpartition("-")[2]))


def _range(values: list[float]) -> str:
    return f"{statistics.median(values):.2f} ({values[0]:.2f} to {values[-1]:.2f})"


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
