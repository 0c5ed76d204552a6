"""Compiles the loops; where there is no C compiler the same sources run as plain Python.

With CAPTIOUS_SANITIZE=1 in the environment they are compiled to stop at the first undefined
operation, at memory that is not theirs, and at an index out of bounds (tests/sanitize.sh).
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup

LOOPS = Path("src/captious/loops")
SANITIZED = os.environ.get("CAPTIOUS_SANITIZE") == "1"
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"] if SANITIZED else []
# Fused multiply-add would round differently from the uncompiled loops.
FLAGS = [] if sys.platform == "win32" else ["-O3", "-g0", "-ffp-contract=off"]


def extensions() -> list[Extension]:
    """One optional extension for each loop that has its C types in a .pxd beside it."""
    from Cython.Build import cythonize

    loops = cythonize(
        [
            Extension(
                f"captious.loops.{types.stem}",
                [types.with_suffix(".py").as_posix()],
                extra_compile_args=[*FLAGS, "-O1", "-g1", *SANITIZERS] if SANITIZED else FLAGS,
                extra_link_args=SANITIZERS,
            )
            for types in sorted(LOOPS.glob("*.pxd"))
        ],
        build_dir="build/sanitized" if SANITIZED else "build",
        compiler_directives={
            "language_level": 3,
            "boundscheck": SANITIZED,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
        },
    )
    for loop in loops:
        loop.optional = not SANITIZED  # cythonize drops it where it is given above
    return loops


setup(ext_modules=extensions())
