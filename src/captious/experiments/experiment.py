"""An experiment: what it is called, where a paper reports it, what it shows, and how it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from captious.experiments.result import Finding
from captious.experiments.workbench import Workbench


@dataclass(frozen=True)
class Experiment:
    """One experiment of a paper as data and one function."""

    name: str
    paper: str  # which tables and figures
    shows: str  # one line
    run: Callable[[Workbench], Finding]
    trains: bool = False  # and so needs PyTorch the first time
    draws: bool = False  # has panels, and not tables alone
