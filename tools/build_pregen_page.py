"""Search for the best pre-gen metrics, in two tables, and write docs/pregen_search.md.

    python tools/build_pregen_page.py --data DIR

One table is Tanti et al.'s own, in DIR/pregen; the other is of our captioners, which
tools/measure_captioners.py wrote into docs/pregen_search/our_captioners.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pregen_page.authors import author_sections
from pregen_page.measured import Measurements
from pregen_page.ours import our_sections
from pregen_page.people import people_section
from pregen_page.post_gen import post_gen_section
from pregen_page.trainer import trainer_sections

DOCS = Path(__file__).resolve().parents[1] / "docs"


def main() -> None:
    """Search, draw and write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of all data")
    parser.add_argument("--kind", choices=("svg", "png"), default="svg", help="of the plots")
    parser.add_argument("--docs", type=Path, default=DOCS, help="where the page goes")
    parser.add_argument(
        "--measured", type=Path, help="tables of our captioners (default: those in the docs)"
    )
    options = parser.parse_args()
    plots = options.docs / "pregen_search"
    measured = Measurements(options.measured or plots / "our_captioners")
    sections = [
        *author_sections(options.data / "pregen", plots, options.kind),
        *post_gen_section(options.data),
        *our_sections(measured, plots / "ours", options.kind),
        *trainer_sections(measured, plots / "ours", options.kind),
        *people_section(measured),
    ]
    (options.docs / "pregen_search.md").write_text("".join(sections), encoding="utf-8")


if __name__ == "__main__":
    main()
