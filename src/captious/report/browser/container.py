"""The data of a page as one block of text: columns of numbers, texts once each, compressed.

The block is base64 of gzip of: the length of the header (four bytes), the header (JSON, with blanks
to a multiple of four), the columns. In the header a column is named by where it begins. Numbers
lie in planes, all first bytes before all second ones, for so they compress better. The page reads
it in `assets/container.js`.
"""

from __future__ import annotations

import base64
import gzip
import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from captious.report.browser.contents import (
    Attribute,
    Bucketing,
    Cell,
    Contents,
    IntervalEstimate,
    PageTable,
    SceneTuple,
    Sentence,
    Series,
)

Header = dict[str, Any]  # as JSON has it
LEVEL = 6  # of compression: 9 takes four times as long for one hundredth less
_HALF_PAIR = re.compile("[\ud800-\udfff]")


def pack_contents(contents: Contents) -> str:
    """Return all data of the page as base64."""
    columns = _Columns()
    header = json.dumps(_header(contents, columns), separators=(",", ":"), allow_nan=False)
    head = header.encode("ascii")
    head += b" " * (-len(head) % 4)
    whole = len(head).to_bytes(4, "little") + head + b"".join(columns.pieces)
    # No name and no time of day inside, so that equal contents give equal files.
    return base64.b64encode(gzip.compress(whole, LEVEL, mtime=0)).decode("ascii")


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which no browser can show."""
    return text if text.isascii() else _HALF_PAIR.sub("\ufffd", text)


@dataclass
class _Columns:
    """Binary columns, one after another."""

    pieces: list[bytes] = field(default_factory=list)
    size: int = 0

    def numbers(self, values: npt.NDArray[Any]) -> Header:
        """Add numbers; return where they lie."""
        values = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<"))
        width = values.dtype.itemsize
        planes = values.view(np.uint8).reshape(len(values), width).T.tobytes()
        kind = {"f": "f", "u": "u"}[values.dtype.kind]
        place = {"type": f"{kind}{width}", "at": self.size, "count": len(values)}
        self.pieces.append(planes)
        self.size += len(planes)
        return place

    def whole(self, values: Iterable[int] | npt.NDArray[Any]) -> Header:
        """Add whole numbers in the narrowest type; return where they lie."""
        numbers = np.asarray(
            values if isinstance(values, np.ndarray) else list(values), dtype=np.uint64
        )
        most = int(numbers.max(initial=0))
        kind = np.uint8 if most < 1 << 8 else np.uint16 if most < 1 << 16 else np.uint32
        return self.numbers(numbers.astype(kind))

    def scores(self, values: npt.ArrayLike) -> Header:
        """Add scores to seven digits, without those that are not finite; return where they lie."""
        with np.errstate(over="ignore"):
            numbers = np.asarray(values, dtype=np.float64).astype(np.float32)
        return self.numbers(np.where(np.isfinite(numbers), numbers, np.float32(np.nan)))

    def pool(self, pool: _Pool) -> Header:
        """Add distinct texts and their lengths in UTF-16; return where they lie."""
        letters = "".join(pool.places).encode("utf-8")
        place = {"type": "u1", "at": self.size, "count": len(letters)}
        self.pieces.append(letters)
        self.size += len(letters)
        lengths = (len(text.encode("utf-16-le")) // 2 for text in pool.places)
        return {"letters": place, "lengths": self.whole(lengths)}

    def ragged(self, rows: Iterable[Sequence[int]]) -> Header:
        """Add rows of whole numbers and their lengths; return where they lie."""
        lengths: list[int] = []
        values: list[int] = []
        for row in rows:
            lengths.append(len(row))
            values.extend(row)
        return {"lengths": self.whole(lengths), "values": self.whole(values)}


@dataclass
class _Pool:
    """Distinct texts and their indices."""

    places: dict[str, int] = field(default_factory=dict)

    def place(self, text: str) -> int:
        return self.places.setdefault(replace_surrogates(text), len(self.places))

    def of(self, texts: Iterable[str]) -> list[int]:
        return [self.place(text) for text in texts]


@dataclass
class _Pools:
    """Pools of texts: searchable ones, short words, scenes, and image addresses."""

    texts: _Pool = field(default_factory=_Pool)
    words: _Pool = field(default_factory=_Pool)
    images: _Pool = field(default_factory=_Pool)
    scenes: dict[SceneTuple, int] = field(default_factory=dict)

    def scene(self, scene: Sequence[SceneTuple]) -> list[int]:
        return [self.scenes.setdefault(tuple(part), len(self.scenes)) for part in scene]


def _header(contents: Contents, columns: _Columns) -> Header:
    pools = _Pools()
    header: Header = {
        "kind": contents.kind,
        "title": contents.title,
        "count": len(contents.ids),
        "ids": columns.whole(pools.texts.of(contents.ids)),
        "measures": [
            {
                "name": measure.name,
                "label": measure.label,
                "what": measure.what,
                "low": _number(measure.low),
                "high": _number(measure.high),
                "lowerIsBetter": measure.lower_is_better,
            }
            for measure in contents.measures
        ],
        "series": [_series(series, columns, pools) for series in contents.series],
        "references": _optional(
            contents.references,
            lambda rows: columns.ragged(pools.texts.of(row) for row in rows),
        ),
        "referenceScenes": _optional(
            contents.reference_scenes,
            lambda rows: columns.ragged(pools.scene(row) for row in rows),
        ),
        "attributes": [
            _attribute(attribute, columns, pools.words) for attribute in contents.attributes
        ],
        "images": _optional(contents.images, lambda rows: columns.whole(pools.images.of(rows))),
        "boards": [_table(table) for table in contents.tables],
        "bucketings": [_bucketing(bucketing) for bucketing in contents.bucketings],
        "findings": [
            {
                "series": finding.series,
                "severity": finding.severity,
                "what": finding.what,
                "advice": finding.advice,
                "examples": list(finding.examples),
            }
            for finding in contents.findings
        ],
        "made": {
            "version": contents.made.version,
            "signatures": list(contents.made.signatures),
            "commands": list(contents.made.commands),
            "notes": list(contents.made.notes),
        },
    }
    header["scenes"] = columns.ragged(pools.words.of(part) for part in pools.scenes)
    header["texts"] = columns.pool(pools.texts)
    header["words"] = columns.pool(pools.words)
    header["addresses"] = columns.pool(pools.images)
    return header


def _series(series: Series, columns: _Columns, pools: _Pools) -> Header:
    return {
        "name": series.name,
        "captions": _optional(series.captions, lambda rows: columns.whole(pools.texts.of(rows))),
        "scores": {name: columns.scores(scores) for name, scores in series.scores.items()},
        "unsupported": _optional(
            series.unsupported, lambda rows: columns.ragged(pools.words.of(row) for row in rows)
        ),
        "missing": _optional(
            series.missing, lambda rows: columns.ragged(pools.words.of(row) for row in rows)
        ),
        "scenes": _optional(
            series.scenes, lambda rows: columns.ragged(pools.scene(row) for row in rows)
        ),
        "matched": _optional(series.matched, columns.ragged),
        "found": _optional(series.found, columns.ragged),
        "sentences": _optional(
            series.sentences,
            lambda rows: columns.ragged(_sentences(row, pools.words) for row in rows),
        ),
    }


def _sentences(sentences: Sequence[Sentence], words: _Pool) -> list[int]:
    """Return the index of each sentence's text, and its chance in thousandths."""
    pairs = ((words.place(each.text), round(1000 * each.chance)) for each in sentences)
    return [number for pair in pairs for number in pair]


