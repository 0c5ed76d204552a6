"""SugarCrepe: COCO captions against fluent ones with one thing wrong, in seven groups."""

from __future__ import annotations

from captious.meta.benchmarks.benchmark import PREFERENCES, Benchmark, Files
from captious.meta.benchmarks.coco_references import CAPTIONS, FOLDERS, SOURCE, read_captions
from captious.meta.benchmarks.forced_choice import read_choices, together
from captious.meta.judgements import Preferences

GROUPS = (
    "add_att",
    "add_obj",
    "replace_att",
    "replace_obj",
    "replace_rel",
    "swap_att",
    "swap_obj",
)
NAMES = ("filename", "caption", "negative_caption")


def read(files: Files) -> Preferences:
    """All 7,511 pairs, the correct caption first, beside all of their images' captions."""
    paths = [files.find(f"{group}.json") for group in GROUPS]
    captions = read_captions(files)
    return together(
        [
            read_choices(path, NAMES, captions, group)
            for path, group in zip(paths, GROUPS, strict=True)
        ]
    )


BENCHMARK = Benchmark(
    "sugarcrepe",
    "SugarCrepe: a caption against a fluent one with one thing wrong",
    PREFERENCES,
    (*(f"{group}.json" for group in GROUPS), CAPTIONS),
    ("sugarcrepe", "sugarcrepe/data", *FOLDERS),
    "Hsieh et al. 2023 (https://github.com/RAIVNLab/sugar-crepe, folder data), its references "
    f"from {SOURCE}",
    read,
)
