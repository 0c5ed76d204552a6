"""Captions of several sentences compared with captions of one: CPU time of the metrics that split.

Captions of several sentences are COCO captions joined; no sentence is from two images. Every cell
is a fresh process, which scores the same twice: the first call reads the metric's tables, the
second has them. Numbers of sentences alternate, and ratios are of one round.
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

from tables import Table, add_json_option, median_and_range, show

REFERENCES = 5
SENTENCES = (1, 2, 6)
METRICS = ("consensus", "captious")


def make_captions(data: Path, samples: int, sentences: int) -> tuple[list[str], list[list[str]]]:
    """Candidates, each with one sentence of the next image, and references."""
    with gzip.open(data / "captions_val2014.json.gz", "rt", encoding="utf-8") as file:
        captions: dict[int, list[str]] = {}
        for row in json.load(file)["annotations"]:
            captions.setdefault(row["image_id"], []).append(row["caption"].strip().rstrip("."))
    images = [each for each in captions.values() if len(each) >= REFERENCES]
    if len(images) < samples * sentences:
        raise SystemExit(f"{len(images):,} images are too few for {samples * sentences:,}")
    candidates, references = [], []
    for sample in range(samples):
        group = images[sample * sentences : (sample + 1) * sentences]
        near = [*group[1:], images[(sample + 1) * sentences % len(images)]]
        candidates.append(". ".join(each[0] for each in near))
        references.append([". ".join(each[place] for each in group) for place in range(REFERENCES)])
    return candidates, references


def measure(data: Path, metric: str, samples: int, sentences: int) -> list[float]:
    """Score twice in this process; return the CPU seconds of both calls."""
    import captious

    captions = make_captions(data, samples, sentences)
    seconds = []
    for _ in range(2):
        start = time.process_time()
        captious.score(*captions, [metric], cache=False)
        seconds.append(time.process_time() - start)
    return seconds


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data/coco"))
    parser.add_argument("--metrics", nargs="+", default=METRICS)
    parser.add_argument("--samples", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    add_json_option(parser)
    options = parser.parse_args()
    if options.one:
        metric, sentences = options.one
        print(json.dumps(measure(options.data, metric, options.samples, int(sentences))))
        return
    same = ["--data", str(options.data), "--samples", str(options.samples)]
    rows = []
    for metric in options.metrics:
        rounds = [
            {
                sentences: json.loads(
                    subprocess.run(
                        [sys.executable, __file__, *same, "--one", metric, str(sentences)],
                        stdout=subprocess.PIPE,
                        check=True,
                    ).stdout
                )
                for sentences in SENTENCES
            }
            for _ in range(options.rounds)
        ]
        for call, name in enumerate(("first call", "second call")):
            base = [seconds[1][call] for seconds in rounds]
            ratios = [
                median_and_range([seconds[several][call] / seconds[1][call] for seconds in rounds])
                for several in SENTENCES[1:]
            ]
            rows.append([f"{metric}, {name}", f"{statistics.median(base):.2f} s", *ratios])
    about = (
        f"CPU time of {options.samples:,} captions with {REFERENCES} references of as many"
        " sentences each, relative to captions of one sentence; median and range over rounds."
    )
    header = ["metric", "one sentence", *(f"{each} sentences" for each in SENTENCES[1:])]
    show([Table(about, header, rows)], options.json)


if __name__ == "__main__":
    main()
