"""Pages about systems, as several commands write them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from captious.cli.options import Add
from captious.cli.output import note, typed_command
from captious.report.systems.captions_known import AUTO, SCENES
from captious.report.systems.gathered import Wanted
from captious.report.systems.pictures import BUDGET
from captious.report.systems.writing import MEGABYTES, write_contents
from captious.result import Result


def declare_page(add: Add) -> None:
    """Add the options of how a page is made."""
    add("--title", "of the page", metavar="TEXT", usual="the systems' names")
    linked = "with --images DIR: link to the files and put no pictures into the page"
    add("--link-images", linked, action="store_true")
    budget = "megabytes of pictures in the page, those most worth seeing first"
    add("--image-budget", budget, bounds=MEGABYTES, default=BUDGET, metavar="MB")
    scenes = "scene graphs; auto: where SPICE was scored and captions are not too many"
    add("--scenes", scenes, choices=SCENES, default=AUTO)


def write_systems(
    options: argparse.Namespace, path: str, results: Mapping[str, Result], images: str | None
) -> str:
    """Write the page, say what it lacks, and tell where it is and how large."""
    wanted = Wanted(
        title=options.title,
        images=images,
        page=path if options.link_images else None,
        megabytes=options.image_budget,
        scenes=options.scenes,
        resamples=options.resamples,
        seed=options.seed,
        method=options.interval,
        commands=[typed_command(options)],
    )
    contents = write_contents(path, results, wanted)
    for remark in contents.made.notes:
        note(options, remark)
    samples, systems = len(contents.ids), len(contents.series)
    size = Path(path).stat().st_size / 1e6
    of_systems = f"{systems} system{'s' * (systems > 1)}"
    return f"{path}: {samples:,} samples of {of_systems}, {size:.1f} MB; open it in a browser"
