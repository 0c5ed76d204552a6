"""Logger `captious`: files read and loaded, cache hits, duration of stages.

Silent unless enabled: `logging.basicConfig(level=logging.INFO)` in Python, `--verbose` on the
command line.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

logger = logging.getLogger("captious")
logger.addHandler(logging.NullHandler())


@contextmanager
def log_duration(stage: str, *values: object) -> Iterator[None]:
    """Log how long a stage took, unless it raised."""
    start = perf_counter()
    yield
    logger.info(f"{stage}: %.2f s", *values, perf_counter() - start)
