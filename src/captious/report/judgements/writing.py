"""A report of metrics beside people's judgements, written as a page that opens in a browser."""

from __future__ import annotations

from pathlib import Path

from captious._internal.checks.arguments import check_arguments
from captious.images.folder import ImageFolder
from captious.meta.evaluation import Evaluation
from captious.report.browser.page import check_page, write_page
from captious.report.judgements.report_data import ReportOptions, build_contents


@check_arguments
def write_report(
    evaluation: Evaluation,
    path: str | Path,
    *,
    images: str | Path | ImageFolder | None = None,
    cache: bool = True,
) -> None:
    """Write a page about metrics that were put through a benchmark.

    `images` is a folder of the judged images, of which small pictures are put into the page. With
    `cache`, parses are kept on disk and read from there.
    """
    check_page(path)
    folder = ImageFolder(images) if isinstance(images, str | Path) else images
    write_page(path, build_contents(evaluation, ReportOptions(images=folder, cache=cache)))
