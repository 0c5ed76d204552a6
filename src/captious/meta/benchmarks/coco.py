"""COCO: captions of 2014 as references, and what people said of the 2015 challenge's systems."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.errors import InputError, short_repr
from captious.io.captions import read_candidates, read_references
from captious.io.inputs import is_folder, read_text
from captious.io.json import decode_json
from captious.meta.benchmarks.benchmark import SYSTEMS, Benchmark, Files
from captious.meta.benchmarks.columns import finite_or_stop, text_or_stop
from captious.meta.judgements import Ratings
from captious.stats.correlation import PEARSON

CAPTIONS = "captions_val2014.json"
FOLDERS = ("coco", "coco/annotations", "annotations")
SOURCE = "COCO's 2014 train/val annotations (https://cocodataset.org/#download)"


def read_captions(files: Files) -> dict[str, list[str]]:
    """Read the captions of val2014, of which val2017 is a part."""
    return read_references(files.find(CAPTIONS))


def image_number(file_name: str, where: str) -> str:
    """The image's id from a file's name: 165831 for `COCO_val2014_000000165831.jpg`."""
    stem, _, ending = file_name.rpartition(".")
    digits = stem[len(stem.rstrip(string.digits)) :]
    if not digits or not set(ending) <= set(string.ascii_letters) or not ending:
        raise InputError(f"{where}: no number of a COCO image in {short_repr(file_name)}")
    return digits.lstrip("0") or "0"


FILE = "cap_challenge2015.json"
FOLDER = "systems_2015"
MEASURES = ("M1", "M2", "M3", "M4", "M5")  # the columns of the ratings
MIN_SYSTEMS = 3  # two points always lie on a line


def read(files: Files, *, systems: str | Path | Mapping[str, str | Path] | None = None) -> Ratings:
    """Read every caption of every system with what people said of the system, M1 to M5.

    `systems` is a folder of COCO results files named after the teams, such as
    `captions_val2014_NeuralTalk_results.json`, or a dict from team to file; without it, the folder
    `systems_2015` beside the judgements. The groups are the teams.
    """
    judgements = _read_judgements(files.find(FILE))
    paths = _find_results(files, systems, list(judgements))
    if len(paths) < MIN_SYSTEMS:
        raise InputError(
            f"captions of {len(paths)} systems: a correlation needs at least {MIN_SYSTEMS}; the "
            f"teams are: {', '.join(judgements)}"
        )
    captions = read_captions(files)
    candidates: list[str] = []
    images: list[str] = []
    groups: list[str] = []
    described: set[str] = set()
    for team, path in paths.items():
        written = read_candidates(path).captions
        described = described or set(written)
        odd = next(iter((described ^ set(written)) | (set(written) - set(captions))), None)
        if odd is not None:
            raise InputError(
                f"{path}: image {odd} is not described by all systems or has no captions in "
                f"{CAPTIONS}; systems are compared on the same images"
            )
        images += written
        candidates += written.values()
        groups += [team] * len(written)
    ratings = np.array([judgements[team] for team in groups])
    return Ratings(candidates, [captions[i] for i in images], list(images), ratings, groups)


def _read_judgements(path: Path) -> dict[str, FloatArray]:
    """M1 to M5 of each team; the leaderboard calls them q1 to q5."""
    entries = decode_json(read_text(path), str(path))
    teams: dict[str, FloatArray] = {}
    try:
        for entry in entries:
            results: Any = entry["results"]
            results = decode_json(results, str(path)) if isinstance(results, str) else results
            team = text_or_stop(entry["team"]["name"])
            teams[team] = np.array([finite_or_stop(results[f"q{place}"]) for place in range(1, 6)])
    except (LookupError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{path}: not the challenge's leaderboard, a list of entries with a team's name and "
            f"results q1 to q5 ({type(error).__name__}: {error})"
        ) from None
    return teams


def _find_results(
    files: Files, systems: str | Path | Mapping[str, str | Path] | None, teams: list[str]
) -> dict[str, Path]:
    """The file of captions of each team that has one."""
    if isinstance(systems, Mapping):
        named = [(team, Path(path)) for team, path in systems.items()]
    else:
        folder = files.find_folder(FOLDER) if systems is None else Path(systems)
        if folder is None or not is_folder(folder):
            raise InputError(
                f"{folder or files.folder / FOLDER}: no folder with the systems' captions of "
                "val2014, which are not distributed; ask the teams, and name each file after "
                "its team: "
                f"{', '.join(teams)}"
            )
        inside = sorted(folder.iterdir())
        named = [(_system_name(path), path) for path in inside if ".json" in path.suffixes]
    by_letters = {_letters_only(team): team for team in teams}
    paths: dict[str, Path] = {}
    for name, path in named:
        team = by_letters.get(_letters_only(name))
        if team is None:
            raise InputError(
                f"{path}: no team is called {name!r}; name the file after one of: "
                f"{', '.join(teams)}"
            )
        if team in paths:
            raise InputError(f"{path}: a second file for {team}, beside {paths[team]}; keep one")
        paths[team] = path
    return paths


def _system_name(path: Path) -> str:
    """The system's name in a file named as COCO asks: captions_SPLIT_NAME_results.json."""
    stem = path.name.partition(".json")[0]
    return re.sub(r"^captions_[A-Za-z0-9]+_|_results$", "", stem)


def _letters_only(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.lower())


COCO_2015 = Benchmark(
    "coco-2015",
    "COCO 2015: five judgements of each of the challenge's systems",
    SYSTEMS,
    (FILE, CAPTIONS, f"{FOLDER}/"),
    FOLDERS,
    f"the leaderboard of the 2015 captioning challenge (https://cocodataset.org/) and {SOURCE}",
    read,
    ("systems",),
    common_choices={"raters": "mean", "statistic": PEARSON},
)
