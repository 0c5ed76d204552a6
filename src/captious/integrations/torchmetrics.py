"""CaptionMetric: captions scored batch by batch, as a metric of torchmetrics.

Each process keeps sums of its samples' statistics, and the sums of all processes are added: the
score equals that of all samples scored at once, to the last bit. Metrics that count document
frequencies in the references (CIDEr-D without `df`) have no statistics before all references are
known; their captions are kept and gathered instead. In both cases the score equals that of
`captious.score`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious._internal.checks.arguments import check_arguments
from captious.corpus import Corpus, as_list
from captious.errors import InputError, MissingDependencyError
from captious.integrations.argument_checks import as_references
from captious.metrics.base import Metric
from captious.metrics.function import FunctionMetric
from captious.registry import Names, Selection, select_and_warn
from captious.result import Result, count_statistics, scores_by_column
from captious.scorer import score
from captious.stats.exact_sums import MAX_DIGITS, column_sums_as_digits, sums_from_digits
from captious.text.languages import ENGLISH, language_code, tokenizer_for

try:
    import torch
    import torchmetrics
except ImportError:
    raise MissingDependencyError(
        "this metric is for torchmetrics, which is not installed: pip install "
        "'captious[torchmetrics]'"
    ) from None


class CaptionMetric(torchmetrics.Metric):  # type: ignore[misc]
    """One metric or several: `update(candidates, references)`, `compute()`, `reset()`.

    `compute` returns a tensor of double precision, or a dict of tensors for several columns.
    `options` are the metrics' (`{"df": "coco-val2014"}`); `tokenizer` and `language` are those of
    `captious.score`; further arguments are those of every torchmetrics metric.
    """

    samples: torch.Tensor
    pieces: torch.Tensor  # of the sums of statistics
    captions: list[torch.Tensor] | torch.Tensor  # as text in bytes; joined where processes meet
    signature: torch.Tensor

    is_differentiable = False
    full_state_update = False

    @check_arguments
    def __init__(
        self,
        metrics: Names = None,
        *,
        options: Mapping[str, Any] | None = None,
        tokenizer: str | None = None,
        language: str = ENGLISH,
        cache: bool = True,
        **others: Any,
    ) -> None:
        super().__init__(**others)
        self.selection = select_and_warn(metrics, options, language)
        self.language = language_code(language)
        self.tokenizer, self.cache = tokenizer_for(self.language, tokenizer), cache
        self.summed_metrics = tuple(m for m in self.selection.metrics if not m.needs_whole_corpus)
        self.gathered_metrics = tuple(m for m in self.selection.metrics if m.needs_whole_corpus)
        self.add_state("samples", torch.zeros((), dtype=torch.int64), dist_reduce_fx="sum")
        size = sum(map(count_statistics, self.summed_metrics))
        pieces = torch.zeros((size, MAX_DIGITS), dtype=torch.int64)
        self.add_state("pieces", pieces, dist_reduce_fx="sum")
        self.add_state("captions", [], dist_reduce_fx="cat")
        # Collections take metrics with equal states for one; so these say what they are of.
        self._bytes = self._signature_bytes()
        self.add_state("signature", self._bytes.clone(), dist_reduce_fx="max")

    @property
    def higher_is_better(self) -> bool | None:
        """Whether a higher score is better; None if there are metrics of both kinds."""
        worse = {metric.lower_is_better for metric in self.selection.metrics}
        return None if len(worse) > 1 else True not in worse

    def update(self, candidates: Iterable[str], references: Iterable[Any]) -> None:
        """Add a batch: captions, and for each a list of references, or a single one."""
        self._check_state()
        sets = [
            as_references(given, f"references, row {row}")
            for row, given in enumerate(as_list(references, "references"))
        ]
        corpus = Corpus.of(candidates, sets)
        if self.summed_metrics:
            rows = self._score(corpus, self.summed_metrics).stacked(self.summed_metrics)
            if not np.isfinite(rows).all():  # of a metric that is not ours
                raise InputError(
                    "a metric's statistics are no finite numbers: nothing can be summed"
                )
            self.pieces += torch.from_numpy(column_sums_as_digits(rows)).to(self.pieces.device)
        if self.gathered_metrics:
            line = json.dumps([corpus.candidates, sets]) + "\n"
            captions = np.frombuffer(line.encode(), np.uint8).copy()
            self.captions.append(torch.from_numpy(captions).to(self.device))
        self.samples += len(corpus)

    def compute(self) -> Any:
        """The score of all samples that were added, by all processes."""
        self._check_state()
        if not int(self.samples):
            raise InputError("no samples: call update before compute")
        scores: dict[str, Any] = {**self._scores_of_sums()}
        if self.gathered_metrics:
            scores |= self._score(self._corpus_of_all_processes(), self.gathered_metrics).corpus
        tensors = {name: self._tensor(scores[name]) for name in self.selection.columns}
        return next(iter(tensors.values())) if len(tensors) == 1 else tensors

    def sync(self, *arguments: Any, **options: Any) -> None:
        """Gather the states of all processes; one without captions contributes an empty tensor."""
        if self.gathered_metrics and not len(self.captions):
            self.captions = [torch.zeros(0, dtype=torch.uint8, device=self.device)]
        super().sync(*arguments, **options)

    def _scores_of_sums(self) -> dict[str, FloatArray]:
        return scores_by_column(self.summed_metrics, sums_from_digits(self.pieces.cpu().numpy()))

    def _corpus_of_all_processes(self) -> Corpus:
        """All captions that were added, process by process."""
        parts = self.captions if isinstance(self.captions, list) else [self.captions]
        text = b"".join(part.cpu().numpy().tobytes() for part in parts)
        candidates: list[str] = []
        sets: list[list[str]] = []
        for line in text.decode().splitlines():
            more_candidates, more_sets = json.loads(line)
            candidates += more_candidates
            sets += more_sets
        return Corpus.of(candidates, sets)

    def _score(self, corpus: Corpus, metrics: tuple[Metric, ...]) -> Result:
        columns = tuple(column for metric in metrics for column in metric.columns)
        selection = Selection(metrics, columns)
        return score(
            corpus,
            metrics=selection,
            tokenizer=self.tokenizer,
            language=self.language,
            cache=self.cache,
        )

    def _tensor(self, value: Any) -> torch.Tensor:
        # Apple's processors have no double precision.
        kind = torch.float32 if self.device.type == "mps" else torch.float64
        return torch.tensor(float(value), dtype=kind, device=self.device)

    def _signature_bytes(self) -> torch.Tensor:
        """What scores depend on, as 32 bytes."""
        addresses = [str(metric.signature()) for metric in self.selection.metrics]
        functions = [
            _describe_function(m.function)
            for m in self.summed_metrics
            if isinstance(m, FunctionMetric)
        ]
        text = "\n".join([self.tokenizer, self.language, *addresses, *functions])
        return torch.tensor(list(hashlib.sha256(text.encode()).digest()), dtype=torch.uint8)

    def _check_state(self) -> None:
        if not torch.equal(self.signature.cpu(), self._bytes):
            raise InputError(
                "the state is of other metrics than "
                f"{', '.join(metric.name for metric in self.selection.metrics)}; load it into the "
                "metric that it was saved from"
            )


def _describe_function(function: Any) -> str:
    """Where a function is defined, the same in every process; its name alone may not be unique."""
    line = getattr(getattr(function, "__code__", None), "co_firstlineno", "")
    names = (getattr(function, name, "") for name in ("__module__", "__qualname__"))
    return ":".join([*map(str, names), str(line)])
