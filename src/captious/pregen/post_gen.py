"""Post-gen scores in strata: a captioner's captions of a test set, scored in any part of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks.arguments import check_arguments
from captious.registry import Names, Selection, select
from captious.result import Result, scores_by_column
from captious.scorer import Scorer, score
from captious.stats.bootstrap import exact_sum

POST_GEN = ("meteor", "cider_d", "spice", "wmd")
STRATIFIER = "cider_d"
# Metrics to which a sample is the same whatever else is scored: their statistics are computed
# once and summed in every stratum. Others, as CIDEr with its document frequencies, begin anew.
SAMPLE_BY_SAMPLE = frozenset({"bleu", "rouge_l", "meteor", "spice", "wmd", "mowe"})


class StratumScorer:
    """The references of a test set, prepared once for any number of captioners' captions of it.

    Of a metric with a column of its own name, as SPICE, only that column is a post-gen score.
    """

    @check_arguments
    def __init__(
        self,
        references: Sequence[Sequence[str]],
        metrics: Names = POST_GEN,
        *,
        tokenizer: str = "ptb",
    ) -> None:
        self.references, self.tokenizer = list(references), tokenizer
        selection = select(metrics)
        self.columns = _columns(selection)
        self.anew = _part(selection, sample_by_sample=False)
        once = _part(selection, sample_by_sample=True).metrics
        self._once = len(once)
        every = (*once, *select(STRATIFIER).metrics)
        both = Selection(every, tuple(name for each in every for name in each.columns))
        self._scorer = Scorer(self.references, both, tokenizer=tokenizer)

    @check_arguments
    def of(self, captions: Sequence[str]) -> GeneratedCaptions:
        """Captions of these images, one for each, in the references' order."""
        return GeneratedCaptions(self, list(captions), self._scorer.score(captions))

    def sums(self, result: Result, images: IntArray) -> dict[str, FloatArray]:
        """The scores of these images by the metrics that know one sample at a time."""
        once = result.metrics[: self._once]
        if not once:
            return {}
        return scores_by_column(once, exact_sum(result.stacked(once)[images]))


class GeneratedCaptions:
    """One generated caption for each image, scored against references in any stratum."""

    def __init__(self, scorer: StratumScorer, captions: list[str], whole: Result) -> None:
        self.scorer, self.captions, self._whole = scorer, captions, whole

    @property
    def cider(self) -> FloatArray:
        """The score of each caption, by which images are put into strata."""
        return self.samples[STRATIFIER]

    @property
    def samples(self) -> dict[str, FloatArray]:
        """Each caption's scores by that and by the metrics that know one sample at a time."""
        return self._whole.samples

    def __call__(self, images: IntArray) -> dict[str, float]:
        """The post-gen scores of these images alone, with document frequencies of their own."""
        scorer = self.scorer
        scores = {name: float(value) for name, value in scorer.sums(self._whole, images).items()}
        if scorer.anew.metrics:
            rows = images.tolist()
            scores |= score(
                [self.captions[row] for row in rows],
                [scorer.references[row] for row in rows],
                scorer.anew,
                tokenizer=scorer.tokenizer,
            ).corpus
        return {name: scores[name] for name in scorer.columns}


def _part(selection: Selection, *, sample_by_sample: bool) -> Selection:
    """The metrics that do, or do not, know one sample at a time."""
    chosen = tuple(
        metric
        for metric in selection.metrics
        if (metric.name in SAMPLE_BY_SAMPLE) == sample_by_sample
    )
    columns = tuple(name for metric in chosen for name in metric.columns)
    return replace(selection, metrics=chosen, columns=columns)


def _columns(selection: Selection) -> tuple[str, ...]:
    """The selected columns, but of a metric with a column of its own name that alone."""
    hidden = {
        column
        for metric in selection.metrics
        if metric.name in selection.columns
        for column in metric.columns
        if column != metric.name
    }
    return tuple(name for name in selection.columns if name not in hidden)
