"""Forced choice: a correct caption of a COCO image against a subtly wrong one, in two benchmarks.

SugarCrepe's wrong captions are fluent, with one thing wrong, in seven groups; FOIL's are the same
caption with one noun replaced.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from captious.errors import InputError, short_repr
from captious.io.inputs import read_text
from captious.io.json import decode_json
from captious.meta.benchmarks.benchmark import PREFERENCES, Benchmark, Files
from captious.meta.benchmarks.coco import (
    CAPTIONS,
    FOLDERS,
    SOURCE,
    image_number,
    read_captions,
)
from captious.meta.benchmarks.columns import text_or_stop
from captious.meta.judgements import Preferences
from captious.meta.protocol import ACCURACY

SUGARCREPE_GROUPS = tuple(
    "add_att add_obj replace_att replace_obj replace_rel swap_att swap_obj".split()
)  # of SugarCrepe
FOIL_FILE = "foil-it.json"


def read_sugarcrepe(files: Files) -> Preferences:
    """All 7,511 pairs, the correct caption first, beside all of their images' captions."""
    parts = {f"{group}.json": group for group in SUGARCREPE_GROUPS}
    return _read_choices(files, parts, ("filename", "caption", "negative_caption"))


def read_foil(files: Files) -> Preferences:
    """The 1,000 pairs of VALSE's selection, the correct caption first.

    Some 37 of the captions that count as correct are themselves damaged ("basebat" for
    "baseball"), so that no reference equals them.
    """
    return _read_choices(files, {FOIL_FILE: "all"}, ("image_file", "caption", "foil"))


def _read_choices(
    files: Files, parts: Mapping[str, str], names: tuple[str, str, str]
) -> Preferences:
    """Pairs from files of entries by number, each file a group: the correct caption stands first.

    `names` are what the files call the image's file, the correct caption and the wrong one. The
    references are all of the image's captions; the protocol drops the correct one from them.
    """
    paths = {files.find(name): group for name, group in parts.items()}
    references = read_captions(files)
    pairs: list[tuple[str, str]] = []
    images: list[Any] = []
    groups: list[str] = []
    for path, group in paths.items():
        entries = decode_json(read_text(path), str(path))
        if not isinstance(entries, dict) or not entries:
            raise InputError(f"{path}: expected an object of entries by number; download it again")
        for key, entry in entries.items():
            where = f"{path}: entry {short_repr(key)}"
            try:
                file_name, right, wrong = (text_or_stop(entry[name]) for name in names)
            except (KeyError, TypeError):
                raise InputError(f"{where}: expected {', '.join(map(repr, names))}") from None
            image = image_number(file_name, where)
            if image not in references:
                raise InputError(
                    f"{where}: image {short_repr(image, 40)} has no captions in val2014"
                )
            pairs.append((right, wrong))
            images.append(image)
            groups.append(group)
    sets = [references[image] for image in images]
    return Preferences(pairs, sets, images, np.zeros(len(pairs), dtype=np.int64), groups)


SUGARCREPE = Benchmark(
    "sugarcrepe",
    "SugarCrepe: a caption against a fluent one with one thing wrong",
    PREFERENCES,
    (*(f"{group}.json" for group in SUGARCREPE_GROUPS), CAPTIONS),
    ("sugarcrepe", "sugarcrepe/data", *FOLDERS),
    "Hsieh et al. 2023 (https://github.com/RAIVNLab/sugar-crepe, folder data), its references "
    f"from {SOURCE}",
    read_sugarcrepe,
    common_choices={"statistic": ACCURACY, "own": "drop_reference"},
)
FOIL = Benchmark(
    "foil",
    "FOIL: a caption against the same with one noun replaced",
    PREFERENCES,
    (FOIL_FILE, CAPTIONS),
    ("foil", *FOLDERS),
    "VALSE, Parcalabescu et al. 2022 (https://github.com/Heidelberg-NLP/VALSE, folder data), after "
    f"Shekhar et al. 2017; its references from {SOURCE}",
    read_foil,
    common_choices={"statistic": ACCURACY, "own": "drop_reference"},
)
