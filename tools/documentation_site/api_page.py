"""The page of the Python interface, from docstrings."""

from __future__ import annotations

import captious

PLACE = "reference/python.md"
INTRODUCTION = """# Python interface

Everything that `import captious` offers, from the docstrings.
[From Python](../python.md) shows how it is used.

"""
TITLES = {
    "Scoring": ("score", "Scorer", "Result", "Corpus"),
    "Comparing": ("compare", "Comparison", "leaderboard", "Leaderboard", "write_report"),
    "Understanding": ("explain", "Explanation", "check", "Findings", "scene_graph"),
    "A system's captions as a whole": ("diversity", "Diversity", "diversities", "Diversities"),
    "Metrics": ("METRICS", "GROUPS", "DocumentFrequencies"),
    "Errors": ("CaptiousError", "CaptiousWarning"),
}
# What has no docstring.
TABLES = {
    "METRICS": "Every metric's class, by name.",
    "GROUPS": "What the names of groups stand for.",
}


def api_page() -> str:
    """Return the page of all public names, grouped by purpose."""
    listed = {name for names in TITLES.values() for name in names}
    missing = ", ".join(sorted(set(captious.__all__) - listed - {"__version__"}))
    if missing:
        raise SystemExit(f"in no group of tools/documentation_site/api_page.py: {missing}")
    parts = [INTRODUCTION]
    for title, names in TITLES.items():
        parts += [f"## {title}\n", *(_entry(name) for name in names)]
    return "\n".join(parts)


def _entry(name: str) -> str:
    value = getattr(captious, name)
    if isinstance(value, type):
        kind = "autoexception" if issubclass(value, BaseException) else "autoclass"
        options = "" if kind == "autoexception" else "   :members:\n"
    elif name in TABLES:
        kind, options = "data", f"\n   {TABLES[name]}\n"
    else:
        kind, options = "autofunction", ""
    return f"```{{eval-rst}}\n.. {kind}:: captious.{name}\n{options}```\n"
