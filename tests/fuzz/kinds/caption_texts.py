"""Captions of odd text through every metric that runs here, and what must hold for their scores."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import captious
from captious.result import Result
from tests.fuzz import odd_values
from tests.fuzz.kind import ACCEPTED, Case, Kind, shorter_lists
from tests.fuzz.oracle import Fault

FREQUENCIES = "coco-val2014"  # with references' own, a sample's score depends on the others
ROUNDING = 1e-9
# Chances, which are never certain; views of vectors; form, which reads no reference; and what is
# better the lower it is.
NO_MAXIMUM = ("nneval", "lceval", "leic", "captious", "captious_full", "support",
              "encoder_consensus", "form", "hallucination", "chair")  # fmt: skip
# Captions without an object, a chain or a known word have nothing to match.
MAY_LACK = ("spice", "spider", "hwcm", "hwcm_dep", "wmd", "mowe", "bertscore_multiref",
            "unigram_multiref", "consensus")  # fmt: skip
PARSED = ("spice", "spider", "hwcm", "hwcm_dep", "nneval", "lceval")
ENCODED = ("bertscore", "bertscore_multiref", "encoder_consensus", "captious_full", "leic")


class CaptionTexts(Kind):
    """A few samples, and for some metrics all that must hold for their scores."""

    def __init__(
        self, name: str, share: float, metrics: tuple[str, ...], needs: tuple[str, ...] = ()
    ) -> None:
        self.name, self.share, self._metrics, self.needs = name, share, metrics, needs

    def make(self, random: Random) -> Case:
        """Candidates, each with a few references, now and then equal to one."""
        rows = []
        for _ in range(random.choice((1, 2, 2, 3))):
            references = [odd_values.text(random) for _ in range(random.choice((1, 1, 2, 3)))]
            own = random.random() < 0.3
            rows.append([random.choice(references) if own else odd_values.text(random), references])
        metrics = random.sample(self._metrics, random.choice((1, 1, 2)))
        return {"rows": rows, "metrics": metrics, "order": random.randrange(1 << 30)}

    def run(self, case: Case, folder: Path) -> str:
        """Score, and check."""
        rows = [(candidate, references) for candidate, references in case["rows"]]
        found = _score(rows, case["metrics"])
        _check_numbers(found)
        order = list(range(len(rows)))
        Random(case["order"]).shuffle(order)
        _check_same(found, _score([rows[row] for row in order], case["metrics"]), order, "shuffled")
        row = order[0]
        alone = _score([rows[row]], case["metrics"])
        for name in found.columns:
            if alone.samples[name][0] != found.samples[name][row]:
                raise Fault(f"{name}: another score alone than beside others", repr(rows[row]))
        _check_maximum(rows, found)
        return ACCEPTED

    def smaller(self, case: Case) -> Iterable[Case]:
        """With fewer metrics, samples, references and letters."""
        for metric in case["metrics"]:
            if len(case["metrics"]) > 1:
                yield {**case, "metrics": [metric]}
        for rows in shorter_lists(case["rows"]):
            if rows:
                yield {**case, "rows": rows}
        for place, (candidate, references) in enumerate(case["rows"]):
            changed: list[list[Any]] = [
                *([candidate, fewer] for fewer in shorter_lists(references) if fewer),
                *([shorter, references] for shorter in _shorter(candidate)),
                *(
                    [candidate, [*references[:at], shorter, *references[at + 1 :]]]
                    for at, text in enumerate(references)
                    for shorter in _shorter(text)
                ),
            ]
            for row in changed:
                yield {**case, "rows": [*case["rows"][:place], row, *case["rows"][place + 1 :]]}


@cache
def _create_metric(name: str) -> Any:
    kind: Any = captious.METRICS[name]
    return kind(df=FREQUENCIES) if "df" in kind.parameters() else kind()


def _score(rows: list[tuple[str, list[str]]], metrics: list[str]) -> Result:
    candidates = [candidate for candidate, _ in rows]
    references = [own for _, own in rows]
    return captious.score(
        candidates, references, [_create_metric(name) for name in metrics], cache=False
    )


def _check_numbers(found: Result) -> None:
    for metric in found.metrics:
        low, high = metric.bounds
        for name in metric.columns:
            scores = found.samples[name]
            if not np.isfinite(scores).all() or not np.isfinite(found.corpus[name]):
                raise Fault(f"{name}: a score that is not a number", str(scores))
            if (scores < low - ROUNDING).any() or (scores > high + ROUNDING).any():
                raise Fault(f"{name}: a score out of bounds", str(scores))


def _check_same(one: Result, other: Result, order: list[int], when: str) -> None:
    for name in one.columns:
        same = one.samples[name][order].tolist() == other.samples[name].tolist()
        if not same or one.corpus[name] != other.corpus[name]:
            raise Fault(f"{name}: another score when samples are {when}")


def _check_maximum(rows: list[tuple[str, list[str]]], found: Result) -> None:
    """A caption with words that is one of its references has the highest score there is."""
    for metric in found.metrics:
        if metric.name in (*NO_MAXIMUM, *MAY_LACK):
            continue
        for row, (candidate, references) in enumerate(rows):
            if references != [candidate] or len(_tokens(candidate)) < 4:
                continue
            for name in metric.columns:
                score = found.samples[name][row]
                if abs(score - metric.bounds[1]) > 1e-6:
                    raise Fault(f"{name}: {score} where candidate and reference are one", candidate)


def _tokens(caption: str) -> list[str]:
    from captious.text.tokenizer.tokenizer import tokenize

    return tokenize(caption)


def _shorter(text: str) -> Iterable[str]:
    words = text.split(" ")
    for fewer in shorter_lists(words):
        yield " ".join(fewer)
    if len(words) == 1 and len(text) > 1:
        for letters in shorter_lists(list(text)):
            yield "".join(letters)


QUICK = tuple(
    name
    for name, metric in captious.METRICS.items()
    if not metric.needs_images and name not in (*PARSED, *ENCODED)
)
KINDS: list[Kind] = [
    CaptionTexts("caption-texts", 6.0, QUICK),
    CaptionTexts("caption-texts-parsed", 0.25, PARSED),
    CaptionTexts("caption-texts-encoded", 0.2, ENCODED, ("onnxruntime",)),
]