def _attribute(attribute: Attribute, columns: _Columns, words: _Pool) -> Header:
    header: Header = {"name": attribute.name, "what": attribute.what}
    if isinstance(attribute.values, np.ndarray):
        header["numbers"] = columns.scores(attribute.values)
    else:
        header["words"] = columns.whole(words.of(attribute.values))
    return header


def _table(table: PageTable) -> Header:
    return {
        "title": table.title,
        "header": list(table.header),
        "rows": [
            [_cell(cell if isinstance(cell, Cell) else Cell(cell)) for cell in row]
            for row in table.rows
        ],
        "caption": table.caption,
        "texts": table.texts,
    }


def _cell(cell: Cell) -> Header:
    header: Header = {"text": cell.text}
    if cell.best:
        header["best"] = True
    if cell.estimated is not None:
        header["estimated"] = _estimated(cell.estimated)
    return header


def _bucketing(bucketing: Bucketing) -> Header:
    return {
        "title": bucketing.title,
        "note": bucketing.note,
        "buckets": [
            {
                "label": bucket.label,
                "count": bucket.count,
                "counts": None if bucket.counts is None else list(bucket.counts),
                "scores": {
                    name: [_estimated(estimated) for estimated in scores]
                    for name, scores in bucket.scores.items()
                },
            }
            for bucket in bucketing.buckets
        ],
    }


def _estimated(estimated: IntervalEstimate) -> list[float | None]:
    return [_number(estimated.value), _number(estimated.low), _number(estimated.high)]


def _number(value: float | None) -> float | None:
    """Convert a number for JSON: None if it is not finite."""
    return float(value) if value is not None and math.isfinite(value) else None


def _optional(rows: Any, packed: Any) -> Header | None:
    return None if rows is None else packed(rows)
