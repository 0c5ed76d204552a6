"""The header of a metric's page, generated from the registry and from measurements."""

from __future__ import annotations

import re
from collections.abc import Iterator

from captious.metrics.base import Metric
from captious.metrics.declarations import GROUPS, METRICS
from captious.metrics.parameters import VARIANT
from captious.registry import DEFAULT
from documentation_site.measured import advice, agreement, costs

# The benchmarks that papers on captioning report, as the page of agreement calls them.
BENCHMARKS = {
    "flickr8k-expert tau_c": "Flickr8k-Expert τ_c",
    "flickr8k-cf tau_b": "Flickr8k-CF τ_b",
    "composite tau_c": "Composite τ_c",
    "pascal-50s mean": "PASCAL-50S",
}
# Packages that a metric needs, and the extra that brings them.
EXTRAS = {"onnxruntime": "encoder"}


def insert_header(text: str, page: str) -> str:
    """A metric's page with its header below the title."""
    title, _, rest = text.partition("\n")
    return "\n".join([title, "", *header_lines(page), rest])


def header_lines(page: str) -> Iterator[str]:
    """Yield the lines of the header table of a page's metrics."""
    if page not in advice():
        raise SystemExit(f"docs/which_metric.md: no row for metrics/{page} in the last table")
    metrics = metrics_of(page)
    advice_row = advice()[page]
    yield ":::{list-table}"
    yield from (":class: metric-header", ":widths: 20 80", ":stub-columns: 1", "")
    for name, text in (
        ("when to use it", advice_row["use it"]),
        ("when not", advice_row["not"]),
        ("columns", ", ".join(f"`{column}`" for metric in metrics for column in metric.columns)),
        ("range", _range(metrics)),
        ("in groups", _groups(metrics)),
        ("needs", _needs(metrics)),
        ("languages", _languages(metrics)),
        ("variant", _variant(metrics)),
        ("cost", _cost(metrics)),
        ("agreement with people", _agreement(metrics)),
    ):
        yield from (f"* - {name}", f"  - {text}")
    yield from (":::", "")


def metrics_of(page: str) -> list[type[Metric]]:
    """The metrics that a page describes, as the table of advice lists them."""
    names = re.findall(r"`(\w+)`", advice()[page]["names"])
    unknown = ", ".join(name for name in names if name not in METRICS)
    if unknown:
        raise SystemExit(f"docs/which_metric.md: no metric {unknown}, in the row of metrics/{page}")
    return [METRICS[name] for name in names]


def _format_number(value: float) -> str:
    return f"{value:.4g}".replace("-", "\N{MINUS SIGN}")


def _range(metrics: list[type[Metric]]) -> str:
    bounds = {column: metric.bounds_of(column) for metric in metrics for column in metric.columns}
    lower = any(metric.lower_is_better for metric in metrics)
    better = "lower is better" if lower else "higher is better"
    if len(set(bounds.values())) == 1:
        low, high = next(iter(bounds.values()))
        return f"{_format_number(low)} to {_format_number(high)}; {better}"
    each = (
        f"`{name}` {_format_number(low)} to {_format_number(high)}"
        for name, (low, high) in bounds.items()
    )
    return "; ".join([*each, better])


def _groups(metrics: list[type[Metric]]) -> str:
    names = {name for metric in metrics for name in (metric.name, *metric.columns)}
    groups = [group for group, members in GROUPS.items() if names & set(members)]
    text = ", ".join(f"`{group}`" for group in groups) or "none"
    scored_by_default = {*DEFAULT, *(name for group in DEFAULT for name in GROUPS.get(group, ()))}
    return f"{text}; scored by default" if names & scored_by_default else text


def _needs(metrics: list[type[Metric]]) -> str:
    packages = {EXTRAS[name] for metric in metrics for name in metric.requires}
    differ = len({(metric.requires, metric.needs_images) for metric in metrics}) > 1
    needs = ["images"] if any(metric.needs_images for metric in metrics) else []
    for extra in sorted(packages):
        names = ", ".join(f"`{metric.name}`" for metric in metrics if metric.requires)
        needs.append(f"`captious[{extra}]`" + (f" for {names}" if differ else ""))
    reference_free = [column for metric in metrics for column in metric.reference_free_columns]
    if reference_free:
        needs.append(f"no references for {', '.join(f'`{column}`' for column in reference_free)}")
    return "; ".join(needs) or "nothing but the core"


def _languages(metrics: list[type[Metric]]) -> str:
    texts = {}
    for metric in metrics:
        text = f"English ({metric.english})" if metric.english else "any"
        if metric.language_free_with:
            text += f", others with `{metric.language_free_arguments()}`"
        texts[metric.name] = text
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    return "; ".join(f"`{name}`: {text}" for name, text in texts.items())


def _variant(metrics: list[type[Metric]]) -> str:
    for metric in metrics:
        parameter = metric.parameters().get(VARIANT)
        if parameter is not None:
            alternatives = ", ".join(
                f"`{name}`" for name in parameter.choices if name != parameter.default
            )
            return (
                f"`{parameter.default}` by default; {alternatives} by `{metric.name}(variant=...)`"
            )
    return "one"


def _cost(metrics: list[type[Metric]]) -> str:
    measured = {name: costs()[name] for name in (each.name for each in metrics) if name in costs()}
    if not measured:
        return "see below"
    each = (f"`{name}` {_format_seconds(cost['seconds'])}" for name, cost in measured.items())
    return f"{', '.join(each)} of CPU time for 5,000 candidates with five references each"


def _format_seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"


def _agreement(metrics: list[type[Metric]]) -> str:
    columns = [column for metric in metrics for column in metric.columns if column in agreement()]
    lines = []
    for column in columns:
        row = agreement()[column]
        figures = (f"{label} {row[name].removeprefix('0')}" for name, label in BENCHMARKS.items())
        lines.append(f"`{column}`: {', '.join(figures)}")
    return "\\\n    ".join(lines) or "not in the table of all metrics; what is known is below"
