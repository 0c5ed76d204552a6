"""The logger `captious`: what is read and loaded, what the cache had, how long stages took.

Silent unless whoever uses the package asks: `logging.basicConfig(level=logging.INFO)` in Python,
`--verbose` on the command line.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

logger = logging.getLogger("captious")
logger.addHandler(logging.NullHandler())


@contextmanager
def timed(stage: str, *values: object) -> Iterator[None]:
    """Say how long a stage took, if it came to its end."""
    start = perf_counter()
    yield
    logger.info(f"{stage}: %.2f s", *values, perf_counter() - start)
