"""Captious, a critic of image captions: the public interface and nothing else.

A name is imported when it is first asked for, so that `import captious` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from captious.version import __version__

if TYPE_CHECKING:
    from captious.comparison import Comparison, compare
    from captious.corpus import Corpus
    from captious.errors import CaptiousError, CaptiousWarning
    from captious.explanation import Explanation, explain
    from captious.findings.check import check
    from captious.findings.findings import Findings
    from captious.leaderboards.leaderboard import Leaderboard, leaderboard
    from captious.metrics.cider.document_frequencies import DocumentFrequencies
    from captious.registry import GROUPS, METRICS
    from captious.report.systems.writing import write_report
    from captious.result import Result
    from captious.scene import scene_graph
    from captious.scorer import Scorer, score
    from captious.variety.diversity import Diversities, Diversity
    from captious.variety.measuring import diversities, diversity

__all__ = [
    "GROUPS",
    "METRICS",
    "CaptiousError",
    "CaptiousWarning",
    "Comparison",
    "Corpus",
    "Diversities",
    "Diversity",
    "DocumentFrequencies",
    "Explanation",
    "Findings",
    "Leaderboard",
    "Result",
    "Scorer",
    "__version__",
    "check",
    "compare",
    "diversities",
    "diversity",
    "explain",
    "leaderboard",
    "scene_graph",
    "score",
    "write_report",
]
_HOMES = {
    "registry": ("GROUPS", "METRICS"),
    "comparison": ("Comparison", "compare"),
    "corpus": ("Corpus",),
    "errors": ("CaptiousError", "CaptiousWarning"),
    "explanation": ("Explanation", "explain"),
    "findings.check": ("check",),
    "findings.findings": ("Findings",),
    "leaderboards.leaderboard": ("Leaderboard", "leaderboard"),
    "metrics.cider.document_frequencies": ("DocumentFrequencies",),
    "report.systems.writing": ("write_report",),
    "result": ("Result",),
    "scene": ("scene_graph",),
    "scorer": ("Scorer", "score"),
    "variety.diversity": ("Diversities", "Diversity"),
    "variety.measuring": ("diversities", "diversity"),
}


def __getattr__(name: str) -> Any:
    home = next((home for home, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module 'captious' has no attribute {name!r}")
    value = getattr(import_module(f"captious.{home}"), name)
    globals()[name] = value  # found at once the next time
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
