"""Captious against pycocoevalcap: the same captions, alternately, each task in fresh processes."""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tabulate import tabulate

HERE = Path(__file__).resolve().parent
TASKS = ("tokenizer", "bleu", "rouge_l", "cider_d", "meteor", "all")
TOOLKITS = ("pycocoevalcap", "captious")


Captions = dict[str, list[Any]]


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
        "candidates": [_one_line(row["caption"]) for row in rows],
        "references": [list(map(_one_line, references[row["image_id"]][:5])) for row in rows],
    }


def tokenized(captions: Captions) -> Captions:
    """The same captions as tokens with spaces between."""
    from captious.text.tokenizer.tokenizer import tokenize

    def tokens(caption: str) -> str:
        return " ".join(tokenize(caption))

    return {
        "candidates": list(map(tokens, captions["candidates"])),
        "references": [list(map(tokens, several)) for several in captions["references"]],
    }


def _one_line(caption: str) -> str:
    # A line end inside a caption shifts all later captions in the toolkit's tokenizer.
    return " ".join(caption.splitlines())


def run(toolkit: str, task: str, path: Path) -> dict[str, Any]:
    """One fresh process: what the task reports, and the seconds of the whole process.

    Those of both processors together are `cpu`, with those of the processes that it started.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, HERE / "task.py", toolkit, task, path],
        capture_output=True,
        check=False,
        env=_as_installed(path.parent),
    )
    whole = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{toolkit} {task} failed:\n{done.stderr.decode()}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {**json.loads(done.stdout), "whole": whole, "cpu": cpu}


def _as_installed(folder: Path) -> dict[str, str]:
    """An environment in which modules are compiled once, as those of an installed package are."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=HERE.parent.parent / "shared/data/coco")
    parser.add_argument("--system", default="vinyals2017")
    parser.add_argument("--size", type=int, default=5000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--tasks", default=",".join(TASKS))
    parser.add_argument("--json", type=Path, help="write there what was measured, too")
    options = parser.parse_args()

    measured = []
    with tempfile.TemporaryDirectory() as folder:
        raw, tokens = Path(folder) / "raw.json", Path(folder) / "tokens.json"
        captions = sample_captions(options.data, options.system, options.size)
        raw.write_text(json.dumps(captions))
        tokens.write_text(json.dumps(tokenized(captions)))
        for task in options.tasks.split(","):
            path = raw if task in ("tokenizer", "all") else tokens
            taken: dict[str, list[dict[str, Any]]] = {toolkit: [] for toolkit in TOOLKITS}
            for toolkit in TOOLKITS:
                run(toolkit, task, path)  # modules are compiled and files read from the disk once
            for _ in range(options.repeats):
                for toolkit in TOOLKITS:
                    taken[toolkit].append(run(toolkit, task, path))
            measured.append(_measured(task, taken))
    print(f"{options.size} captions of {options.system} x 5 references, {os.cpu_count()} cores")
    print(f"medians of {options.repeats} fresh processes, run alternately: seconds of the task")
    print("(imports done; Java and tables included), of the whole process, and its peak memory\n")
    header = ["task", "toolkit", "captious", "ratio", "whole: toolkit", "captious", "ratio"]
    header += ["MB: toolkit", "captious", "scores differ by"]
    print(tabulate(map(_row, measured), header))
    print("\nthe spread: seconds of the whole process and of all its processors together\n")
    header = ["task", "", "least", "median", "most", "processors: least", "median", "most"]
    print(tabulate([_spread(row, toolkit) for row in measured for toolkit in TOOLKITS], header))
    if options.json:
        options.json.write_text(json.dumps({"size": options.size, "tasks": measured}))


def _measured(task: str, taken: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """What each toolkit took, least first, and how far their scores are apart."""
    kinds = ("seconds", "whole", "cpu", "megabytes")
    theirs, ours = (taken[toolkit][0]["scores"] for toolkit in TOOLKITS)
    return {
        "task": task,
        **{
            toolkit: {kind: sorted(run[kind] for run in taken[toolkit]) for kind in kinds}
            for toolkit in TOOLKITS
        },
        "apart": max((abs(theirs[name] - ours[name]) for name in theirs), default=None),
    }


def _spread(row: dict[str, Any], toolkit: str) -> list[str]:
    cells = [row["task"], toolkit]
    for kind in ("whole", "cpu"):
        seconds = row[toolkit][kind]
        cells += [f"{each:.3f}" for each in (seconds[0], statistics.median(seconds), seconds[-1])]
    return cells


def _row(row: dict[str, Any]) -> list[str]:
    def medians(kind: str) -> list[float]:
        return [statistics.median(row[toolkit][kind]) for toolkit in TOOLKITS]

    cells = [row["task"]]
    for kind in ("seconds", "whole"):
        theirs, ours = medians(kind)
        cells += [f"{theirs:.2f}", f"{ours:.3f}", f"{theirs / ours:.1f}"]
    cells += [f"{megabytes:.0f}" for megabytes in medians("megabytes")]
    return [*cells, "-" if row["apart"] is None else f"{row['apart']:.1e}"]


if __name__ == "__main__":
    main()
