"""A task in a fresh process, which prints what it found as JSON, and what the process took."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def run_fresh(
    arguments: Sequence[str | Path], environment: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Run Python with these arguments; an error of the task ends the benchmark.

    Beside what the task printed: `whole`, the seconds of the process from its start to its end, and
    `cpu`, those of all processors together, for the processes that it started, too.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        check=False,
        env={**os.environ, **(environment or {})},
    )
    whole = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, arguments))} failed:\n{done.stderr.decode()}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {**json.loads(done.stdout), "whole": whole, "cpu": cpu}
