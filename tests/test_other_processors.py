"""Scores on other processors: the same to as many digits as the documentation promises.

A processor shows in scores through the kernels that NumPy and its BLAS choose for it. Both can be
told to choose as if the processor were an older one. Two things are promised: scores differ little
between processors, and on each of them a sample's scores do not depend on the other samples.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from tests.places import DOCS, EXAMPLES
from tests.processors import FOUND, KERNELS

pytestmark = pytest.mark.slow

# These multiply matrices in single precision; all else is whole numbers and double precision.
SINGLE = {
    *("bertscore", "bertscore_precision", "bertscore_recall", "bertscore_multiref"),
    *("consensus", "support_recall", "support_precision", "encoder_consensus"),
    *("leic", "captious", "captious_full"),
}

SCORES = """
import json
import sys
from threadpoolctl import threadpool_info
import numpy as np
import captious
from captious.io.captions import read_corpus
from tests.same_scores import are_same

def score(corpus):
    return captious.score(corpus, metrics="all", df="coco-val2014", cache=False).samples

corpus = read_corpus(sys.argv[1], sys.argv[2])
whole = score(corpus)
# Each sample beside others, at another place, in a batch of another size.
order = np.arange(len(corpus))[::-1]
parts = [score(corpus.take(order[start : start + 7])) for start in range(0, len(order), 7)]
for name, scores in whole.items():
    again = np.concatenate([part[name] for part in parts])[::-1]
    assert are_same(name, again, scores), f"{name} depends on other samples"
kernels = {library.get("architecture") for library in threadpool_info()}
np.savez(sys.argv[3], **whole)
print(json.dumps(sorted(filter(None, kernels))))
"""


def scores(folder: Path, kernel: str | None = None, **variables: str) -> dict[str, np.ndarray]:
    """Every metric's scores of the examples in a process that takes its processor for another."""
    if kernel is not None:
        variables["OPENBLAS_CORETYPE"] = kernel
    out = folder / "scores.npz"
    files = [EXAMPLES / "careful.jsonl", EXAMPLES / "references.jsonl", out]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCORES, *map(str, files)],
        env=os.environ | variables,
        cwd=Path(__file__).parents[1],
        stdout=subprocess.PIPE,
        check=True,
        timeout=600,
    )
    assert kernel is None or kernel in json.loads(done.stdout)
    with np.load(out) as arrays:
        return dict(arrays)


def promised(column: str) -> float:
    """The largest difference that docs/promises.md allows."""
    text = (DOCS / "promises.md").read_text(encoding="utf-8")
    kind = "single precision" if column in SINGLE else "all others"
    found = re.search(rf"\| {kind}[^|]*\| ([\d.e-]+) \|", text)
    assert found, kind
    return float(found[1])


@pytest.fixture(scope="module")
def as_it_is(tmp_path_factory: pytest.TempPathFactory) -> dict[str, np.ndarray]:
    return scores(tmp_path_factory.mktemp("as_it_is"))


def assert_as_promised(found: dict[str, np.ndarray], usual: dict[str, np.ndarray]) -> None:
    assert found.keys() == usual.keys()
    for column, values in usual.items():
        assert np.abs(found[column] - values).max() <= promised(column), column


@pytest.mark.parametrize("kernel", KERNELS)
def test_other_kernels_of_the_blas(
    kernel: str, as_it_is: dict[str, np.ndarray], tmp_path: Path
) -> None:
    used = {lib.get("architecture") for lib in threadpool_info() if lib["user_api"] == "blas"}
    if platform.machine() not in ("x86_64", "AMD64") or None in used or kernel in used:
        pytest.skip("another kind of processor or of BLAS, or this processor's own kernel")
    if KERNELS[kernel] and not KERNELS[kernel] & set(FOUND):
        pytest.skip("the processor is older than the kernel")
    found = scores(tmp_path, kernel)
    assert_as_promised(found, as_it_is)
    # Otherwise the variable did nothing, and this test would say nothing.
    assert any((found[column] != values).any() for column, values in as_it_is.items())


def test_fewer_instructions_of_the_processor(
    as_it_is: dict[str, np.ndarray], tmp_path: Path
) -> None:
    if not FOUND:
        pytest.skip("NumPy uses nothing beyond its baseline here")
    found = scores(tmp_path, NPY_DISABLE_CPU_FEATURES=" ".join(FOUND))
    assert_as_promised(found, as_it_is)
    assert any((found[column] != values).any() for column, values in as_it_is.items())
