"""What METEOR's statistics of any caption obey: matched words are words of their kind and side."""

from __future__ import annotations

from captious.metrics.statistic_rules import StatisticRules
from captious.text.meteor.alignment import STATISTICS


def _matched(side: str, kind: str) -> tuple[str, ...]:
    """The matches of one kind of words on one side, at every stage."""
    start, end = f"{side}_", f"_{kind}"
    return tuple(name for name in STATISTICS if name.startswith(start) and name.endswith(end))


METEOR_RULES = StatisticRules.of_counts(
    STATISTICS,
    *(
        rule
        for side in ("candidate", "reference")
        for rule in (
            ((*_matched(side, "content"), f"{side}_function_words"), f"{side}_words"),
            (_matched(side, "function"), f"{side}_function_words"),
            ((f"{side}_matches",), f"{side}_words"),
            (("chunks",), f"{side}_matches"),
        )
    ),
)
