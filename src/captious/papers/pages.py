"""Pages: a paper's exhibits as Markdown with plots, its numbers as JSON, a summary of papers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from captious.errors import InputError
from captious.io.atomic_files import atomic_write, check_writable
from captious.io.inputs import read_text
from captious.io.json import json_text
from captious.papers.reproduction import (
    HOLDS,
    LEGEND,
    Reproduction,
    describe_cells,
    describe_counts,
    verdict_meanings,
)
from captious.papers.verdicts import Verdict
from captious.report.plots.canvas import check_can_draw
from captious.report.plots.panels import plot_panels

SUMMARY = "README.md"
PLOTS = "plots"
UNCONFIRMED = (Verdict.DIFFERENT, Verdict.INCOMPARABLE, Verdict.IMPOSSIBLE)


def check_pages(folder: Path) -> None:
    """Stop before the work where pages could not be written, or would overwrite something else."""
    check_can_draw()
    try:
        (folder / PLOTS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made ({error.strerror or error})") from None
    for path in folder.glob("*.json"):
        _read_numbers(path)
    check_writable(folder / SUMMARY)


def numbers_file(folder: Path, paper: str) -> Path:
    """Where the numbers of a paper's page are."""
    return folder / f"{paper}.json"


def write_pages(folder: Path, reproduction: Reproduction) -> list[Path]:
    """Write a paper's page, its plots and numbers, and the summary of all papers in the folder."""
    key = reproduction.paper.key
    page, data, summary = folder / f"{key}.md", numbers_file(folder, key), folder / SUMMARY
    _write(page, _render_page(folder, reproduction))
    _write(data, json_text(reproduction.to_dict(), indent=1) + "\n")
    _write(summary, _render_summary(folder))
    return [page, data, summary]


def _write(path: Path, text: str) -> None:
    with atomic_write(path) as file:
        file.write(text.encode())


def _render_page(folder: Path, reproduction: Reproduction) -> str:
    paper = reproduction.paper
    sections = [
        f"# {paper.title}",
        f"{paper.source}: every numbered table and figure. Written by `{reproduction.command}`.",
        LEGEND,
        reproduction.summary("markdown"),
    ]
    for finding in reproduction.findings:
        sections.append(f"## {finding.title}")
        if finding.panels:
            name = f"{PLOTS}/{paper.key}-{finding.exhibit.place.label.replace(' ', '-')}.svg"
            plot_panels(folder / name, finding.title, finding.panels)
            sections.append(f"![{finding.title}]({name})")
        sections += finding.parts("markdown")
    return "\n\n".join(sections) + "\n"


def _render_summary(folder: Path) -> str:
    """Verdicts of all papers that have been written to a folder."""
    papers = [_read_numbers(path) for path in sorted(folder.glob("*.json"))]
    verdicts = [verdict for verdict in Verdict if any(verdict in p["verdicts"] for p in papers)]
    rows = [
        [
            f"[{paper['source']}]({paper['paper']}.md)",
            *(_linked_exhibits(paper, verdict) for verdict in verdicts),
            f"{sum(e['agreeing'] for e in paper['exhibits']):,} of "
            f"{sum(e['compared'] for e in paper['exhibits']):,}",
        ]
        for paper in papers
    ]
    counts: dict[str, int] = {}
    for paper in papers:
        for verdict, n in paper["verdicts"].items():
            counts[verdict] = counts.get(verdict, 0) + n
    # Not by render_table, which takes brackets for a text's own.
    header = ["paper", *map(str, verdicts), "numbers that agree"]
    lines = [header, ["---"] * len(header), *rows]
    numbers = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    links = "\n".join(f"- [{p['title']}]({p['paper']}.md): `{p['command']}`" for p in papers)
    meanings = "\n".join(f"- *{verdict}*: {meaning}" for verdict, meaning in verdict_meanings())
    return (
        "\n\n".join(
            [
                "# The papers, measured again",
                "Every numbered table and figure of the papers that Captious implements, measured "
                "again. `captious reproduce PAPER --data DIR` prints those of a paper; with "
                "`--output FOLDER` it writes these pages. `captious reproduce PAPER --render "
                "--output FOLDER` writes a page again from its stored numbers.",
                numbers,
                f"{describe_counts(counts)}.",
                links,
                "A number agrees if it is within the tolerance stated for its exhibit, or if the "
                "published number lies within its interval or range. A number that the paper's own "
                "definitions or other numbers contradict is shown and set aside. A paper is judged "
                "by what it says itself: claims are its own.",
                meanings,
                "## What differs, cannot be compared or is not available, and why",
                *(part for paper in papers for part in _paper_differences(paper)),
            ]
        )
        + "\n"
    )


def _linked_exhibits(paper: dict[str, Any], verdict: Verdict) -> str:
    """How many exhibits have a verdict, and which: `3: table [2](lceval.md#...) [7](...)`."""
    links: dict[str, list[str]] = {}
    for exhibit in paper["exhibits"]:
        if exhibit["verdict"] == verdict:
            kind, _, number = exhibit["place"].partition(" ")
            anchor = heading_anchor(f"{exhibit['place']}: {exhibit['title']}")
            links.setdefault(kind, []).append(f"[{number}]({paper['paper']}.md#{anchor})")
    named = ", ".join(f"{kind} {' '.join(numbers)}" for kind, numbers in links.items())
    return f"{paper['verdicts'][verdict]}: {named}" if links else ""


def heading_anchor(heading: str) -> str:
    """Return the anchor that GitHub and the site give a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _paper_differences(paper: dict[str, Any]) -> list[str]:
    """What differs of a paper, with the reasons: of the exhibit, of single numbers, of claims."""
    lines: list[str] = []
    for exhibit in paper["exhibits"]:
        if exhibit["verdict"] in UNCONFIRMED:
            said = f"- **{exhibit['place']}**, {exhibit['verdict']}. {exhibit['because']}"
            lines += [said.rstrip(), *(f"    - {line}" for line in _part_reasons(exhibit))]
    return [f"### {paper['source']}", "\n".join(lines)] if lines else []


def _part_reasons(exhibit: dict[str, Any]) -> Iterator[str]:
    """Why single numbers differ, and why claims do not hold."""
    for reason in exhibit.get("reasons", ()):
        yield f"{describe_cells(reason['differing'])}: {reason['because']}"
    for claim in exhibit["claims"]:
        if claim.get("because"):
            yield f'"{claim["claim"]}" {HOLDS[False]}: {claim["because"]}'


def _read_numbers(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(read_text(path))
        document["verdicts"], document["exhibits"], document["command"]
    except (ValueError, KeyError, TypeError):
        raise InputError(
            f"{path}: not written by `captious reproduce`; name a folder of its own with --output"
        ) from None
    assert isinstance(document, dict)
    return document
