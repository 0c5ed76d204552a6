"""Build the documentation's site from docs/: every warning is an error."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from sphinx.cmd.build import main as sphinx

from documentation_site.measured import ROOT
from documentation_site.other_hosts import find_external_requests
from documentation_site.staging import stage_pages


def main() -> int:
    """Stage the pages, and let Sphinx make a site of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "build" / "site")
    options = parser.parse_args()
    os.environ["COLUMNS"] = "100"  # of the commands' usage
    source = options.output.with_name(f"{options.output.name}_source")
    stage_pages(source)
    words = ["-b", "html", "-q", "-W", "--keep-going", "-j", "auto", "-c", ROOT / "docs"]
    code: int = sphinx([str(word) for word in (*words, source, options.output)])
    asked = list(find_external_requests(options.output))
    for request in asked:
        print(f"asks another host: {request}", file=sys.stderr)
    return code or bool(asked)


if __name__ == "__main__":
    raise SystemExit(main())
