"""A report of one system or several, written as a page that opens in a browser."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from captious._internal.checks.arguments import check_arguments, check_choice
from captious._internal.checks.bounds import Bounds, Draws, Seed
from captious.errors import InputError
from captious.images.folder import ImageFolder
from captious.report.browser.contents import Contents
from captious.report.browser.page import check_page, write_page
from captious.report.systems.caption_data import AUTO, SCENES
from captious.report.systems.pictures import IMAGE_BUDGET_MB
from captious.report.systems.report_data import ReportOptions, build_contents
from captious.result import Result
from captious.stats.bootstrap import SEED
from captious.stats.intervals import check_method

MEGABYTES = Bounds(0, 10_000, with_most=True)


@check_arguments
def write_report(
    results: Mapping[str, Result],
    path: str | Path,
    *,
    images: str | Path | ImageFolder | None = None,
    link_images: bool = False,
    image_budget: Annotated[float, MEGABYTES] = IMAGE_BUDGET_MB,
    title: str | None = None,
    scenes: str = AUTO,
    resamples: Draws | None = None,
    seed: Seed = SEED,
    method: str | None = None,
) -> None:
    """Write an HTML report about systems scored on the same images: results by name.

    `images` is a folder of the samples' images. Thumbnails are embedded in the page, at most
    `image_budget` megabytes of them; with `link_images`, the page links to the files. Scene graphs
    are shown where SPICE was scored and captions are not too many (`scenes="auto"`), or as `"yes"`
    and `"no"` say. `resamples` and `method` are as for `leaderboard`.
    """
    check_page(path)
    options = ReportOptions(
        title=title,
        images=images,
        page=path if link_images else None,
        megabytes=image_budget,
        scenes=scenes,
        resamples=resamples,
        seed=seed,
        method=method,
    )
    write_contents(path, results, options)


def write_contents(
    path: str | Path, results: Mapping[str, Result], options: ReportOptions
) -> Contents:
    """Write the report and return the contents of the page."""
    check_choice("unknown choice of scenes", options.scenes, SCENES)
    if options.method is not None:
        check_method(options.method)
    if options.page is not None and options.images is None:
        raise InputError("no images to link; name a folder of images")
    contents = build_contents(results, options)
    write_page(path, contents)
    return contents
