"""Two real processes that train together, connected by PyTorch's gloo over the loopback device."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

Work = Callable[[int, Path], None]  # of the process's number and a folder for what it finds
COUNT = 2


def in_two_processes(work: Work, folder: Path) -> None:
    """Run a function of a module in each of two processes; an error in one is an error here."""
    import torch

    torch.multiprocessing.spawn(_begin, (work, folder), COUNT)


def _begin(rank: int, work: Work, folder: Path) -> None:
    import torch

    warnings.simplefilter("ignore")
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    store = (folder / "store").as_uri()
    torch.set_num_threads(1)
    distributed: Any = torch.distributed
    distributed.init_process_group("gloo", store, rank=rank, world_size=COUNT)
    try:
        work(rank, folder)
    finally:
        distributed.destroy_process_group()
