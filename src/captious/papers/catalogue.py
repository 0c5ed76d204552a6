"""All papers by the name that the command line has for them, and their exhibits."""

from __future__ import annotations

from captious._internal.checks.arguments import check_choice
from captious.errors import InputError
from captious.papers import lceval, leic, nneval, pregen, yi2020
from captious.papers.exhibit import Exhibit, Paper

# Each paper's exhibits, in the paper's order.
EXHIBITS: dict[str, tuple[Exhibit, ...]] = {
    module.EXHIBITS[0].place.paper.key: module.EXHIBITS
    for module in (nneval, lceval, leic, yi2020, pregen)
}
PAPERS: dict[str, Paper] = {key: several[0].place.paper for key, several in EXHIBITS.items()}


def select_exhibits(
    paper: str,
    tables: tuple[int, ...] = (),
    figures: tuple[int, ...] = (),
    sections: tuple[str, ...] = (),
) -> tuple[Exhibit, ...]:
    """A paper's exhibits: all, or these tables, figures and sections."""
    check_choice("unknown paper", paper, PAPERS)
    about = PAPERS[paper]
    places = [
        *map(about.table, tables),
        *map(about.figure, figures),
        *map(about.section, sections),
    ]
    if not places:
        return EXHIBITS[paper]
    by_place = {exhibit.place: exhibit for exhibit in EXHIBITS[paper]}
    for place in places:
        if place not in by_place:
            others = [each.label for each in by_place if each not in about.numbered_places]
            raise InputError(
                f"{paper}: no {place.label}; there are {about.tables} tables and {about.figures} "
                f"figures{''.join(f', {label}' for label in others)}"
            )
    return tuple(exhibit for place, exhibit in by_place.items() if place in places)
