"""Word probabilities of a captioner, and tables for the search among pre-gen metrics."""

from __future__ import annotations

import gzip
from functools import partial

import numpy as np

from captious.pregen.files import read_probabilities
from captious.pregen.scoring import pregen_scores
from captious.pregen.search_table import read_search_table
from tests.fuzz.file_kind import Command, FileKind, Files, Reader
from tests.fuzz.kinds.captions_in_files import format_rows
from tests.fuzz.kinds.vectors_in_files import npz

ROWS = [
    {"image": image, "probabilities": given, "is_first": first}
    for image, given, first in (
        ("a", [0.5, 0.25, 1.0], [True, False, True]),
        ("a", [0.9, 0.1], [True, True]),
        ("b", [0.0, 0.3], [False, False]),
    )
]
SEARCH = [
    {
        "dataset": data, "architecture": "init", "run": str(run), "cider_d": 0.1 * run + len(data),
        "mean_max_normcount_prefix0": 0.3 + 0.07 * run * run, "geomean_join_pplx_none": 9.0 - run,
    }
    for data in ("x", "yy")
    for run in range(4)
]  # fmt: skip

WRITTEN = [
    {"id": "a", "candidate": "a dog on a bench", "references": ["the dog sits", "a dog outside"]},
    {"id": "b", "candidate": "two cats", "references": ["cats in a garden"]},
]


def _arrays() -> Files:
    return {
        "p.npz": npz(
            probabilities=np.array([0.5, 0.25, 1.0, 0.9, 0.1, 0.0, 0.3]),
            is_first=np.array([1, 0, 1, 1, 1, 0, 0], np.bool_),
            caption_offsets=np.array([0, 3, 5, 7]),
            image_offsets=np.array([0, 2, 3]),
            images=np.array(["a", "b"]),
        )
    }


def _rows(ending: str) -> Files:
    return {f"p{ending}": format_rows(ROWS, ending)}


def _probabilities(ending: str, sound: partial[Files], share: float) -> FileKind:
    name = f"p{ending}"
    return FileKind(
        f"pregen{ending.replace('.', '-')}",
        share,
        sound,
        [
            Reader(lambda folder: pregen_scores(read_probabilities(folder / name), "all")),
            Reader(lambda folder: read_probabilities(folder / name)),
            Command(f"pregen score @{name} --format json"),
            Command(f"pregen score @{name} --metrics all --variant released --format json"),
        ],
        needs=("pyarrow",) if ending == ".parquet" else (),
    )


def _search(ending: str) -> FileKind:
    name = f"s{ending}"

    def sound() -> Files:
        plain = ending.removesuffix(".gz")
        content = format_rows(SEARCH, ".csv" if plain == ".tsv" else plain)
        content = content.replace(b",", b"\t") if plain == ".tsv" else content
        return {name: gzip.compress(content, 1, mtime=0) if ending.endswith(".gz") else content}

    return FileKind(
        f"pregen-search{ending.replace('.', '-')}",
        0.5,
        sound,
        [
            Reader(lambda folder: read_search_table(folder / name)),
            Command(f"pregen search @{name} --resamples 5 --format json"),
            Command(f"pregen search @{name} --resamples 5 --output @r.jsonl", ("r.jsonl",)),
            Command(f"pregen search @{name} @{name} --resamples 0 --format json"),
        ],
    )


def strata_files() -> Files:
    """Word probabilities of a model, and what it wrote of the same images."""
    return {**_arrays(), "c.jsonl": format_rows(WRITTEN, ".jsonl")}


def _strata() -> FileKind:
    line = "pregen strata @p.npz --candidates @c.jsonl --strata 2 --post cider_d,rouge_l"
    few = "--metrics mean_max_normcount_prefix0,perplexity --format json"
    return FileKind(
        "pregen-strata",
        0.5,
        strata_files,
        [
            Command(f"{line} {few} --output @t.csv", ("t.csv",)),
            Command(f"{line} --references @c.jsonl --output @t.jsonl --quiet", ("t.jsonl",)),
        ],
    )


KINDS: list[FileKind] = [
    _probabilities(".npz", partial(_arrays), 2.0),
    *(
        _probabilities(ending, partial(_rows, ending), 1.0)
        for ending in (".json", ".jsonl", ".parquet")
    ),
    *map(_search, (".csv", ".tsv", ".jsonl", ".csv.gz")),
    _strata(),
]
