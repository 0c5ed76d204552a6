"""One task of one toolkit in a process of its own: prints its seconds and scores as JSON.

Called by the other benchmarks: `python task.py TOOLKIT TASK FILE`. The tasks are `tokenizer` (raw
captions to tokens), a metric's name (tokens to scores), `all` (raw captions to all scores but
SPICE), `spice` and `consensus` (raw captions to these; Captious only, see spice.py). A
task's seconds begin when imports are done and the file is read; all else that it needs to start, a
Java process or tables, counts. The caller measures the whole process.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

METRICS = ("bleu", "rouge_l", "cider_d", "meteor")
HEADLINES = {"bleu": "bleu_4"}  # the column to compare, where it has not its metric's name
Captions = dict[str, list[Any]]
Scores = dict[str, float]
Task = Callable[[Captions], Scores]
Scorer = Callable[[list[str], list[list[str]]], float]


def pycocoevalcap_task(task: str) -> Task:
    """What the toolkit's own evaluation does, without SPICE."""
    from pycocoevalcap.bleu.bleu import Bleu
    from pycocoevalcap.cider.cider import Cider
    from pycocoevalcap.meteor.meteor import Meteor
    from pycocoevalcap.rouge.rouge import Rouge
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    def tokenize(data: Captions) -> Captions:
        references = {
            image: [{"caption": caption} for caption in captions]
            for image, captions in enumerate(data["references"])
        }
        candidates = {
            image: [{"caption": caption}] for image, caption in enumerate(data["candidates"])
        }
        tokenizer = PTBTokenizer()
        return {
            "references": list(tokenizer.tokenize(references).values()),
            "candidates": [caption for (caption,) in tokenizer.tokenize(candidates).values()],
        }

    def scorer(kind: Any) -> Scorer:
        def score(candidates: list[str], references: list[list[str]]) -> float:
            mine = {image: [caption] for image, caption in enumerate(candidates)}
            found, _ = kind().compute_score(dict(enumerate(references)), mine)
            return float(found[3] if kind is Bleu else found)

        return score

    kinds = {"bleu": Bleu, "rouge_l": Rouge, "cider_d": Cider, "meteor": Meteor}
    return _run_steps(task, tokenize, {name: scorer(kind) for name, kind in kinds.items()})


def aac_metrics_task(task: str) -> Task:
    """The same with aac-metrics, which is given the Java programs that pycocoevalcap brings."""
    from aac_metrics.functional.bleu import bleu_4
    from aac_metrics.functional.cider_d import cider_d
    from aac_metrics.functional.meteor import meteor
    from aac_metrics.functional.rouge_l import rouge_l
    from aac_metrics.utils.tokenization import preprocess_mono_sents, preprocess_mult_sents

    jars = _folder_of_jars()

    def tokenize(data: Captions) -> Captions:
        return {
            "references": preprocess_mult_sents(data["references"], cache_path=jars.name),
            "candidates": preprocess_mono_sents(data["candidates"], cache_path=jars.name),
        }

    def scorer(name: str, function: Any, **options: Any) -> Scorer:
        def score(candidates: list[str], references: list[list[str]]) -> float:
            corpus, _ = function(candidates, references, **options)
            return float(corpus[name])

        return score

    scorers = {
        "bleu": scorer("bleu_4", bleu_4),
        "rouge_l": scorer("rouge_l", rouge_l),
        "cider_d": scorer("cider_d", cider_d),
        "meteor": scorer("meteor", meteor, cache_path=jars.name),
    }
    return _run_steps(task, tokenize, scorers)


def captious_task(task: str) -> Task:
    """The same with Captious."""
    from captious import score
    from captious.text.tokenizer.tokenizer import tokenize_all

    def run(data: Captions) -> Scores:
        if task == "tokenizer":
            tokenize_all([caption for captions in data["references"] for caption in captions])
            tokenize_all(data["candidates"])
            return {}
        metrics = METRICS if task == "all" else (task,)
        tokenizer = "whitespace" if task in METRICS else "ptb"
        result = score(data["candidates"], data["references"], metrics, tokenizer=tokenizer)
        result.samples  # noqa: B018 - the toolkits give the score of every caption, too
        return {
            metric.name: result.corpus[HEADLINES.get(metric.name, metric.name)]
            for metric in result.metrics
        }

    return run


TOOLKITS: dict[str, Callable[[str], Task]] = {
    "pycocoevalcap": pycocoevalcap_task,
    "aac_metrics": aac_metrics_task,
    "captious": captious_task,
}


def _run_steps(
    task: str, tokenize: Callable[[Captions], Captions], scorers: Mapping[str, Scorer]
) -> Task:
    """Tokens first if the task wants them made, then one metric after the other."""

    def run(data: Captions) -> Scores:
        with contextlib.redirect_stdout(io.StringIO()):  # both toolkits print while they work
            tokens = tokenize(data) if task in ("tokenizer", "all") else data
            return {
                name: scorers[name](tokens["candidates"], tokens["references"])
                for name in METRICS
                if task in (name, "all")
            }

    return run


def _folder_of_jars() -> tempfile.TemporaryDirectory[str]:
    """METEOR and the tokenizer where aac-metrics looks for them; it would download both."""
    found = importlib.util.find_spec("pycocoevalcap")
    if found is None or found.submodule_search_locations is None:
        sys.exit("pycocoevalcap is not installed: pip install 'captious[bench]'")
    here = Path(found.submodule_search_locations[0])
    folder = tempfile.TemporaryDirectory()
    inside = Path(folder.name) / "aac-metrics"
    inside.mkdir()
    (inside / "meteor").symlink_to(here / "meteor")
    (inside / "stanford_nlp").symlink_to(here / "tokenizer")
    return folder


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
    run = TOOLKITS[toolkit](task)
    data = json.loads(Path(path).read_text())
    start = time.perf_counter()
    scores = run(data)
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "megabytes": peak_megabytes(), "scores": scores}))


if __name__ == "__main__":
    main()
