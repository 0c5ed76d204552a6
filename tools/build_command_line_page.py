"""Run the commands of docs/command_line.md and write the page with their output."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from command_line_page.files import prepare
from command_line_page.page import page_text

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Write the page."""
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder), ROOT / "examples")
        settings = {"COLUMNS": "100", "CAPTIOUS_CACHE": str(Path(folder, "cache"))}

        def run_command(arguments: list[str], piped: Path | None) -> str:
            completed = subprocess.run(
                [sys.executable, "-m", "captious", *arguments],
                cwd=folder,
                env={**os.environ, **settings},
                input=None if piped is None else piped.read_text(encoding="utf-8"),
                capture_output=True,
                encoding="utf-8",
                check=False,
            )
            return completed.stderr + completed.stdout  # messages come before the result

        text = page_text(run_command, Path(folder))
    (ROOT / "docs" / "command_line.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
