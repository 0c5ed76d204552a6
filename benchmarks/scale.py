"""Streams: `captious score --stream` on a million rows and more.

Rows are real: a caption of COCO's training or validation images (123,287 of them) as the candidate,
the image's other captions as references, image after image until there are enough; then images come
again with another caption, and beyond that under other ids. Captions of several sentences are those
of as many images, one after another. Each run is a process of its own, timed from its start to its
end; its memory is the most that any of its processes had.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from tables import Table, add_json_option, show

DATA = Path(__file__).resolve().parent.parent.parent / "shared/data/coco"
FILES = ("captions_train2014.json.gz", "captions_val2014.json.gz")
CAPTIONS = 5  # of an image that serve as candidates, one after another


def read_captions(folder: Path) -> dict[str, list[str]]:
    """All captions of each image."""
    captions: dict[str, list[str]] = {}
    for name in FILES:
        with gzip.open(folder / name, "rt", encoding="utf-8") as stream:
            for row in json.load(stream)["annotations"]:
                captions.setdefault(str(row["image_id"]), []).append(row["caption"])
    return captions


def join_images(captions: dict[str, list[str]], sentences: int) -> dict[str, list[str]]:
    """Captions of so many sentences, each of another image."""
    images = iter(captions)
    return {
        "+".join(group): [
            " ".join(text.strip().rstrip(".") + "." for text in texts)
            for texts in zip(*(captions[image] for image in group), strict=False)
        ]
        for group in iter(lambda: tuple(islice(images, sentences)), ())
        if len(group) == sentences
    }


def iter_rows(captions: dict[str, list[str]]) -> Iterator[str]:
    """Yield rows as lines of JSON, without end."""
    times = 0
    while True:
        for place in range(CAPTIONS):
            for image, texts in captions.items():
                candidate = texts[place % len(texts)]
                others = texts[: place % len(texts)] + texts[place % len(texts) + 1 :]
                name = image if times == 0 else f"{image}-{times}"
                row = {"id": name, "candidate": candidate, "references": others, "time": times}
                yield json.dumps(row) + "\n"
        times += 1


def measure_peak_memory(process: subprocess.Popen[str]) -> float:
    """Return the peak memory, in MB, of the largest of the process and its children."""
    peak = 0.0
    while process.poll() is None:
        for pid in (process.pid, *child_processes(process.pid)):
            try:
                status = Path(f"/proc/{pid}/status").read_text()
            except OSError:
                continue
            for line in status.splitlines():
                if line.startswith("VmHWM:"):
                    peak = max(peak, int(line.split()[1]) / 1000)
        time.sleep(0.2)
    return peak


def child_processes(pid: int) -> list[int]:
    """The processes that a process has started."""
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(each) for each in text.split()]


def write_rows(path: Path, captions: dict[str, list[str]], rows: int) -> None:
    """Write so many rows as lines of JSON."""
    with path.open("w") as stream:
        stream.writelines(islice(iter_rows(captions), rows))
    print(f"{path.stat().st_size / 1e6:,.0f} MB of rows", file=sys.stderr)


def run_command(
    rows: Path, output: Path, jobs: int, resamples: int, metrics: str, engine: str
) -> dict[str, Any]:
    """Run one command and measure its time and memory."""
    command = [sys.executable, "-m", "captious", "score", str(rows), "--stream", "--quiet"]
    command += ["--metrics", metrics, "--jobs", str(jobs)]
    command += ["--resamples", str(resamples), "--engine", engine, "--output", str(output)]
    command += ["--no-cache", "--format", "json"]
    usage_before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    peaks: list[float] = []
    watcher = threading.Thread(target=lambda: peaks.append(measure_peak_memory(process)))
    watcher.start()
    stdout, _ = process.communicate()
    watcher.join()
    seconds = time.perf_counter() - start
    usage_after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = (
        usage_after.ru_utime + usage_after.ru_stime - usage_before.ru_utime - usage_before.ru_stime
    )
    if process.returncode:
        sys.exit(f"{' '.join(command)}: exit code {process.returncode}")
    result = json.loads(stdout)
    figures = {"rows": result["n"], "engine": engine, "jobs": jobs, "resamples": resamples}
    usage = {"seconds": seconds, "cpu": used, "megabytes": peaks[0]}
    return {**figures, **usage, "corpus": result["corpus"]}


def format_cells(row: dict[str, Any]) -> list[str]:
    """A run as a row of the table."""
    corpus = " ".join(f"{name} {value!r}" for name, value in row["corpus"].items())
    figures = [
        str(row["sentences"]),
        f"{row['rows']:,}",
        row["engine"],
        str(row["jobs"]),
        str(row["resamples"]),
    ]
    figures += [f"{row['seconds']:.1f}", f"{row['cpu']:.1f}"]
    return [
        *figures,
        f"{1e6 * row['seconds'] / row['rows']:.1f}",
        f"{row['megabytes']:,.0f}",
        corpus,
    ]


def main() -> None:
    """Write the rows, run every case, print a table."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--data", type=Path, default=DATA, help="with captions of train2014 and val2014")
    add("--rows", type=int, nargs="+", default=[1_000_000])
    add("--sentences", type=int, nargs="+", default=[1], help="of a caption")
    add("--jobs", type=int, nargs="+", default=[1, 2])
    add("--resamples", type=int, nargs="+", default=[0, 1000])
    add("--metrics", default="captious,cider_d(df=coco-val2014)")
    add("--engines", nargs="+", default=["local"], choices=["local", "ray"])
    add_json_option(parser)
    options = parser.parse_args()
    cases = [
        (jobs, resamples, engine)
        for engine in options.engines
        for resamples in options.resamples
        for jobs in options.jobs
    ]
    captions, runs = read_captions(options.data), []
    for sentences, rows in itertools.product(options.sentences, options.rows):
        with tempfile.TemporaryDirectory() as temporary:
            path = Path(temporary) / "rows.jsonl"
            several = captions if sentences == 1 else join_images(captions, sentences)
            write_rows(path, several, rows)
            for number, (jobs, resamples, engine) in enumerate(cases):
                output = Path(temporary) / f"output-{number}"
                run = run_command(path, output, jobs, resamples, options.metrics, engine)
                runs.append({"sentences": sentences, **run})
                print(" ".join(format_cells(runs[-1])), file=sys.stderr)
    about = (
        f"`captious score --stream --metrics {options.metrics}`: whole commands; peak memory of"
        " the largest process."
    )
    header = [
        "sentences",
        "rows",
        "engine",
        "jobs",
        "resamples",
        "seconds",
        "CPU seconds",
        "µs per row",
    ]
    header += ["peak memory, MB", "corpus score"]
    show([Table(about, header, list(map(format_cells, runs)))], options.json, runs)


if __name__ == "__main__":
    main()
