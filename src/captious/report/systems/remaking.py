"""How to make the numbers of a report again."""

from __future__ import annotations

import shlex

from captious.report.systems.systems import Systems
from captious.text.languages import ENGLISH, tokenizer_for


def command_to_score(systems: Systems) -> list[str]:
    """The command that gives the scores, with what their signature says; none without one."""
    signature = systems.signature
    if signature is None or not signature.metrics:
        return []
    words = ["captious", "score", "CANDIDATES", "--references", "REFERENCES"]
    words += ["--metrics", ",".join(map(str, signature.metrics))]
    if signature.tokenizer != tokenizer_for(systems.language, None):
        words += ["--tokenizer", signature.tokenizer]
    if systems.language != ENGLISH:
        words += ["--language", systems.language]
    return [shlex.join([*words, "--output", "SCORES"])]
