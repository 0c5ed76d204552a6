"""WMD against POT called pair by pair, and WMD and MOWE from raw text, each in fresh processes.

Both sides begin with raw text and read the same vectors from disk; POT is given the words that
Captious finds. `words found` are the seconds of distances, transport and scores alone.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from coco_toolkit import add_sample_options, sample_captions
from processes import run_fresh
from tables import Table, add_json_option, ratio_and_range, show
from task import peak_megabytes

TASKS = {"pot": "WMD by POT, pair by pair", "wmd": "`wmd`", "mowe": "`mowe`"}


def score_metric(task: str, data: dict[str, Any]) -> dict[str, Any]:
    """A metric from raw text."""
    from captious import score
    from captious.metrics.mowe import Mowe
    from captious.metrics.wmd import Wmd

    start = time.perf_counter()
    metric = {"wmd": Wmd, "mowe": Mowe}[task]()
    result = score(data["candidates"], data["references"], [metric], cache=False)
    result.samples  # noqa: B018 - every caption's score is wanted, too
    seconds = time.perf_counter() - start
    samples = read_samples(data)
    prepared = metric.prepare(samples.references)
    content_words(samples.candidates, prepared)
    start = time.perf_counter()
    metric.statistics(samples, prepared)
    ready = time.perf_counter() - start
    return {"seconds": seconds, "ready": ready, "score": result.corpus[task]}


def read_samples(data: dict[str, Any]) -> Any:
    """The samples that a metric reads."""
    import numpy as np

    from captious._internal.arrays.ragged import offsets_of
    from captious.samples import References, Samples

    captions = [caption for several in data["references"] for caption in several]
    lengths = np.array([len(several) for several in data["references"]])
    references = References(captions, offsets_of(lengths))
    return Samples(data["candidates"], np.arange(len(references)), references)


def content_words(analysis: Any, table: Any) -> Any:
    """An analysis's content words."""
    from captious.text.vectors.word_vectors import ContentWords

    return ContentWords.of(analysis, table)


def score_with_pot(data: dict[str, Any]) -> dict[str, Any]:
    """WMD by POT, one pair after the other."""
    import numpy as np
    import ot

    from captious.text.vectors.word_vectors import WordVectors

    def ready(analysis: Any) -> list[tuple[Any, Any]]:
        content = content_words(analysis, table)
        units = content.vectors / np.sqrt((content.vectors**2).sum(axis=1, keepdims=True))
        words, ends = content.words.values, content.words.offsets
        return [
            (content.counts[a:b] / max(content.counts[a:b].sum(), 1), units[words[a:b]])
            for a, b in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
        ]

    start = time.perf_counter()
    table = WordVectors.load()
    samples = read_samples(data)
    candidates, references = ready(samples.candidates), ready(samples.references.analysis)
    offsets = samples.pairs.offsets.tolist()
    middle = time.perf_counter()
    scores = []
    for sample, row in enumerate(samples.rows.tolist()):
        best = 0.0
        share, vectors = candidates[row]
        for pair in samples.pairs.values[offsets[sample] : offsets[sample + 1]].tolist():
            other_share, others = references[pair]
            if len(share) and len(other_share):
                # POT's distances are rounded: it finds equal words some 1e-8 apart.
                costs = ot.dist(vectors, others, metric="euclidean")
                best = max(best, float(np.exp(-ot.emd2(share, other_share, costs))))
        scores.append(best)
    end = time.perf_counter()
    return {"seconds": end - start, "ready": end - middle, "score": statistics.fmean(scores)}


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add_sample_options(parser)
    add_json_option(parser)
    parser.add_argument("--task", choices=TASKS, help=argparse.SUPPRESS)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.task:
        data = json.loads(options.file.read_text())
        taken = score_with_pot(data) if options.task == "pot" else score_metric(options.task, data)
        print(json.dumps({**taken, "megabytes": peak_megabytes()}))
        return

    runs: dict[str, list[dict[str, Any]]] = {task: [] for task in TASKS}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "captions.json"
        path.write_text(json.dumps(sample_captions(options.data, options.system, options.size)))
        for _ in range(options.repeats):
            for task in TASKS:
                runs[task].append(run_fresh([__file__, "--task", task, "--file", path]))
    medians = {
        task: {what: statistics.median(taken[what] for taken in several) for what in several[0]}
        for task, several in runs.items()
    }
    rows = [
        [
            TASKS[task],
            f"{taken['seconds']:.2f}",
            f"{taken['ready']:.3f}",
            f"{taken['megabytes']:,.0f}",
            f"{taken['score']:.4f}",
        ]
        for task, taken in medians.items()
    ]
    pot, wmd = medians["pot"], medians["wmd"]

    def times(task: str, kind: str) -> list[float]:
        return [run[kind] for run in runs[task]]

    seconds, ready = (
        ratio_and_range(times("pot", kind), times("wmd", kind), decimals)
        for kind, decimals in (("seconds", 1), ("ready", 0))
    )
    about = (
        f"{options.size:,} captions of {options.system} with five references each,"
        f" {os.cpu_count()} cores; medians of {options.repeats} fresh processes, in turn, imports"
        f" not counted. POT takes {seconds} times as long as `wmd` from"
        f" raw text, and {ready} times for distances, transport and"
        f" scores alone; mean scores differ by {abs(pot['score'] - wmd['score']):.1g}."
    )
    header = ["", "from raw text, s", "words found, s", "peak memory, MB", "mean score"]
    show([Table(about, header, rows)], options.json, medians)


if __name__ == "__main__":
    main()
