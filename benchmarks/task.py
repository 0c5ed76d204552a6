"""One task of one toolkit in a process of its own: prints its seconds as JSON.

Called by the other benchmarks: `python task.py TOOLKIT TASK FILE`, where FILE holds captions and
tokens. What is timed is the task with all that it needs to start (imports, a Java process, tables);
the process's whole time, which the caller measures, adds Python's own start and reading the file.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import time
from pathlib import Path
from typing import Any

METRICS = ("bleu", "rouge_l", "cider_d", "meteor")


def run_pycocoevalcap(task: str, data: dict[str, Any]) -> dict[str, float]:
    """Tokenise, or score tokenised captions, or both, as the toolkit's own evaluation does."""
    from pycocoevalcap.bleu.bleu import Bleu
    from pycocoevalcap.cider.cider import Cider
    from pycocoevalcap.meteor.meteor import Meteor
    from pycocoevalcap.rouge.rouge import Rouge
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    scorers = {"bleu": Bleu, "rouge_l": Rouge, "cider_d": Cider, "meteor": Meteor}
    references = dict(enumerate(data["reference_tokens"]))
    candidates = {image: [tokens] for image, tokens in enumerate(data["candidate_tokens"])}
    if task in ("tokenizer", "all"):
        tokenizer = PTBTokenizer()
        references = tokenizer.tokenize(
            {i: [{"caption": c} for c in captions] for i, captions in enumerate(data["references"])}
        )
        candidates = tokenizer.tokenize(
            {image: [{"caption": caption}] for image, caption in enumerate(data["candidates"])}
        )
    scores: dict[str, float] = {}
    for name in METRICS if task == "all" else [task] if task in scorers else []:
        with contextlib.redirect_stdout(io.StringIO()):
            score, _ = scorers[name]().compute_score(references, candidates)
        scores[name] = float(score[3] if name == "bleu" else score)
    return scores


def run_captious(task: str, data: dict[str, Any]) -> dict[str, float]:
    """The same with Captious."""
    import captious

    if task == "tokenizer":
        from captious.text.tokenizer import tokenize_all

        tokenize_all([caption for captions in data["references"] for caption in captions])
        tokenize_all(data["candidates"])
        return {}
    if task == "all":
        result = captious.score(data["candidates"], data["references"], METRICS)
    else:
        result = captious.score(
            data["candidate_tokens"], data["reference_tokens"], [task], tokenizer="whitespace"
        )
    result.samples  # noqa: B018 - the toolkit gives the score of every caption, too
    return {metric.name: result.corpus[metric.columns[-1]] for metric in result.metrics}


def main() -> None:
    """Run one task and print what it took."""
    toolkit, task, path = sys.argv[1:]
    data = json.loads(Path(path).read_text())
    start = time.perf_counter()
    scores = {"pycocoevalcap": run_pycocoevalcap, "captious": run_captious}[toolkit](task, data)
    print(json.dumps({"seconds": time.perf_counter() - start, "scores": scores}))


if __name__ == "__main__":
    main()
