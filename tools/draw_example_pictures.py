"""Draw the pictures of some of the examples' captions, named by their ids.

They are ours, flat and small, so that a report of the examples has something to show; nothing in
them is a photograph. The same Pillow writes the same bytes each time.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from example_pictures.scenes import SCENES

PICTURES = Path(__file__).resolve().parents[1] / "examples" / "pictures"


def main() -> None:
    """Write one PNG a scene."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=PICTURES, help="the folder to write to")
    folder: Path = parser.parse_args().output
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in SCENES.items():
        draw().save(folder / f"{name}.png")


if __name__ == "__main__":
    main()
