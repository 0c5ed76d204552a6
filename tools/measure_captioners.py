"""Measure trained captioners, epoch by epoch: tables for docs/pregen_search.md.

    python tools/measure_captioners.py DATA RUNS --output docs/pregen_search/our_captioners

RUNS is what tools/train_captioners.py wrote; runs that are not done are passed over. What was
measured of an epoch is kept beside its weights, in the run's folder `measured`, unless the weights
are newer, so the command can be killed and given again. First comes what searches need (a few
epochs far apart, and the kept one), then agreement with people, then all other epochs, among which
one is chosen; tables are written after each of these. Needs PyTorch; one core is enough.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from captioner_measures import EARLY
from captioner_measures.checkpoints import BEAM, measure_epoch, measure_strata
from captioner_measures.flickr8k import Flickr8k
from captioner_measures.people import PRIOR_IMAGES, RatedCaptions
from captious._internal.backends.pytorch import import_torch
from captious.captioners.recipe import ARCHITECTURES
from captious.errors import InputError
from captious.io.atomic_files import atomic_write
from captious.io.formats import write_columns
from captious.metrics.parameters import VARIANTS

DIGITS = 6  # of scores in tables; more would only make files larger
MEASURED = "measured"


class Run:
    """A trained captioner: its weights, and what was measured of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.figures: dict[str, Any] = json.loads((folder / "figures.json").read_text())
        self.best = folder / "captioner.npz"
        (folder / MEASURED).mkdir(exist_ok=True)

    @property
    def epochs(self) -> range:
        """All epochs of the training."""
        return range(1, len(self.figures["curve"]) + 1)

    @property
    def key_epochs(self) -> list[int]:
        """Epochs of different quality, and the kept one."""
        return [epoch for epoch in self.epochs if epoch in (*EARLY, self.figures["best"])]

    def weights(self, epoch: int) -> Path:
        """The captioner as it was after an epoch."""
        return self.folder / "epochs" / f"epoch_{epoch:02d}.npz"

    def measure_once(
        self, name: str, source: Path, measure: Callable[[Path], Mapping[str, Any]]
    ) -> None:
        """Measure and write, unless it was done before with these weights."""
        path = self.folder / MEASURED / f"{name}.json"
        if path.exists() and path.stat().st_mtime >= source.stat().st_mtime:
            return
        began = time.monotonic()
        text = json.dumps(measure(source))
        with atomic_write(path) as stream:
            stream.write(text.encode())
        took = time.monotonic() - began
        print(f"{time.strftime('%H:%M:%S')} {self.folder.name} {name}: {took:.0f} s", flush=True)

    def read_measured(self, name: str) -> Any:
        """What was measured, or None."""
        path = self.folder / MEASURED / f"{name}.json"
        return json.loads(path.read_text()) if path.exists() else None


def write_tables(runs: Sequence[Run], compared: Mapping[str, Any], output: Path) -> None:
    """The tables for searches, and one file of all else."""
    output.mkdir(parents=True, exist_ok=True)
    tables: dict[str, list[dict[str, Any]]] = {}
    figures: dict[str, Any] = {
        "beam": BEAM,
        "others": PRIOR_IMAGES,
        "metrics": compared,
        "runs": {},
    }
    for run in runs:
        trained = run.figures
        keys = {"dataset": "flickr8k", "architecture": trained["architecture"]}
        keys["run"] = trained["seed"]
        for variant, rows in run.read_measured("strata").items():
            tables.setdefault(f"strata_{variant}", []).extend({**keys, **row} for row in rows)
        seconds: dict[str, list[float]] = {}
        for epoch in run.epochs:
            figures_of_run = run.read_measured(f"epoch_{epoch:02d}")
            if figures_of_run is None:
                continue
            test, dev, own_rows = (
                figures_of_run["test"],
                figures_of_run["dev"],
                {**keys, "checkpoint": epoch},
            )
            for variant in VARIANTS:
                row = {**own_rows, **test["beam"], **test[variant]}
                tables.setdefault(f"epochs_{variant}", []).append(row)
            greedy = {"cider_d_greedy": dev["greedy"]["cider_d"]}
            row = {**own_rows, **dev["beam"], **greedy, **dev["paper"]}
            tables.setdefault("validation", []).append(row)
            for step, took in dev["seconds"].items():
                seconds.setdefault(step, []).append(round(took, 2))
        figures["runs"][run.folder.name] = {
            "architecture": trained["architecture"],
            "seed": trained["seed"],
            "kept": trained["best"],
            "validation_loss": [each["validation_loss"] for each in trained["curve"]],
            "seconds": seconds,
            "people": run.read_measured("people"),
        }
    for name, rows in tables.items():
        columns = {key: [round_number(row[key]) for row in rows] for key in rows[0]}
        write_columns(output / f"{name}.csv.gz", columns)
    (output / "figures.json").write_text(json.dumps(round_all(figures), indent=1) + "\n")


def round_number(value: Any) -> Any:
    """A number with as many digits as mean something."""
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else value


def round_all(value: Any) -> Any:
    """The same for all numbers of a structure."""
    if isinstance(value, dict):
        return {key: round_all(each) for key, each in value.items()}
    if isinstance(value, list):
        return [round_all(each) for each in value]
    return float(round_number(value)) if isinstance(value, float) else value


def main() -> None:
    """Measure what is there, what matters most first, and write the tables as it goes."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--output", type=Path, required=True, help="a folder")
    options = parser.parse_args()
    import_torch().set_num_threads(1)
    kinds = list(ARCHITECTURES)
    data, rated = Flickr8k(options.data), RatedCaptions(options.data)
    runs = [Run(path.parent) for path in options.runs.glob("*/figures.json")]
    runs.sort(key=lambda run: (kinds.index(run.figures["architecture"]), run.figures["seed"]))
    if not runs:
        raise InputError(f"{options.runs}: no run that is done; train captioners first")
    compared = rated.metric_agreement(data)
    for run in runs:
        for epoch in run.key_epochs:
            run.measure_once(f"epoch_{epoch:02d}", run.weights(epoch), partial(measure_epoch, data))
        run.measure_once("strata", run.best, partial(measure_strata, data))
    write_tables(runs, compared, options.output)
    for run in runs:
        run.measure_once("people", run.best, partial(rated.agreement, data))
    write_tables(runs, compared, options.output)
    # One run of each architecture before a second, so that a look at half of it shows each.
    for run in sorted(runs, key=lambda run: int(run.figures["seed"])):
        for epoch in run.epochs:
            run.measure_once(f"epoch_{epoch:02d}", run.weights(epoch), partial(measure_epoch, data))
        write_tables(runs, compared, options.output)
    print(f"{len(runs)} runs in the tables of {options.output}")


if __name__ == "__main__":
    main()
