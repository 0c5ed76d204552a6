"""What tools/measure_captioners.py wrote, read again."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from captioner_measures import EARLY
from captious._internal.arrays.ragged import FloatArray
from captious.pregen.search_table import SearchTable, read_search_table


@dataclass(frozen=True)
class Measurements:
    """Measurements of our captioners: kept epochs in strata, every epoch, and other figures."""

    folder: Path

    def table(self, name: str) -> SearchTable:
        """A table by the name of its file."""
        return read_search_table(self.folder / f"{name}.csv.gz")

    @cached_property
    def figures(self) -> dict[str, Any]:
        """The figures that are not in a table."""
        figures: dict[str, Any] = json.loads((self.folder / "figures.json").read_text())
        return figures

    @property
    def runs(self) -> dict[str, dict[str, Any]]:
        """Figures by run, such as `merge_0`."""
        runs: dict[str, dict[str, Any]] = self.figures["runs"]
        return runs

    @property
    def architectures(self) -> list[str]:
        """The kinds of captioners."""
        return list(dict.fromkeys(run["architecture"] for run in self.runs.values()))

    @cached_property
    def complete(self) -> dict[str, dict[str, Any]]:
        """The runs of which every epoch was measured, so that one can be chosen."""
        rows = Counter(self.run_names(self.table("validation")))
        return {
            name: run
            for name, run in self.runs.items()
            if rows[name] == len(run["validation_loss"])
        }

    def run_names(self, table: SearchTable) -> list[str]:
        """The run of each row of a table."""
        keys = zip(table.keys["architecture"], table.keys["run"], strict=True)
        return [f"{architecture}_{seed}" for architecture, seed in keys]

    def epoch_numbers(self, table: SearchTable) -> list[int]:
        """The epoch of each row of a table."""
        return [int(epoch) for epoch in table.keys["checkpoint"]]

    def by_run(self, table: SearchTable, values: FloatArray) -> dict[str, FloatArray]:
        """A column of a table of epochs as one array a complete run, epoch by epoch."""
        rows: dict[str, list[int]] = {name: [] for name in self.complete}
        for row, run in enumerate(self.run_names(table)):
            if run in rows:
                rows[run].append(row)
        return {run: values[places] for run, places in rows.items()}

    def early_and_chosen_epochs(self, table: SearchTable) -> SearchTable:
        """The kept epoch of each run and early ones."""
        return self._filter_rows(table, lambda epoch, kept: epoch in EARLY or epoch == kept)

    def chosen_epochs(self, table: SearchTable) -> SearchTable:
        """The kept epoch of each run."""
        return self._filter_rows(table, lambda epoch, kept: epoch == kept)

    def late_epochs(self, table: SearchTable) -> SearchTable:
        """The later epochs, among which a trainer would choose."""
        return self._filter_rows(table, lambda epoch, kept: epoch >= EARLY[-1])

    def _filter_rows(self, table: SearchTable, is_wanted: Any) -> SearchTable:
        pairs = zip(self.run_names(table), self.epoch_numbers(table), strict=True)
        selected = [is_wanted(epoch, self.runs[run]["kept"]) for run, epoch in pairs]
        return table.take(np.flatnonzero(selected))
