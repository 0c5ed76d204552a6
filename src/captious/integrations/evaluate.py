"""Captious as a module of Hugging Face's evaluate.

    evaluate.load(captious.integrations.evaluate_module(), "cider_d,captious")

`evaluate` copies this file into its cache and imports the copy: relative imports would fail here.
"""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from captious.integrations.argument_checks import as_references
from captious.registry import Names
from captious.scorer import score

USAGE = """
Args:
    predictions: captions, one per image.
    references: for each caption, a list of reference captions, or a single one.
    metrics: which metrics; by default those that the module was loaded with, or the usual ones.
    intervals: whether to add the ends of each score's 95% confidence interval.
    signature: whether to add the signature, under "signature".
    Further options, such as df="coco-val2014", go to the metrics that have them.
Returns:
    The corpus score of each metric by its name; with intervals also name_low and name_high.
"""


class Captious(evaluate.Metric):  # type: ignore[misc]
    """Scores of captions against references; the configuration's name says which metrics."""

    def _info(self) -> Any:
        text = datasets.Value("string")
        one, several = text, datasets.Sequence(text)
        return evaluate.MetricInfo(
            description=self.__doc__,
            citation="",
            inputs_description=USAGE,
            features=[
                datasets.Features({"predictions": text, "references": references})
                for references in (several, one)
            ],
        )

    def _compute(
        self,
        predictions: Any,
        references: Any,
        metrics: Names = None,
        intervals: bool = False,
        signature: bool = False,
        **options: Any,
    ) -> dict[str, Any]:
        named = None if self.config_name == "default" else self.config_name
        sets = [
            as_references(each, f"references, row {row}") for row, each in enumerate(references)
        ]
        result = score(predictions, sets, named if metrics is None else metrics, **options)
        scores: dict[str, Any] = dict(result.corpus)
        if intervals:
            for name in result.columns:
                scores[f"{name}_low"], scores[f"{name}_high"] = result.interval(name)
        if signature:
            scores["signature"] = result.signature
        return scores
