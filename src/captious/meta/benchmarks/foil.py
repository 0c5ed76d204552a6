"""FOIL: COCO captions against the same with one noun replaced."""

from __future__ import annotations

from captious.meta.benchmarks.benchmark import PREFERENCES, Benchmark, Files
from captious.meta.benchmarks.coco_references import CAPTIONS, FOLDERS, SOURCE, read_captions
from captious.meta.benchmarks.forced_choice import read_choices
from captious.meta.judgements import Preferences

FILE = "foil-it.json"
NAMES = ("image_file", "caption", "foil")


def read(files: Files) -> Preferences:
    """The 1,000 pairs of VALSE's selection, the correct caption first.

    Some 37 of the captions that count as correct are themselves damaged ("basebat" for
    "baseball"), so that no reference equals them.
    """
    return read_choices(files.find(FILE), NAMES, read_captions(files), "all")


BENCHMARK = Benchmark(
    "foil",
    "FOIL: a caption against the same with one noun replaced",
    PREFERENCES,
    (FILE, CAPTIONS),
    ("foil", *FOLDERS),
    "VALSE, Parcalabescu et al. 2022 (https://github.com/Heidelberg-NLP/VALSE, folder data), after "
    f"Shekhar et al. 2017; its references from {SOURCE}",
    read,
)
