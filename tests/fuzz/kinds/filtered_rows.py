"""Rows that are filtered: files of every format that is streamed, and expressions over them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path
from random import Random

from captious.streaming.filtering.functions import FUNCTIONS
from captious.streaming.filtering.names import FACTS
from tests.fuzz import odd_values
from tests.fuzz.console import judge
from tests.fuzz.file_kind import Command, FileKind, Files
from tests.fuzz.kind import ACCEPTED, Case, Kind, shorter_lists
from tests.fuzz.kinds.captions_in_files import ROWS, format_rows
from tests.fuzz.oracle import Fault

FORMATS = (".jsonl", ".csv", ".tsv", ".parquet")
FILTER_ROWS = [{**row, "n": number, "note": "x" * number} for number, row in enumerate(ROWS)]
OPTIONS = (
    *("--where n>0", "--dedup text --sample .5", "--dedup .9 --where words>1", "--where note!='x'"),
    *("--per-image 1 --by n*2-words", "--top 2 --by characters --metrics form"),
)
WORDS = (
    *("n", "note", "candidate", "id", '"n"', "nothing", *FACTS, *FUNCTIONS, "form", "captious"),
    *("AND", "OR", "NOT", "IN", "IS", "NULL", "TRUE", "false", "and", "missing", "BETWEEN"),
    *("LIKE", "ILIKE", "SELECT", "FROM", "CASE", "CAST", "EXISTS", "INTERVAL", "ESCAPE", "OVER"),
    *("read_csv(", "getenv(", "--", "/*", "::", "||", "->", ";", "[", "{", "?", "@", "$1"),
    *("<", "<=", "=", "==", "<>", "!=", ">", ">=", "+", "-", "*", "/", "(", ")", "(", ")", ","),
    *("0", ".5", "1e308", "1e-3", "9" * 20, "'a'", '"x"', "''", "`", '"', "'", "&", "\\", "\x00"),
)


OPERANDS = ("n", "note", "candidate", "words", "id", '"n"', "1", "'a'", "length(note)", "n * 2 - 1")
PREDICATES = (
    *("= 1", "<> 'a'", "< words", ">= .5", "BETWEEN 0 AND n", "NOT BETWEEN words AND 9", "IS NULL"),
    *("IS NOT NULL", "IN (1, 2)", "NOT IN ('a', 'xx')", "LIKE 'x%'", "NOT ILIKE '%_A%'", "= note"),
)


def _draw_condition(random: Random) -> list[str]:
    """Draw conditions joined by AND, OR and NOT; one word in twenty is replaced."""
    words = []
    for number in range(random.randint(1, 4)):
        connective = [random.choice(("AND", "OR"))] if number else []
        negation = ["NOT"] if random.random() < 0.3 else []
        words += [*connective, *negation, random.choice(OPERANDS), random.choice(PREDICATES)]
    return [random.choice(WORDS) if random.random() < 0.05 else word for word in words]


def _row_files(ending: str) -> Files:
    name = f"rows{ending}"
    if ending.endswith(".gz"):
        content = gzip.compress(format_rows(FILTER_ROWS, ending.removesuffix(".gz")), mtime=0)
    else:
        content = format_rows(FILTER_ROWS, ending)
    return {name: content}


def _kind_of_format(ending: str, share: float, needs: tuple[str, ...] = ()) -> Kind:
    commands = [
        Command(f"filter @rows{ending} {way} --chunk 2 --output @out{ending}", (f"out{ending}",))
        for way in OPTIONS
    ]
    kind = f"filtered-rows{ending}"
    return FileKind(kind, share, lambda: _row_files(ending), commands, needs=needs)


class Expressions(Kind):
    """Random expressions over sound rows."""

    name = "expressions"
    share = 4.0

    def make(self, random: Random) -> Case:
        """Words, some of them odd; conditions that are nearly sound; or one part repeated."""
        if random.random() < 0.05:
            word = random.choice(
                (
                    "(",
                    "-",
                    "NOT ",
                    "n = ",
                    "1 + ",
                    "abs(",
                    "n IN (",
                    "n > 1 AND ",
                    "n BETWEEN ",
                    "n LIKE ",
                )
            )
            return {"words": [word * random.choice((10, 100, 1000)), "n"]}
        if random.random() < 0.5:
            return {"words": _draw_condition(random)}
        words = [
            odd_values.text(random) if random.random() < 0.03 else random.choice(WORDS)
            for _ in range(random.randint(1, 12))
        ]
        return {"words": words}

    def run(self, case: Case, folder: Path) -> str:
        """Filter by the expression; the rows that pass must be input rows."""
        rows = folder / "rows.jsonl"
        rows.write_bytes(format_rows(FILTER_ROWS, ".jsonl"))
        expression = " ".join(case["words"])
        line = ["filter", str(rows), f"--where={expression}", "--no-scores"]
        outcome = judge([*line, "--output", str(folder / "out.jsonl")], folder, ("out.jsonl",))
        if outcome == ACCEPTED:
            before = rows.read_bytes().splitlines()
            for line_kept in (folder / "out.jsonl").read_bytes().splitlines():
                if line_kept not in before or not json.loads(line_kept):
                    raise Fault("a row that was not there", repr(line_kept))
        return outcome

    def smaller(self, case: Case) -> Iterable[Case]:
        """With fewer words."""
        for words in shorter_lists(case["words"]):
            yield {"words": words}


KINDS: list[Kind] = [
    Expressions(),
    *(_kind_of_format(ending, 1.0) for ending in FORMATS[:3]),
    _kind_of_format(".jsonl.gz", 0.5),
    _kind_of_format(".parquet", 1.0, ("pyarrow",)),
]
