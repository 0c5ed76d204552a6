"""The processor that NumPy and its BLAS take this one for, if `tests.processors` says which."""

from __future__ import annotations

import os

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from tests import processors
from tests.processors import KERNEL_VARIABLE


@pytest.mark.skipif(KERNEL_VARIABLE not in os.environ, reason="any kernel will do")
def test_the_blas_uses_the_kernel_that_was_asked_for() -> None:
    np.ones((2, 2)) @ np.ones((2, 2))
    kernels = {
        library.get("architecture")
        for library in threadpool_info()
        if library["user_api"] == "blas"
    }
    assert os.environ[KERNEL_VARIABLE] in kernels


@pytest.mark.skipif("NPY_DISABLE_CPU_FEATURES" not in os.environ, reason="any features will do")
def test_numpy_uses_its_baseline_alone() -> None:
    assert not np.show_config(mode="dicts")["SIMD Extensions"].get("found")


@pytest.mark.parametrize(
    ("found", "kernels"),
    [
        ([], ["Nehalem"]),
        (["AVX"], ["Nehalem", "Sandybridge"]),  # in NumPy 1's names
        (["AVX", "AVX2"], ["Nehalem", "Sandybridge", "Haswell"]),
        (["X86_V3"], ["Nehalem", "Sandybridge", "Haswell"]),  # in NumPy 2's
        (["X86_V3", "X86_V4"], ["Nehalem", "Sandybridge", "Haswell", "SkylakeX"]),
    ],
)
def test_every_kernel_that_the_processor_can_run_is_run(
    found: list[str], kernels: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processors, "FOUND", found)
    runs = processors.environments()
    assert [run["OPENBLAS_CORETYPE"] for run in runs if "OPENBLAS_CORETYPE" in run] == kernels
    assert all(run.get(KERNEL_VARIABLE) for run in runs if "OPENBLAS_CORETYPE" in run)
