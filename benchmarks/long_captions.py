"""Cost of one very long caption: CPU seconds and peak memory of every metric.

A candidate of so many words is scored against one reference of as many: the same word again and
again, or words that are all different, those that have a vector first. Half of the reference's
words are the candidate's, in another order. Every cell is a fresh process.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from typing import Any

from tables import Table, add_json_option, show
from task import peak_megabytes

METRICS = (
    "bleu rouge_l meteor cider_d spice wmd mowe hwcm consensus support form captious"
    " unigram_multiref"
).split()
KINDS = ("repeated", "different")


def make_captions(kind: str, words: int) -> tuple[str, str]:
    """A candidate and a reference of so many words each."""
    if kind == "repeated":
        return " ".join(["dog"] * words), " ".join(["dog"] * (words - 1) + ["runs"])
    from captious.text.vectors.word_vectors import WordVectors

    table = WordVectors.load().words
    words_with_vectors = [word for word in table if word.isalpha() and word.isascii()]
    drawn = random.Random(0).sample(
        words_with_vectors, min(len(words_with_vectors), words + words // 2)
    )
    drawn += [f"zq{number}" for number in range(words + words // 2 - len(drawn))]
    candidate, reference = drawn[:words], drawn[words // 2 : words // 2 + words]
    random.Random(1).shuffle(reference)
    return " ".join(candidate), " ".join(reference)


def measure(metric: str, kind: str, words: int) -> dict[str, Any]:
    """Score one pair in this process."""
    import captious
    from captious.errors import CaptiousError

    candidate, reference = make_captions(kind, words)
    options: dict[str, Any] = {"df": "coco-val2014"} if metric == "cider_d" else {}
    start = time.process_time()
    try:
        captious.score([candidate], [[reference]], [metric], cache=False, **options)
    except CaptiousError as error:
        return {"refused": str(error)}
    seconds = time.process_time() - start
    return {"seconds": seconds, "megabytes": peak_megabytes()}


def format_cell(metric: str, kind: str, words: int, timeout_s: float) -> str:
    """A cell of the table: what a fresh process took."""
    command = [sys.executable, __file__, "--one", metric, kind, str(words)]
    try:
        process = subprocess.run(command, capture_output=True, check=False, timeout=timeout_s)
    except subprocess.TimeoutExpired:
        return f"> {timeout_s:.0f} s"
    if process.returncode:
        return (process.stderr.decode().strip().splitlines() or [f"died: {process.returncode}"])[
            -1
        ][:60]
    measured = json.loads(process.stdout)
    if "refused" in measured:
        return "refused"
    return f"{measured['seconds']:.2f} s, {measured['megabytes']:.0f} MB"


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--metrics", nargs="+", default=METRICS)
    parser.add_argument("--words", type=int, nargs="+", default=[1000, 4900, 20000])
    parser.add_argument("--patience", type=float, default=60, help="seconds a process has")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    add_json_option(parser)
    options = parser.parse_args()
    if options.one:
        metric, kind, words = options.one
        print(json.dumps(measure(metric, kind, int(words))))
        return
    columns = [(kind, words) for kind in KINDS for words in options.words]
    rows = [
        [metric, *(format_cell(metric, kind, words, options.patience) for kind, words in columns)]
        for metric in options.metrics
    ]
    about = (
        "One caption against one reference of as many words: the same word again and again, or"
        " words that are all different. CPU seconds of the call, with the tables that it reads,"
        " and peak memory of a fresh process. Captions of over 5,000 different words are refused."
    )
    header = ["metric", *(f"{words:,} words, {kind}" for kind, words in columns)]
    show([Table(about, header, rows)], options.json)


if __name__ == "__main__":
    main()
