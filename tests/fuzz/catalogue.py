"""All kinds by name, and how many inputs of each a round has."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

from tests.fuzz.kind import Kind
from tests.fuzz.kinds import (
    cache_file,
    caption_texts,
    captions_in_files,
    checked_captions,
    command_lines,
    filtered_rows,
    judgements_in_files,
    meteor_tables,
    models_in_files,
    objects_in_files,
    paper_pages,
    pictures,
    pregen_files,
    public_forms,
    python_calls,
    training_files,
    vectors_in_files,
)

MODULES = (
    captions_in_files, public_forms, judgements_in_files, vectors_in_files, models_in_files,
    meteor_tables, pregen_files, pictures, paper_pages, cache_file, command_lines, python_calls,
    caption_texts, checked_captions, filtered_rows, objects_in_files, training_files,
)  # fmt: skip
KINDS: dict[str, Kind] = {kind.name: kind for module in MODULES for kind in module.KINDS}
ROUND = 3000  # inputs after which every kind has had its share

Unit = tuple[str, int, int]  # a kind, and its numbers from the first to before the last


def is_installed(kind: Kind) -> bool:
    """Whether all packages that a kind needs are there."""
    return all(importlib.util.find_spec(package) is not None for package in kind.needs)


def iter_units(names: list[str], inputs: int | None) -> Iterator[Unit]:
    """Yield small units of work, each kind by its share, without end or for so many inputs."""
    shares = {name: KINDS[name].share for name in names}
    each = {
        name: max(1, round(ROUND * share / sum(shares.values()))) for name, share in shares.items()
    }
    done = dict.fromkeys(names, 0)
    left = inputs
    while left is None or left > 0:
        for name, number in each.items():
            take = number if left is None else min(number, left)
            if take <= 0:
                return
            yield name, done[name], done[name] + take
            done[name] += take
            left = None if left is None else left - take
