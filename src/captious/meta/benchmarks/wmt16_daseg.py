"""WMT16 DAseg: machine translations into English, rated segment by segment."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path

import numpy as np

from captious.errors import InputError, short_repr
from captious.io.inputs import read_text
from captious.meta.benchmarks.benchmark import RATINGS, Benchmark, Files
from captious.meta.benchmarks.columns import finite_or_stop
from captious.meta.judgements import Ratings, Unnamed
from captious.meta.protocol import PAIR

LANGUAGES = ("cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en")
KINDS = ("mt-system", "reference", "human")


def read(files: Files) -> Ratings:
    """560 translations from each of six languages; the groups are the language pairs.

    Several systems may have translated one segment: translations with one reference belong to
    one `image` without a name, so that they are resampled together.
    """
    candidates: list[str] = []
    references: list[list[str]] = []
    images: list[Hashable] = []
    ratings: list[float] = []
    groups: list[str] = []
    for pair in LANGUAGES:
        paths = [files.find(_file_name(kind, pair)) for kind in KINDS]
        translations, segments, scores = (_read_lines(path) for path in paths)
        if not len(translations) == len(segments) == len(scores):
            raise InputError(
                f"{paths[0]}: {len(translations)} translations, {len(segments)} references and "
                f"{len(scores)} scores of {pair}; download the three files again"
            )
        first: dict[str, int] = {}
        for line, segment in enumerate(segments, 1):
            first.setdefault(segment, line)
        candidates += translations
        references += [[segment] for segment in segments]
        images += [Unnamed(f"{pair} {first[segment]}") for segment in segments]
        ratings += [_parse_number(paths[2], line, score) for line, score in enumerate(scores, 1)]
        groups += [pair] * len(translations)
    return Ratings(candidates, references, images, np.array(ratings)[:, None], groups)


def _file_name(kind: str, pair: str) -> str:
    return f"DAseg.newstest2016.{kind}.{pair}"


def _read_lines(path: Path) -> list[str]:
    # Not splitlines: other line separators may stand inside a sentence.
    return read_text(path).removesuffix("\n").split("\n")


def _parse_number(path: Path, line: int, text: str) -> float:
    try:
        return finite_or_stop(text)
    except ValueError:
        raise InputError(f"{path}: line {line}: {short_repr(text)} is not a number") from None


WMT16_DASEG = Benchmark(
    "wmt16-daseg",
    "WMT16 DAseg: translations from six languages into English",
    RATINGS,
    tuple(_file_name(kind, pair) for pair in LANGUAGES for kind in KINDS),
    ("wmt16_daseg", "DAseg-wmt-newstest2016"),
    "the WMT16 metrics task, DAseg-wmt-newstest2016 (https://www.statmt.org/wmt16/metrics-task/)",
    read,
    is_mean=True,
    common_choices={"raters": "mean", "documents": PAIR, "statistic": "kendall_b"},
)
