"""Does time per sample stay the same? Nine systems on all of val2014, against a first 5,000."""

from __future__ import annotations

import argparse
import gzip
import json
import resource
import time
from pathlib import Path
from typing import Any

from processes import run_fresh
from tables import Table, add_json_option, show

METRICS = ["bleu", "rouge_l", "cider_d"]


def read(path: Path) -> Any:
    """A gzipped JSON file."""
    return json.loads(gzip.decompress(path.read_bytes()))


def measure(folder: Path, samples: int) -> None:
    """Score so many samples from raw text, and print seconds and peak memory as JSON."""
    references: dict[int, list[str]] = {}
    for annotation in read(folder / "captions_val2014.json.gz")["annotations"]:
        references.setdefault(annotation["image_id"], []).append(annotation["caption"])
    ids: list[int] = []
    captions: list[str] = []
    for path in sorted((folder / "systems_val2014").glob("*.json.gz")):
        for row in read(path)[: samples - len(ids)]:
            ids.append(row["image_id"])
            captions.append(row["caption"])
    used = {image: references[image] for image in dict.fromkeys(ids)}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    import captious

    result = captious.Scorer(used, metrics=METRICS).score(captions, ids=ids)
    result.samples  # noqa: B018
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    measured = {"n": len(ids), "seconds": seconds, "peak": peak, "data": before}
    print(json.dumps({**measured, "corpus": result.corpus}))


def main() -> None:
    """Measure both sizes in processes of their own and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    shared = Path(__file__).resolve().parents[2] / "shared/data/coco"
    parser.add_argument("--data", type=Path, default=shared)
    parser.add_argument("--sizes", type=int, nargs="+", default=[5000, 40504, 10**9])
    parser.add_argument("--samples", type=int, help=argparse.SUPPRESS)
    add_json_option(parser)
    options = parser.parse_args()
    if options.samples is not None:
        measure(options.data, options.samples)
        return
    rows = []
    for samples in [*options.sizes] * 2:
        done = run_fresh([__file__, "--data", options.data, "--samples", str(samples)])
        rows.append(
            [
                f"{done['n']:,}",
                f"{done['seconds']:.2f}",
                f"{done['seconds'] / done['n'] * 1e6:.1f}",
                f"{done['peak'] / 1024:,.0f}",
                f"{done['data'] / 1024:,.0f}",
            ]
        )
    about = (
        f"{', '.join(METRICS)} from raw text in one process, import included: up to nine systems'"
        " captions of all images of val2014. Each size is run twice."
    )
    header = ["samples", "seconds", "µs per sample", "peak memory, MB", "of it captions, MB"]
    show([Table(about, header, rows)], options.json)


if __name__ == "__main__":
    main()
