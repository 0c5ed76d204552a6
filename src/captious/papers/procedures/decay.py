"""Curves of scores that fall as captions are made worse step by step."""

from __future__ import annotations

from collections.abc import Mapping

from captious.meta.robustness.pathological import STRENGTHS
from captious.papers.declaration import FLICKR8K, Scored
from captious.papers.measurements.experiment import Experiment
from captious.papers.measurements.scoring import DeclarationScorer
from captious.papers.result import Measured, Panel


def measure(
    experiment: Experiment,
    scored: Mapping[str, Mapping[str, Scored]],
    kinds: Mapping[str, str],
    on: str = FLICKR8K,
) -> Measured:
    """A panel for each set of metrics and each kind of worsening; areas stand after names."""
    scoring = DeclarationScorer(experiment)
    panels = []
    for what, by_name in scored.items():
        rows = {
            name: scoring.robustness_row(each, "pathological", on) for name, each in by_name.items()
        }
        for kind, title in kinds.items():
            curves = {
                f"{name.removeprefix('critic, ')}  {row['auc'][kind]:.3f}": tuple(
                    zip(map(float, STRENGTHS), row["curves"][kind], strict=True)
                )
                for name, row in rows.items()
            }
            panels.append(
                Panel(
                    f"{title[0].upper()}{title[1:]}: {what}",
                    "strength, %",
                    "score, that of people's captions = 1",
                    curves,
                )
            )
    return Measured(panels=tuple(panels))
