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

from benchmarks_page.machine import busy_cores, describe_machine
from benchmarks_page.page import Measurements, write_page
from benchmarks_page.runs import Run, missing_requirements, runs

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "benchmarks"
MAX_BUSY_CORES = 0.1  # cores that other processes may use


def measure(run: Run) -> Any:
    """Run one script and return its tables and the figures behind them."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "measured.json"
        command = [sys.executable, str(ROOT / "benchmarks" / run.script), *run.arguments]
        process = subprocess.run(
            [*command, "--json", str(output)], stdout=subprocess.PIPE, text=True, check=False
        )
        if process.returncode:
            sys.exit(f"{run.name}: failed ({' '.join(command)})")
        return json.loads(output.read_text(encoding="utf-8"))


def main() -> None:
    """Measure what is not measured yet, then write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--corenlp", type=Path, help="CoreNLP 3.6.0's jars, for the original SPICE")
    parser.add_argument("--captioner", type=Path, help="a captioner's .npz, for pre-gen metrics")
    parser.add_argument("--quick", action="store_true", help="small sizes: to see that all works")
    parser.add_argument("--anew", action="store_true", help="forget what was measured before")
    options = parser.parse_args()
    results_file = BUILD / ("quick.json" if options.quick else "measured.json")
    if options.anew:
        results_file.unlink(missing_ok=True)
    if not options.quick and (busy_count := busy_cores()) > MAX_BUSY_CORES:
        sys.exit(f"others keep {busy_count:.1f} cores busy: stop them, or try --quick")
    measured = Measurements(date.today().isoformat(), describe_machine())
    if results_file.exists():
        stored = Measurements.read(results_file)
        if stored.machine != measured.machine:
            sys.exit(f"{results_file}: of another machine, or of other versions; --anew forgets it")
        measured = stored
    measured.left_out.clear()
    for run in runs(
        options.data,
        small=options.quick,
        corenlp=options.corenlp,
        captioner=options.captioner,
    ):
        if run.name in measured.runs:
            continue
        if lacking := missing_requirements(run):
            measured.left_out[run.name] = f"needs {', '.join(lacking)}"
        else:
            start = time.perf_counter()
            measured.runs[run.name] = measure(run)
            measured.write(results_file)
            print(f"{run.name}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    if "toolkit" not in measured.runs:
        sys.exit(f"{options.data}: no captions of COCO there; --data names the folder above coco/")
    print(write_page(measured, BUILD / "quick" if options.quick else ROOT / "docs"))


if __name__ == "__main__":
    main()
