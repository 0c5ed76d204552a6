"""Build the page of benchmarks from measurements."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks_page.plots import Curve, draw
from captious.io.atomic_files import atomic_write

INTRODUCTION = """# Benchmarks

Speed and memory compared with the programs in common use. What is compared ran in turn on one machine: the ratios are
meaningful, the seconds depend on the machine. [benchmarks/](../benchmarks/README.md) says what each script does;
`make bench-page` measures everything again and writes this page.
"""  # noqa: E501
SCORES_DIFFER = """
Where corpus scores differ by more than rounding, a few captions end in a single letter and a full stop (*a blue sign
with a P.*): whether the toolkit's tokenizer keeps that full stop depends on the next caption ([tokenizer](tokenizer.md))."""  # noqa: E501
TOOLKITS = {"pycocoevalcap": "pycocoevalcap", "captious": "Captious"}
# Headings, and the runs whose tables stand below them.
SECTIONS = {
    "The COCO toolkit's metrics": ("toolkit",),
    "SPICE": ("spice",),
    "BERTScore": ("bertscore", "encoder"),
    "Word mover's distance": ("word-vectors",),
    "Rewards in training": ("reward",),
    "Many systems": ("many-systems",),
    "A million samples in memory": ("one-metric-consensus", "one-metric-captious"),
    "Captions of several sentences": ("sentences",),
    "Very long captions": ("long-captions",),
    "Images": ("images",),
    "Pre-gen metrics and generated captions": ("pregen",),
}
MEASURED_FILE = "measured.json"


