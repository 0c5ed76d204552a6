"""The installed command, run as a process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.places import EXAMPLES

REFERENCES = str(EXAMPLES / "references.jsonl")
HASTY = str(EXAMPLES / "hasty.jsonl")
COMMAND = Path(sys.executable).parent / "captious"


def captious(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    assert COMMAND.exists(), "the package is not installed"
    return subprocess.run(
        [COMMAND, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, check=False
    )


def score(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    return captious("score", HASTY, "--references", REFERENCES, *arguments, **options)
