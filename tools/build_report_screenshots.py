"""Make the report of the shipped examples and take the pictures of docs/report.md with Chromium.

pip install playwright pillow && python tools/build_report_screenshots.py
"""

from __future__ import annotations

import argparse
import io
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
SYSTEMS = ("careful", "terse", "hasty")
SCORING = ("--references", EXAMPLES / "references.jsonl", "--df", "coco-val2014")
SAMPLE = "#train-tunnel"


@dataclass(frozen=True)
class Shot:
    """One picture: the view, the size of the window, and what is done before it is taken."""

    name: str
    link: str
    width: int = 1120
    height: int = 720
    scheme: str = "light"
    script: str = "() => {}"


DISAGREEMENT_SCRIPT = "() => document.querySelector('[data-kind=spread]').click()"
OTHER_SCORES = """() => {
  const choose = (label, value) => {
    const select = document.querySelector(`[aria-label="${label}"]`);
    select.value = value;
    select.dispatchEvent(new Event("change"));
  };
  for (const axis of ["Across", "Upwards"]) choose(`${axis}: measure`, "rouge_l");
  choose("Across: series", "1");
  choose("Upwards: series", "2");
  document.activeElement.blur();
}"""
SHOTS = (
    Shot("leaderboard", "#/overview"),
    Shot("sample", SAMPLE, height=960, script=DISAGREEMENT_SCRIPT),
    Shot("kinds", "#/kinds"),
    Shot("dark", "#/scatter", height=800, scheme="dark", script=OTHER_SCORES),
    Shot("phone", SAMPLE, width=360, height=720),
)


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "report")
    parser.add_argument("--chromium", default=shutil.which("chromium"), help="the browser")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page = _make(Path(folder))
        browser = driver.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox", "--font-render-hinting=none"]
        )
        for shot in SHOTS:
            _take(browser, shot, page, options.output / f"{shot.name}.png")
        browser.close()


def _make(folder: Path) -> Path:
    """The report, by the commands that people type."""
    scores = [folder / f"{system}.jsonl" for system in SYSTEMS]
    for path in scores:
        _run("score", EXAMPLES / path.name, *SCORING, "--output", path)
    report = folder / "report.html"
    _run("report", *scores, "--images", EXAMPLES / "pictures", "--output", report)
    return report


def _run(*arguments: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "captious", *arguments, "--quiet"], check=True)


def _take(browser: Any, shot: Shot, page: Path, output: Path) -> None:
    context = browser.new_context(
        viewport={"width": shot.width, "height": shot.height}, color_scheme=shot.scheme
    )
    tab = context.new_page()
    tab.goto(f"{page.as_uri()}{shot.link}")
    tab.wait_for_selector("body[data-ready]")
    tab.evaluate(shot.script)
    tab.wait_for_timeout(300)
    picture = Image.open(io.BytesIO(tab.screenshot())).convert("RGB")
    # An octree keeps colours that are rare, such as those of the systems' marks.
    small = picture.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    small.save(output, optimize=True)
    context.close()


if __name__ == "__main__":
    main()
