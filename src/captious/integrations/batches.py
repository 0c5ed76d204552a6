"""BatchScorer: adds columns of scores to batches, for `datasets` and Ray Data.

dataset.map(BatchScorer("captious"), batched=True)
dataset.map_batches(BatchScorer, fn_constructor_kwargs={"metrics": "captious"}, concurrency=2)
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from captious._internal.checks.arguments import check_arguments
from captious.corpus import ReferenceColumns
from captious.errors import InputError, short_repr
from captious.integrations.argument_checks import (
    as_caption,
    as_references,
    select_per_sample_metrics,
)
from captious.registry import Names
from captious.scorer import Scorer
from captious.text.languages import ENGLISH


class BatchScorer:
    """A callable that takes a batch of columns and returns it with columns of scores added.

    `candidate` and `references` name the columns to read; `image` names the column of image names,
    for metrics that see images. Score columns are named by `prefix` and the metric. A sample's
    score does not depend on its batch. Batches are dicts of lists or arrays, or data frames.
    """

    @check_arguments
    def __init__(
        self,
        metrics: Names = "captious",
        *,
        candidate: str = "candidate",
        references: str = "references",
        image: str | None = None,
        prefix: str = "",
        tokenizer: str | None = None,
        language: str = ENGLISH,
        cache: bool = True,
        **options: Any,
    ) -> None:
        self.selection = select_per_sample_metrics(metrics, options, language)
        self.candidate, self.references, self.image = candidate, references, image
        self.prefix, self.tokenizer, self.language = prefix, tokenizer, language
        self.cache = cache
        seeing = [metric.name for metric in self.selection.metrics if metric.needs_images]
        if seeing and image is None:
            raise InputError(f"{seeing[0]}: sees images; name the column of their names: image=...")
        if not seeing:  # so that weights and tables are loaded now, and what lacks is said now
            self._scores(["a caption"], [["a caption"]], None)

    def __call__(self, batch: Any) -> Any:
        """The batch with scores; the given batch is not changed."""
        captions = [
            as_caption(given, f"column {self.candidate!r}, row {row}")
            for row, given in enumerate(self._column(batch, self.candidate))
        ]
        sets = [
            as_references(given, f"column {self.references!r}, row {row}")
            for row, given in enumerate(self._column(batch, self.references))
        ]
        if len(captions) != len(sets):
            raise InputError(
                f"{len(captions)} rows of {self.candidate!r} but {len(sets)} of {self.references!r}"
            )
        images = None if self.image is None else list(map(str, self._column(batch, self.image)))
        scored = copy.copy(batch)
        for name, scores in self._scores(captions, sets, images).items():
            scored[f"{self.prefix}{name}"] = scores
        return scored

    def _scores(
        self, captions: list[str], sets: list[list[str]], images: list[str] | None
    ) -> dict[str, Any]:
        if not captions:  # as a filter may leave a batch
            return {name: np.empty(0) for name in self.selection.columns}
        columns = ReferenceColumns.from_sets(list(range(len(sets))), sets, images)
        scorer = Scorer(
            columns,
            self.selection,
            tokenizer=self.tokenizer,
            language=self.language,
            cache=self.cache,
        )
        rows = np.arange(len(captions))
        return scorer.score_checked(captions, columns.ids, rows).samples

    def _column(self, batch: Any, name: str) -> Any:
        try:
            return batch[name]
        except (KeyError, IndexError, TypeError):
            known = list(batch) if hasattr(batch, "keys") else short_repr(batch)
            raise InputError(f"no column {short_repr(name)} in a batch of {known}") from None
