"""All papers by the name that the command line has for them, and their exhibits."""

from __future__ import annotations

from captious.checks.choices import check_choice
from captious.errors import InputError
from captious.experiments.exhibit import Exhibit, Paper
from captious.experiments.papers import lceval, leic, nneval, pregen, yi2020

# Each paper's exhibits, in the paper's order.
EXHIBITS: dict[str, tuple[Exhibit, ...]] = {
    module.EXHIBITS[0].place.paper.key: module.EXHIBITS
    for module in (nneval, lceval, leic, yi2020, pregen)
}
PAPERS: dict[str, Paper] = {key: several[0].place.paper for key, several in EXHIBITS.items()}


def exhibits_of(
    paper: str, tables: tuple[int, ...] = (), figures: tuple[int, ...] = ()
) -> tuple[Exhibit, ...]:
    """A paper's exhibits: all, or these tables and figures."""
    check_choice("unknown paper", paper, PAPERS)
    if not tables and not figures:
        return EXHIBITS[paper]
    by_place = {exhibit.place: exhibit for exhibit in EXHIBITS[paper]}
    about = PAPERS[paper]
    places = [*map(about.table, tables), *map(about.figure, figures)]
    for place in places:
        if place not in by_place:
            raise InputError(
                f"{paper}: no {place.label}; the paper has {about.tables} tables and "
                f"{about.figures} figures"
            )
    return tuple(exhibit for place, exhibit in by_place.items() if place in places)
