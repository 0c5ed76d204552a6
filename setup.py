"""Compiles the loops; where there is no C compiler the same sources run as plain Python."""

import sys
from pathlib import Path

from setuptools import Extension, setup

LOOPS = Path("src/captious/loops")
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
                extra_compile_args=FLAGS,
            )
            for types in sorted(LOOPS.glob("*.pxd"))
        ],
        build_dir="build",
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
        },
    )
    for loop in loops:
        loop.optional = True  # cythonize drops it where it is given above
    return loops


setup(ext_modules=extensions())
