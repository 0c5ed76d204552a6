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


def sample_captions(folder: Path, system: str, size: int) -> dict[str, list[Any]]:
    """A system's captions of some val2014 images, five references each, raw and as tokens."""
    from captious.text.tokenizer import tokenize

    results = folder / "systems_val2014" / f"{system}.json.gz"
    captions = folder / "captions_val2014.json.gz"
    for path in (results, captions):
        if not path.exists():
            sys.exit(f"{path}: not there; name the folder of COCO captions with --data")
    references: dict[int, list[str]] = {}
    for annotation in json.loads(gzip.decompress(captions.read_bytes()))["annotations"]:
        references.setdefault(annotation["image_id"], []).append(annotation["caption"])
    rows = json.loads(gzip.decompress(results.read_bytes()))[:size]
    data = {
        "candidates": [row["caption"].replace("\n", " ") for row in rows],
        "references": [
            [caption.replace("\n", " ") for caption in references[row["image_id"]][:5]]
            for row in rows
        ],
    }
    data["candidate_tokens"] = [" ".join(tokenize(caption)) for caption in data["candidates"]]
    data["reference_tokens"] = [
        [" ".join(tokenize(caption)) for caption in captions] for captions in data["references"]
    ]
    return data


def run(toolkit: str, task: str, path: Path) -> dict[str, Any]:
    """One fresh process: its task's seconds, all its seconds, and its peak memory."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, HERE / "task.py", toolkit, task, path], stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    answer = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{toolkit} {task} failed")
    return {**json.loads(answer), "whole": time.perf_counter() - start, "usage": usage}


def peak_megabytes(measured: dict[str, Any]) -> float:
    """The largest resident size of any one process of the task, a Java process included."""
    usage: resource.struct_rusage = measured["usage"]
    return usage.ru_maxrss / 1024


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=HERE.parent.parent / "shared/data/coco")
    parser.add_argument("--system", default="vinyals2017")
    parser.add_argument("--size", type=int, default=5000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--tasks", default=",".join(TASKS))
    options = parser.parse_args()

    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "captions.json"
        path.write_text(json.dumps(sample_captions(options.data, options.system, options.size)))
        for task in options.tasks.split(","):
            taken: dict[str, list[dict[str, Any]]] = {toolkit: [] for toolkit in TOOLKITS}
            for _ in range(options.repeats):
                for toolkit in TOOLKITS:
                    taken[toolkit].append(run(toolkit, task, path))
            rows.append(_row(task, taken))
    print(f"{options.size} captions of {options.system} x 5 references, {options.repeats} repeats")
    print(f"{os.cpu_count()} cores; seconds are medians of fresh processes\n")
    header = ["task", "pycocoevalcap", "captious", "ratio", "whole process", "captious", "ratio"]
    print(tabulate(rows, [*header, "pycocoevalcap MB", "captious MB", "scores differ by"]))


def _row(task: str, taken: dict[str, list[dict[str, Any]]]) -> list[str]:
    cells = [task]
    for what in ("seconds", "whole"):
        theirs, ours = (
            statistics.median(run[what] for run in taken[toolkit]) for toolkit in TOOLKITS
        )
        cells += [f"{theirs:.2f}", f"{ours:.3f}", f"{theirs / ours:.1f}"]
    cells += [f"{max(map(peak_megabytes, taken[toolkit])):.0f}" for toolkit in TOOLKITS]
    theirs_scores, ours_scores = (taken[toolkit][0]["scores"] for toolkit in TOOLKITS)
    apart = [abs(theirs_scores[name] - ours_scores[name]) for name in theirs_scores]
    return [*cells, f"{max(apart):.1e}" if apart else "-"]


if __name__ == "__main__":
    main()