@dataclass
class Measurements:
    """Measurements by the name of the run: its tables, and the figures behind them."""

    date: str
    machine: dict[str, str]
    runs: dict[str, Any] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Measurements:
        """Read a file that `write` wrote."""
        return cls(**json.loads(path.read_text(encoding="utf-8")))

    def write(self, path: Path) -> None:
        """Write all measurements, so that the page can be built from them again."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as stream:  # an interrupted run keeps all earlier results
            stream.write((json.dumps(asdict(self), indent=1) + "\n").encode())


def write_page(measured: Measurements, folder: Path) -> Path:
    """Write the page into a folder, its plots and figures into a subfolder; return its path."""
    figures_folder = folder / "benchmarks"
    measured.write(figures_folder / MEASURED_FILE)
    page = folder / "benchmarks.md"
    page.write_text("\n".join(_page_lines(measured, figures_folder)) + "\n", encoding="utf-8")
    return page


def _page_lines(measured: Measurements, plots: Path) -> Iterator[str]:
    yield INTRODUCTION
    yield _summarize(measured.runs["toolkit"]["figures"])
    yield from _size_section(measured.runs, plots)
    for heading, names in SECTIONS.items():
        shown = [measured.runs[name] for name in names if name in measured.runs]
        if shown:
            yield f"\n## {heading}"
        for table in (table for run in shown for table in run["tables"]):
            yield f"\n{table['about']}\n"
            yield from _table(table["header"], table["rows"])
    yield from _scale_section(measured.runs, plots)
    if measured.left_out:
        yield "\n## Not measured\n"
        yield from (f"- {name}: {why}" for name, why in measured.left_out.items())
    yield "\n## Machine and versions\n"
    yield from _table(("", ""), [("measured", measured.date), *measured.machine.items()])


def _summarize(figures: Mapping[str, Any]) -> str:
    """Return the headline: all tasks together, compared with the toolkit."""
    everything = next(task for task in figures["tasks"] if task["task"] == "all")["toolkits"]
    seconds, megabytes = (
        [statistics.median(everything[toolkit][kind]) for toolkit in TOOLKITS]
        for kind in ("whole", "megabytes")
    )
    ratio = seconds[0] / seconds[1]
    return (
        f"Tokenizer, BLEU, ROUGE-L, CIDEr-D and METEOR of {figures['size']:,} captions with five "
        f"references each take pycocoevalcap {seconds[0]:.1f} s and {megabytes[0]:,.0f} MB, "
        f"Captious {seconds[1]:.2f} s and {megabytes[1]:,.0f} MB: **{ratio:.0f} times as fast**, "
        "with the same scores."
    )


def _size_section(runs: Mapping[str, Any], plots: Path) -> Iterator[str]:
    sizes = [runs[name] for name in _runs_in_order_of_size(runs, "toolkit")]
    if not sizes:
        return
    yield "\n## Speed and memory by number of captions\n"
    yield "All five tasks from raw captions, five references each; whole processes, medians.\n"
    rows, seconds, megabytes = [], list[list[float]](), list[list[float]]()
    for run in sizes:
        figures, ratio = run["figures"], run["tables"][0]["rows"][0][-1]
        (task,) = figures["tasks"]
        usages = [task["toolkits"][toolkit] for toolkit in TOOLKITS]
        seconds.append([statistics.median(usage["whole"]) for usage in usages])
        megabytes.append([statistics.median(usage["megabytes"]) for usage in usages])
        theirs, ours = seconds[-1]
        cells = [f"{theirs:.2f}", f"{ours:.2f}", ratio]
        cells += [f"{size:,.0f}" for size in megabytes[-1]]
        rows.append((f"{figures['size']:,}", *cells, f"{task['apart']['pycocoevalcap']:.1g}"))
    header = ["captions", *(f"{name}, s" for name in TOOLKITS.values()), "ratio"]
    header += [f"{name}, MB" for name in TOOLKITS.values()]
    yield from _table([*header, "scores differ by"], rows)
    yield SCORES_DIFFER
    counts = [float(run["figures"]["size"]) for run in sizes]
    for name, quantity, values in (
        ("speed", "seconds", seconds),
        ("memory", "peak memory, MB", megabytes),
    ):
        curves = [
            Curve(toolkit, counts, [pair[place] for pair in values])
            for place, toolkit in enumerate(TOOLKITS.values())
        ]
        title = f"Tokenizer, BLEU, ROUGE-L, CIDEr-D and METEOR: {quantity}"
        draw(plots / f"{name}.svg", title, ("captions, five references each", quantity), curves)
        yield f"\n![{title}](benchmarks/{name}.svg)"


def _scale_section(all_runs: Mapping[str, Any], plots: Path) -> Iterator[str]:
    runs = [
        run
        for name in _runs_in_order_of_size(all_runs, "scale")
        for run in all_runs[name]["figures"]
    ]
    if not runs:
        return
    yield "\n## Scale\n"
    yield "`captious score --stream --metrics captious`: whole commands, peak memory of the largest"
    yield "process. [Streams and clusters](streams.md) has more.\n"
    header = ("rows", "processes", "seconds", "CPU seconds", "µs per row", "peak memory, MB")
    yield from _table(
        header,
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
    for name, quantity, key in (
        ("scale", "seconds", "seconds"),
        ("scale-memory", "peak memory, MB", "megabytes"),
    ):
        curves = []
        for jobs in sorted({run["jobs"] for run in runs}):
            same = [run for run in runs if run["jobs"] == jobs]
            label = f"{jobs} process{'es' * (jobs > 1)}"
            rows = [float(run["rows"]) for run in same]
            curves.append(Curve(label, rows, [run[key] for run in same]))
        title = f"captious score --stream --metrics captious: {quantity}"
        draw(plots / f"{name}.svg", title, ("rows", quantity), curves)
        yield f"\n![{title}](benchmarks/{name}.svg)"


def _runs_in_order_of_size(runs: Mapping[str, Any], prefix: str) -> list[str]:
    """The runs that differ by their size alone, the smallest first."""
    names = [name for name in runs if name.startswith(f"{prefix}-")]
    return sorted(names, key=lambda name: int(name.rpartition("-")[2]))


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(header)} |"
    yield f"| --- |{' ---: |' * (len(header) - 1)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
