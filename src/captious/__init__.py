"""Captious, a critic of image captions: the public interface and nothing else.

A name is imported when it is first asked for, so that `import captious` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from captious.version import __version__

if TYPE_CHECKING:
    from captious.comparison.leaderboard import Leaderboard, leaderboard
    from captious.comparison.two_systems import Comparison, compare
    from captious.corpus import Corpus
    from captious.diagnostics.check.check import check
    from captious.diagnostics.check.findings import Findings
    from captious.diagnostics.diversity.diversity import Diversities, Diversity
    from captious.diagnostics.diversity.measuring import diversities, diversity
    from captious.diagnostics.explanation import Explanation, explain
    from captious.errors import CaptiousError, CaptiousWarning
    from captious.metrics.cider.document_frequencies import DocumentFrequencies
    from captious.metrics.declarations import GROUPS, METRICS
    from captious.report.systems.report_data import write_report
    from captious.result import Result
    from captious.scorer import Scorer, score
    from captious.text.scene.scene_graph import scene_graph

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
    "comparison.leaderboard": ("Leaderboard", "leaderboard"),
    "comparison.two_systems": ("Comparison", "compare"),
    "corpus": ("Corpus",),
    "diagnostics.check.check": ("check",),
    "diagnostics.check.findings": ("Findings",),
    "diagnostics.diversity.diversity": ("Diversities", "Diversity"),
    "diagnostics.diversity.measuring": ("diversities", "diversity"),
    "diagnostics.explanation": ("Explanation", "explain"),
    "errors": ("CaptiousError", "CaptiousWarning"),
    "metrics.cider.document_frequencies": ("DocumentFrequencies",),
    "metrics.declarations": ("GROUPS", "METRICS"),
    "report.systems.report_data": ("write_report",),
    "result": ("Result",),
    "scorer": ("Scorer", "score"),
    "text.scene.scene_graph": ("scene_graph",),
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
