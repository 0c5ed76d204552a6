"""Compiles the loops; where there is no C compiler the same sources run as plain Python.

With CAPTIOUS_SANITIZE=1 in the environment they are compiled to stop at the first undefined
operation, at memory that is not theirs, and at an index out of bounds (tests/sanitize.sh). With
CAPTIOUS_ABI3=1 they are compiled against Python's stable interface, so that one wheel serves Python
3.11, the first whose stable interface has buffers, and all that follow (docs/release.md).
"""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup

LOOPS = Path("src/captious/loops")
SANITIZED = os.environ.get("CAPTIOUS_SANITIZE") == "1"
ABI3 = os.environ.get("CAPTIOUS_ABI3") == "1"
STABLE_INTERFACE = [("Py_LIMITED_API", "0x030B0000")] if ABI3 else []
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
                define_macros=STABLE_INTERFACE,
                py_limited_api=ABI3,
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


setup(
    ext_modules=extensions(),
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if ABI3 else {},
)
