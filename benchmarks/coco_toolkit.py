"""Captious against the toolkits in use: the same captions, in turn, each task in fresh processes.

The peers are pycocoevalcap and aac-metrics, whichever is installed (extras `bench` and `peers`).
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import json
import os
import statistics
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from processes import run_fresh
from tables import Table, add_json_option, median_and_range, ratio_and_range, show
from task import TOOLKITS

HERE = Path(__file__).resolve().parent
TASKS = ("tokenizer", "bleu", "rouge_l", "cider_d", "meteor", "all")
OURS = "captious"
NAMES = {"pycocoevalcap": "pycocoevalcap", "aac_metrics": "aac-metrics", "captious": "Captious"}
# Its checks refuse Java later than 13, on which its Java programs run all the same.
FLAGS = {"aac_metrics": ["-O"]}
TASK_NAMES = {
    "tokenizer": "tokenizer",
    "bleu": "BLEU",
    "rouge_l": "ROUGE-L",
    "cider_d": "CIDEr-D",
    "meteor": "METEOR",
    "all": "all five, from raw captions",
}
# What is measured of a run, and what a table says of it.
KINDS = {
    "whole": "Seconds of the whole process, start-up and imports included (least and most)",
    "seconds": "Seconds of the task alone, imports done and captions read (Java and tables count)",
    "cpu": "CPU seconds of all processes and threads together",
    "megabytes": "Peak memory of the largest process, MB",
}

Captions = dict[str, list[Any]]


def add_sample_options(parser: argparse.ArgumentParser, size: int = 5000, repeats: int = 3) -> None:
    """Which captions are scored, and how often."""
    data = HERE.parent.parent / "shared/data/coco"
    parser.add_argument("--data", type=Path, default=data, help="the folder of COCO captions")
    parser.add_argument("--system", default="vinyals2017", help="whose captions")
    parser.add_argument("--size", type=int, default=size, help="how many")
    parser.add_argument("--repeats", type=int, default=repeats, help="processes each")


def sample_captions(folder: Path, system: str, size: int) -> Captions:
    """A system's captions of some val2014 images, with five references each."""
    results = folder / "systems_val2014" / f"{system}.json.gz"
    captions = folder / "captions_val2014.json.gz"
    for path in (results, captions):
        if not path.exists():
            sys.exit(f"{path}: not there; name the folder of COCO captions with --data")
    references: dict[int, list[str]] = {}
    for annotation in json.loads(gzip.decompress(captions.read_bytes()))["annotations"]:
        references.setdefault(annotation["image_id"], []).append(annotation["caption"])
    rows = json.loads(gzip.decompress(results.read_bytes()))[:size]
    return {
        "candidates": [_join_lines(row["caption"]) for row in rows],
        "references": [list(map(_join_lines, references[row["image_id"]][:5])) for row in rows],
    }


def tokenize_captions(captions: Captions) -> Captions:
    """The same captions as tokens with spaces between."""
    from captious.text.tokenizer.tokenizer import tokenize

    def tokens(caption: str) -> str:
        return " ".join(tokenize(caption))

    return {
        "candidates": list(map(tokens, captions["candidates"])),
        "references": [list(map(tokens, several)) for several in captions["references"]],
    }


def _join_lines(caption: str) -> str:
    # A line end inside a caption shifts all later captions in the toolkit's tokenizer.
    return " ".join(caption.splitlines())


def run_task(toolkit: str, task: str, path: Path) -> dict[str, Any]:
    """One task of one toolkit in a fresh process, with modules compiled as `pip` does."""
    # Compiled once, in a folder of this benchmark's own, whatever the caller's settings are.
    compiled = {
        "PYTHONPYCACHEPREFIX": str(path.parent / "bytecode"),
        "PYTHONDONTWRITEBYTECODE": "",
    }
    flags = FLAGS.get(toolkit, ())
    return run_fresh([*flags, HERE / "task.py", toolkit, task, path], compiled)


