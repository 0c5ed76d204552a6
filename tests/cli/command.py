"""The command line in this process, as the installed command runs it in one of its own.

A process takes half a second to start; what only a process can show is in `test_process`.
"""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from tests.fuzz.console import run_command
from tests.places import EXAMPLES

REFERENCES = str(EXAMPLES / "references.jsonl")
HASTY = str(EXAMPLES / "hasty.jsonl")
COMMAND = Path(sys.executable).parent / "captious"
# As Python starts: nobody but a developer is told of these.
UNHEARD = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)


def captious(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder."""
    words = [str(argument) for argument in arguments]
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        patch.chdir(cwd or Path.cwd())
        warnings.resetwarnings()
        for kind in UNHEARD:
            warnings.simplefilter("ignore", kind)
        said = run_command(words)
    return subprocess.CompletedProcess(words, said.code, said.output, said.errors)


def score(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Score one example system."""
    return captious("score", HASTY, "--references", REFERENCES, *arguments, cwd=cwd)
