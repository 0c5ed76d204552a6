"""Run the notebooks of docs/notebooks, and write the outputs of their cells into them."""

from __future__ import annotations

import os
from pathlib import Path

from documentation_site.notebooks import read_notebook, run_notebook, to_text

NOTEBOOKS = Path(__file__).resolve().parents[1] / "docs" / "notebooks"


def main() -> None:
    """Run each in its folder."""
    os.chdir(NOTEBOOKS)
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        path.write_text(to_text(run_notebook(read_notebook(path))), encoding="utf-8")


if __name__ == "__main__":
    main()
