"""Captions of odd text through `captious.check` and every tokenizer, and what must hold of it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from random import Random

import captious
from captious.diagnostics.check.findings import SEVERITIES, Findings
from captious.io.output_tables import FORMATS
from captious.text.analysis import TOKENIZERS
from tests.fuzz import odd_values
from tests.fuzz.kind import ACCEPTED, Case, Kind, shorter_lists
from tests.fuzz.oracle import Fault

LANGUAGES = ("en", "en", "de", "zh", "ja")


class CheckedCaptions(Kind):
    """Candidates and references by ids that meet, or not."""

    name = "checked-captions"
    share = 2.0

    def make(self, random: Random) -> Case:
        """A few captions, or many that are alike."""
        count = random.choice((1, 2, 3, 25))
        captions = [odd_values.text(random) for _ in range(min(count, 4))]
        rows = [
            [
                str(number),
                random.choice(captions),
                str(number if random.random() < 0.9 else -number),
                random.choices(captions, k=random.choice((1, 2))),
            ]
            for number in range(1, count + 1)
        ]
        return {
            "rows": rows,
            "tokenizer": random.choice(list(TOKENIZERS)),
            "language": random.choice(LANGUAGES),
        }

    def run(self, case: Case, folder: Path) -> str:
        """Check, in both orders, and write what was found in every format."""
        rows = case["rows"]
        findings, backwards = (_check(several, case) for several in (rows, rows[::-1]))
        if _numbers(findings) != _numbers(backwards):
            raise Fault("other findings in another order", repr(_numbers(findings)))
        for finding in findings:
            if not 0 < finding.count <= finding.total and finding.name not in ("length", "damage"):
                raise Fault(f"{finding.name}: a count that cannot be", repr(finding))
            if finding.severity not in SEVERITIES or not finding.what or not finding.advice:
                raise Fault(f"{finding.name}: not a whole finding", repr(finding))
        for format in FORMATS:
            text = findings.to_text(format)
            if format == "json":
                json.loads(text)
        return ACCEPTED

    def smaller(self, case: Case) -> Iterable[Case]:
        """With fewer samples."""
        for rows in shorter_lists(case["rows"]):
            if rows:
                yield {**case, "rows": rows}


def _check(rows: list[list[object]], case: Case) -> Findings:
    candidates = {image: caption for image, caption, _, _ in rows}
    references = {image: captions for _, _, image, captions in rows}
    return captious.check(
        candidates,  # type: ignore[arg-type]
        references,  # type: ignore[arg-type]
        tokenizer=case["tokenizer"],
        language=case["language"],
    )


def _numbers(findings: Findings) -> list[tuple[str, str, int, int]]:
    return [(each.name, each.severity, each.count, each.total) for each in findings]


KINDS: list[Kind] = [CheckedCaptions()]
