"""What `make demo` runs, with Pillow and without: it ends with a report and says where it is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import EXAMPLES

WITHOUT_PILLOW = "raise ImportError"


def stand_in(folder: Path, program: str) -> None:
    """A command that runs this Python, which knows the package as tests do."""
    folder.mkdir(exist_ok=True)
    path = folder / program
    module = "-m captious" if program == "captious" else ""
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n', encoding="utf-8")
    path.chmod(0o755)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a shell script")
@pytest.mark.parametrize("has_pillow", [True, False])
def test_the_demo_ends_with_a_report_and_says_where_it_is(tmp_path: Path, has_pillow: bool) -> None:
    if has_pillow:
        pytest.importorskip("PIL")
    clone = tmp_path / "a clone"  # folders may have blanks in their names
    shutil.copytree(EXAMPLES, clone / "examples")
    for program in ("captious", "python"):
        stand_in(tmp_path / "bin", program)
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    if not has_pillow:
        (hidden / "PIL.py").write_text(WITHOUT_PILLOW, encoding="utf-8")
    path = os.pathsep.join([str(hidden), *filter(None, sys.path)])
    process = subprocess.run(
        ["sh", str(clone / "examples" / "demo.sh")],
        env={**os.environ, "BIN": str(tmp_path / "bin"), "PYTHONPATH": path},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    assert process.stderr == ""
    report = clone / "build" / "demo" / "report.html"
    assert process.stdout.splitlines()[-1].startswith(f"{report}: 30 samples of 3 systems")
    assert "diversity of all captions" in process.stdout
    page = report.read_text(encoding="utf-8")
    assert "Three made-up systems" in page
