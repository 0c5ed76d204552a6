"""Run all benchmarks beside their peers, and write docs/benchmarks.md with ratios and plots.

    python tools/build_benchmarks_page.py --data DATA [--quick]

What was measured is kept in build/benchmarks, run by run: an interrupted run resumes there with
the same command, on the same day or another, and `--anew` begins again. Figures from a machine that
others keep busy say nothing: there it does not begin. With `--quick` sizes are small, any machine
will do, and the page goes to build/benchmarks/quick, for it is no page to publish.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks_page.machine import about_machine, busy_cores
from benchmarks_page.page import Measured, write_page
from benchmarks_page.runs import Run, missing, runs

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "benchmarks"
MAX_BUSY_CORES = 0.1  # cores that others may use


def measure(run: Run) -> Any:
    """Run one script: its tables, and the figures behind them."""
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "measured.json"
        command = [sys.executable, str(ROOT / "benchmarks" / run.script), *run.arguments]
        done = subprocess.run(
            [*command, "--json", str(written)], stdout=subprocess.PIPE, text=True, check=False
        )
        if done.returncode:
            sys.exit(f"{run.name}: failed ({' '.join(command)})")
        return json.loads(written.read_text(encoding="utf-8"))


def main() -> None:
    """Measure what is not measured yet, then write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--corenlp", type=Path, help="CoreNLP 3.6.0's jars, for the original SPICE")
    parser.add_argument("--captioner", type=Path, help="a captioner's .npz, for pre-gen metrics")
    parser.add_argument("--quick", action="store_true", help="small sizes: to see that all works")
    parser.add_argument("--anew", action="store_true", help="forget what was measured before")
    options = parser.parse_args()
    kept = BUILD / ("quick.json" if options.quick else "measured.json")
    if options.anew:
        kept.unlink(missing_ok=True)
    if not options.quick and (busy := busy_cores()) > MAX_BUSY_CORES:
        sys.exit(f"others keep {busy:.1f} cores busy: stop them, or try --quick")
    measured = Measured(date.today().isoformat(), about_machine())
    if kept.exists():
        before = Measured.read(kept)
        if before.machine != measured.machine:
            sys.exit(f"{kept}: of another machine, or of other versions; --anew forgets it")
        measured = before
    measured.left_out.clear()
    for run in runs(
        options.data,
        small=options.quick,
        corenlp=options.corenlp,
        captioner=options.captioner,
    ):
        if run.name in measured.runs:
            continue
        if absent := missing(run):
            measured.left_out[run.name] = f"needs {', '.join(absent)}"
        else:
            start = time.perf_counter()
            measured.runs[run.name] = measure(run)
            measured.write(kept)
            print(f"{run.name}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    if "toolkit" not in measured.runs:
        sys.exit(f"{options.data}: no captions of COCO there; --data names the folder above coco/")
    print(write_page(measured, BUILD / "quick" if options.quick else ROOT / "docs"))


if __name__ == "__main__":
    main()
