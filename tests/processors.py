"""Run the tests that compare bits as if on other processors: `python -m tests.processors`.

OpenBLAS and NumPy choose their code for the processor that they find. Both can be told to choose as
if it were an older one. Each run asserts that this worked (`test_processor_in_use.py`): otherwise
it would show nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
from threadpoolctl import threadpool_info

BLAS = [library for library in threadpool_info() if library["user_api"] == "blas"]
KERNEL_VARIABLE = "CAPTIOUS_TEST_KERNEL"  # what threadpoolctl should say that the BLAS uses
FOUND = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
# What each kernel's processor needs, in the names of NumPy 1 and 2.
KERNELS = {
    "Nehalem": set[str](),
    "Sandybridge": {"AVX", "AVX2", "X86_V3"},  # NumPy 2 does not name AVX alone
    "Haswell": {"AVX2", "X86_V3"},
    "SkylakeX": {"AVX512_SKX", "X86_V4"},
}
TESTS = (
    "tests/test_processor_in_use.py",
    "tests/_internal/arrays/test_row_products.py",
    "tests/cli/test_meta_images.py",
    "tests/metrics/leic",
    "tests/metrics/learned/test_captious_image.py",
    "tests/metrics/test_whole_corpus.py",
    "tests/property/test_metrics.py",
    "tests/test_scorer.py",
    "tests/text/parser/test_parser.py",
)


def environments() -> list[dict[str, str]]:
    """The variables of each run that this processor can do."""
    runs = [
        {"OPENBLAS_CORETYPE": kernel, KERNEL_VARIABLE: kernel}
        for kernel, needed in KERNELS.items()
        if not needed or needed & set(FOUND)
    ]
    if FOUND:
        kernels = [library["architecture"] for library in BLAS if "architecture" in library]
        its_own = {KERNEL_VARIABLE: kernels[0]} if kernels else {}
        runs.append({"NPY_DISABLE_CPU_FEATURES": " ".join(FOUND), **its_own})
    return runs


def main() -> int:
    """Run the tests in each environment; 1 if any run failed."""
    failed = 0
    for variables in environments():
        print(*(f"{name}={value}" for name, value in variables.items()), flush=True)
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *sys.argv[1:], *TESTS]
        failed |= subprocess.run(command, env=os.environ | variables, check=False).returncode != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
