"""Images and captions to scores: `captious score` with its image encoder, in a fresh process.

Reads a folder of images and Flickr8k's file of captions, in which every line is
`IMAGE#NUMBER<tab>CAPTION`. An image's first caption is scored against its others. Where more images
are asked for than there are, the same files come again under other names; nothing is kept between
them, so that each costs as much as a new one.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tables import Table, add_json_option, show
from task import peak_megabytes

DATA = Path(__file__).resolve().parent.parent.parent / "shared/data/flickr8k"


def read_captions(path: Path) -> dict[str, list[str]]:
    """All captions of each image."""
    captions: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        name, caption = line.split("\t")
        captions.setdefault(name.rpartition("#")[0], []).append(caption)
    return captions


def copy_images(images: Path, captions: dict[str, list[str]], count: int, folder: Path) -> Path:
    """So many images in a folder, and the file of their captions beside it."""
    files = sorted(path for path in images.iterdir() if len(captions.get(path.name, ())) > 1)
    if not files:
        sys.exit(f"{images}: no image with two captions")
    (folder / "images").mkdir()
    rows: list[dict[str, Any]] = []
    for number in range(count):
        source = files[number % len(files)]
        name = f"{number:06d}{source.suffix}"
        (folder / "images" / name).symlink_to(source.resolve())
        first, *others = captions[source.name]
        rows.append({"id": name, "candidate": first, "references": others})
    path = folder / "captions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def children_seconds() -> float:
    """Return the CPU seconds of ended child processes, which other work hardly changes."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--images", type=Path, default=DATA / "images")
    parser.add_argument("--captions", type=Path, default=DATA / "Flickr8k.token.txt")
    parser.add_argument("--metrics", default="captious_image")
    parser.add_argument("--count", type=int, nargs="+", default=[1000], help="how many images")
    add_json_option(parser)
    options = parser.parse_args()
    captions = read_captions(options.captions)
    rows = []
    for count in sorted(options.count):  # the peak is the largest of all processes so far
        with tempfile.TemporaryDirectory() as folder:
            path = copy_images(options.images, captions, count, Path(folder))
            command = [sys.executable, "-m", "captious", "score", str(path), "--no-cache"]
            command += ["--metrics", options.metrics, "--images", str(path.parent / "images")]
            start, busy = time.perf_counter(), children_seconds()
            done = subprocess.run(command, capture_output=True, check=False)
            seconds, busy = time.perf_counter() - start, children_seconds() - busy
        if done.returncode:
            sys.exit(done.stderr.decode())
        taken = [f"{seconds:.1f}", f"{busy:.1f}", f"{1000 * seconds / count:.1f}"]
        rows.append([f"{count:,}", *taken, f"{peak_megabytes():,.0f}"])
    about = (
        f"`{options.metrics}` from image files and captions, {os.cpu_count()} cores, nothing"
        " cached: `captious score` from its start to its end."
    )
    header = ["images", "seconds", "CPU seconds", "ms per image", "peak memory, MB"]
    show([Table(about, header, rows)], options.json)


if __name__ == "__main__":
    main()
