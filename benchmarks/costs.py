"""Cost of every metric: 5,000 captions with five references each, in a fresh process.

Writes docs/metrics/costs.json, from which the metrics' pages have their figures. Seconds are the
processor's, of all of `captious score`, from Python's start to intervals, so that a
busy machine changes them little.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

from captious.io.cache import FOLDER_VARIABLE
from captious.metrics.declarations import METRICS
from captious.version import __version__
from coco_toolkit import HERE, sample_captions

OUTPUT = HERE.parent / "docs" / "metrics" / "costs.json"
SYSTEM, CAPTIONS = "vinyals2017", 5000


def measure_cost(captions: Path, metric: str, repetitions: int) -> dict[str, float]:
    """Measure the minimum time and memory of a metric, with an empty cache."""
    seconds, megabytes = min(_measure_once(captions, metric) for _ in range(repetitions))
    return {"seconds": round(seconds, 2), "megabytes": round(megabytes)}


def _measure_once(captions: Path, metric: str) -> tuple[float, float]:
    """CPU seconds and peak memory of one process."""
    command = [sys.executable, "-m", "captious", "score", str(captions), "--metrics", metric]
    with tempfile.TemporaryDirectory() as cache:
        process = subprocess.Popen(
            [*command, "--quiet"],
            env={**os.environ, FOLDER_VARIABLE: cache},
            stdout=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} failed")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    """Measure, and write the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=HERE.parent.parent / "shared/data/coco")
    parser.add_argument("--repetitions", type=int, default=3)
    options = parser.parse_args()
    samples = sample_captions(options.data, SYSTEM, CAPTIONS)
    measured = {}
    with tempfile.TemporaryDirectory() as folder:
        captions = Path(folder) / "captions.jsonl"
        rows = zip(samples["candidates"], samples["references"], strict=True)
        captions.write_text(
            "".join(
                json.dumps({"id": number, "candidate": candidate, "references": references}) + "\n"
                for number, (candidate, references) in enumerate(rows)
            )
        )
        for name, metric in METRICS.items():
            if not metric.needs_images:
                measured[name] = measure_cost(captions, name, options.repetitions)
                print(name, measured[name], file=sys.stderr)
    record = {
        "command": "python benchmarks/costs.py",
        "captious": __version__,
        "date": date.today().isoformat(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "repetitions": options.repetitions,
        "metrics": measured,
    }
    OUTPUT.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
