"""The whole package without its compiled loops gives the same scores to the last bit."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import captious
from tests.places import EXAMPLES

pytestmark = pytest.mark.slow

CODE = """
import json, sys, captious
from captious.io.captions import read_corpus
from captious._internal.loops import LOOPS, is_compiled
import importlib
result = captious.score(read_corpus(*sys.argv[1:]), metrics=["all"], df="coco-val2014")
loops = [is_compiled(importlib.import_module("captious._internal.loops." + name)) for name in LOOPS]
scores = {name: [s.hex() for s in scores.tolist()] for name, scores in result.samples.items()}
print(json.dumps([any(loops), {name: s.hex() for name, s in result.corpus.items()}, scores]))
"""


def scores(path: Path) -> Any:
    arguments = [EXAMPLES / "hasty.jsonl", EXAMPLES / "references.jsonl"]
    done = subprocess.run(
        [sys.executable, "-c", CODE, *arguments],
        env={**os.environ, "PYTHONPATH": str(path)},
        capture_output=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_scores_without_compiled_loops(tmp_path: Path) -> None:
    package = Path(captious.__file__).parent
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__", "resources")
    shutil.copytree(package, tmp_path / "captious", ignore=ignored)
    (tmp_path / "captious" / "resources").symlink_to(package / "resources")
    plain, usual = scores(tmp_path), scores(package.parent)
    assert plain[0] is False
    assert plain[1:] == usual[1:]
