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

SOURCES = Path("src")
# Cython's memory views, compiled once instead of once in each loop, where they are most of the C.
MEMORY_VIEWS = Path("src/captious/_internal/loops/_memory_views.c")
SANITIZED = os.environ.get("CAPTIOUS_SANITIZE") == "1"
ABI3 = os.environ.get("CAPTIOUS_ABI3") == "1"
STABLE_INTERFACE = [("Py_LIMITED_API", "0x030B0000")] if ABI3 else []
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"] if SANITIZED else []
# Fused multiply-add would round differently from the uncompiled loops.
FLAGS = [] if sys.platform == "win32" else ["-g0", "-ffp-contract=off"]
# Visual C++ sets itself up at the first file: several at once would each do so.
COMPILERS = 1 if sys.platform == "win32" else os.cpu_count() or 1


def module_name(source: Path) -> str:
    """The name that a source is imported by."""
    return ".".join(source.relative_to(SOURCES).with_suffix("").parts)


def extension(source: Path, optimization: str) -> Extension:
    """One extension, with the flags that all share."""
    flags = [optimization, *FLAGS] if FLAGS else []
    return Extension(
        module_name(source),
        [source.as_posix()],
        depends=[path.as_posix() for path in source.parent.glob("*.h")],
        extra_compile_args=[*flags, "-O1", "-g1", *SANITIZERS] if SANITIZED else flags,
        extra_link_args=SANITIZERS,
        define_macros=STABLE_INTERFACE,
        py_limited_api=ABI3,
    )


def sources() -> list[Path]:
    """Loops, which have their C types in a .pxd beside them, and what there is only compiled."""
    loops = [types.with_suffix(".py") for types in SOURCES.glob("captious/_internal/loops/*.pxd")]
    return sorted([*loops, *SOURCES.rglob("*.pyx")])


def extensions() -> list[Extension]:
    """One optional extension for each source."""
    from Cython.Build import cythonize

    loops = cythonize(
        [
            extension(MEMORY_VIEWS, "-O1"),
            *(extension(source, "-O3") for source in sources()),
        ],
        build_dir="build/sanitized" if SANITIZED else "build",
        nthreads=COMPILERS,
        shared_utility_qualified_name=module_name(MEMORY_VIEWS),
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


if __name__ == "__main__":  # Cython's own processes may import this file
    setup(
        ext_modules=extensions(),
        options={
            "build_ext": {"parallel": COMPILERS},
            **({"bdist_wheel": {"py_limited_api": "cp311"}} if ABI3 else {}),
        },
    )
