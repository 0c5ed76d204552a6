"""One task of one toolkit in a process of its own: prints its seconds and scores as JSON.

Called by the other benchmarks: `python task.py TOOLKIT TASK FILE`. The tasks are `tokenizer` (raw
captions to tokens), a metric's name (tokens to scores), `all` (raw captions to all scores but
SPICE), `spice` and `consensus` (raw captions to these; Captious only, see spice.py). A
task's seconds begin when imports are done and the file is read; all else that it needs to start, a
Java process or tables, counts. The caller measures the whole process.
"""

from __future__ import annotations

import contextlib
import io
import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

METRICS = ("bleu", "rouge_l", "cider_d", "meteor")
HEADLINES = {"bleu": "bleu_4"}  # the column to compare, where it has not its metric's name
Scores = dict[str, float]
Task = Callable[[dict[str, Any]], Scores]


def pycocoevalcap_task(task: str) -> Task:
    """What the toolkit's own evaluation does, without SPICE."""
    from pycocoevalcap.bleu.bleu import Bleu
    from pycocoevalcap.cider.cider import Cider
    from pycocoevalcap.meteor.meteor import Meteor
    from pycocoevalcap.rouge.rouge import Rouge
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    scorers = {"bleu": Bleu, "rouge_l": Rouge, "cider_d": Cider, "meteor": Meteor}

    def tokenize(data: dict[str, Any]) -> dict[str, Any]:
        references = {
            image: [{"caption": caption} for caption in captions]
            for image, captions in enumerate(data["references"])
        }
        candidates = {
            image: [{"caption": caption}] for image, caption in enumerate(data["candidates"])
        }
        tokenizer = PTBTokenizer()
        return {
            "references": tokenizer.tokenize(references),
            "candidates": tokenizer.tokenize(candidates),
        }

    def run(data: dict[str, Any]) -> Scores:
        if task in ("tokenizer", "all"):
            tokens = tokenize(data)
        else:
            tokens = {
                "references": dict(enumerate(data["references"])),
                "candidates": {i: [caption] for i, caption in enumerate(data["candidates"])},
            }
        scores: Scores = {}
        for name in METRICS if task == "all" else [name for name in METRICS if name == task]:
            with contextlib.redirect_stdout(io.StringIO()):
                score, _ = scorers[name]().compute_score(tokens["references"], tokens["candidates"])
            scores[name] = float(score[3] if name == "bleu" else score)
        return scores

    return run


def captious_task(task: str) -> Task:
    """The same with Captious."""
    from captious import score
    from captious.text.tokenizer.tokenizer import tokenize_all

    def run(data: dict[str, Any]) -> Scores:
        if task == "tokenizer":
            tokenize_all([caption for captions in data["references"] for caption in captions])
            tokenize_all(data["candidates"])
            return {}
        metrics = METRICS if task == "all" else (task,)
        tokenizer = "ptb" if task in ("all", "spice", "consensus") else "whitespace"
        result = score(data["candidates"], data["references"], metrics, tokenizer=tokenizer)
        result.samples  # noqa: B018 - the toolkit gives the score of every caption, too
        return {
            metric.name: result.corpus[HEADLINES.get(metric.name, metric.name)]
            for metric in result.metrics
        }

    return run


def peak_megabytes() -> float:
    """The largest resident size of this process or of one that it started (Java)."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    status = Path("/proc/self/status")
    if status.exists():  # on Linux the other figure includes the process that started this one
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        own = int(lines["VmHWM"].split()[0])
    return max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024


def main() -> None:
    """Run one task and print what it took."""
    toolkit, task, path = sys.argv[1:]
    run = {"pycocoevalcap": pycocoevalcap_task, "captious": captious_task}[toolkit](task)
    data = json.loads(Path(path).read_text())
    start = time.perf_counter()
    scores = run(data)
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "megabytes": peak_megabytes(), "scores": scores}))


if __name__ == "__main__":
    main()