def main() -> None:
    """Measure, and print tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_sample_options(parser, repeats=5)
    parser.add_argument("--tasks", nargs="+", default=TASKS, choices=TASKS)
    parser.add_argument(
        "--peers",
        nargs="+",
        default=[name for name in TOOLKITS if name != OURS and importlib.util.find_spec(name)],
        choices=[name for name in TOOLKITS if name != OURS],
    )
    add_json_option(parser)
    options = parser.parse_args()

    toolkits = [*options.peers, OURS]
    measured = []
    with tempfile.TemporaryDirectory() as folder:
        raw, tokens = Path(folder) / "raw.json", Path(folder) / "tokens.json"
        captions = sample_captions(options.data, options.system, options.size)
        raw.write_text(json.dumps(captions))
        tokens.write_text(json.dumps(tokenize_captions(captions)))
        for task in options.tasks:
            path = raw if task in ("tokenizer", "all") else tokens
            taken: dict[str, list[dict[str, Any]]] = {toolkit: [] for toolkit in toolkits}
            for toolkit in toolkits:
                # Modules are compiled and files read from the disk once.
                run_task(toolkit, task, path)
            for _ in range(options.repeats):
                for toolkit in toolkits:
                    taken[toolkit].append(run_task(toolkit, task, path))
            measured.append(_summarize(task, taken))
    size = len(captions["candidates"])
    tables = [_table(f"{what}.", measured, kind) for kind, what in KINDS.items()]
    if options.peers:
        tables.append(_differences(measured))
    about = (
        f"{size:,} captions of {options.system} with five references each, {os.cpu_count()} cores;"
        f" medians of {options.repeats} fresh processes each, in turn."
    )
    if "aac_metrics" in options.peers:
        about += " aac-metrics imports PyTorch and runs the Java programs of pycocoevalcap."
    tables[0] = replace(tables[0], about=f"{about} {tables[0].about}")
    show(tables, options.json, {"size": size, "tasks": measured})


def _summarize(task: str, taken: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Return each toolkit's measurements, fastest first, and the differences of corpus scores."""
    ours = taken[OURS][0]["scores"]
    return {
        "task": task,
        "toolkits": {
            toolkit: {kind: sorted(run[kind] for run in runs) for kind in KINDS}
            for toolkit, runs in taken.items()
        },
        "apart": {
            toolkit: max(abs(runs[0]["scores"][name] - score) for name, score in ours.items())
            for toolkit, runs in taken.items()
            if toolkit != OURS and ours
        },
    }


def _table(about: str, measured: list[dict[str, Any]], kind: str) -> Table:
    """One kind of figure, a row for each task, and how many times ours the peers' are."""
    toolkits = list(measured[0]["toolkits"])
    peers = toolkits[:-1]
    times = [f"{NAMES[peer]} / {NAMES[OURS]}" for peer in peers]
    decimals = 0 if kind == "megabytes" else 2
    rows = []
    for each in measured:
        values = [each["toolkits"][toolkit][kind] for toolkit in toolkits]
        medians = list(map(statistics.median, values))
        cells = [
            median_and_range(several if kind == "whole" else [median], decimals)
            for several, median in zip(values, medians, strict=True)
        ]
        ratios = [ratio_and_range(several, values[-1]) for several in values[:-1]]
        rows.append([TASK_NAMES[each["task"]], *cells, *ratios])
    return Table(about, ["task", *map(NAMES.__getitem__, toolkits), *times], rows)


def _differences(measured: list[dict[str, Any]]) -> Table:
    """How far the peers' corpus scores are from ours."""
    compared = [each for each in measured if each["apart"]]
    peers = list(measured[0]["toolkits"])[:-1]
    rows = [
        [TASK_NAMES[each["task"]], *(f"{each['apart'][peer]:.1g}" for peer in peers)]
        for each in compared
    ]
    about = "How far the corpus scores of Captious are from those of the others, at most."
    return Table(about, ["task", *map(NAMES.__getitem__, peers)], rows)


if __name__ == "__main__":
    main()
