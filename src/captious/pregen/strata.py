"""Strata: a test set split by CIDEr, so that one model gives many rows, good and bad.

Models are read from files of word probabilities and generated captions; their captions are scored
in any part of the test set.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError, short_repr
from captious.io.caption_tables import ReferencesById
from captious.io.captions import read_candidates
from captious.pregen.files import read_probabilities
from captious.pregen.names import ALL, MetricNames
from captious.pregen.probabilities import WordProbabilities
from captious.pregen.scoring import pregen_scores
from captious.pregen.search_table import MODEL_KEYS
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
        self.columns = _post_gen_columns(selection)
        self.recomputed = _select_metrics(selection, sample_by_sample=False)
        per_sample = _select_metrics(selection, sample_by_sample=True).metrics
        self._n_sample_by_sample = len(per_sample)
        all_metrics = (*per_sample, *select(STRATIFIER).metrics)
        both = Selection(all_metrics, tuple(name for each in all_metrics for name in each.columns))
        self._scorer = Scorer(self.references, both, tokenizer=tokenizer)

    @check_arguments
    def score_captions(self, captions: Sequence[str]) -> GeneratedCaptions:
        """Captions of these images, one for each, in the references' order."""
        return GeneratedCaptions(self, list(captions), self._scorer.score(captions))

    def per_sample_scores(self, result: Result, images: IntArray) -> dict[str, FloatArray]:
        """The scores of these images by the metrics that know one sample at a time."""
        per_sample = result.metrics[: self._n_sample_by_sample]
        if not per_sample:
            return {}
        return scores_by_column(per_sample, exact_sum(result.stacked(per_sample)[images]))


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
        scores = {
            name: float(value)
            for name, value in scorer.per_sample_scores(self._whole, images).items()
        }
        if scorer.recomputed.metrics:
            rows = images.tolist()
            scores |= score(
                [self.captions[row] for row in rows],
                [scorer.references[row] for row in rows],
                scorer.recomputed,
                tokenizer=scorer.tokenizer,
            ).corpus
        return {name: scores[name] for name in scorer.columns}


def _select_metrics(selection: Selection, *, sample_by_sample: bool) -> Selection:
    """The metrics that do, or do not, know one sample at a time."""
    chosen = tuple(
        metric
        for metric in selection.metrics
        if (metric.name in SAMPLE_BY_SAMPLE) == sample_by_sample
    )
    columns = tuple(name for metric in chosen for name in metric.columns)
    return replace(selection, metrics=chosen, columns=columns)


def _post_gen_columns(selection: Selection) -> tuple[str, ...]:
    """The selected columns, but of a metric with a column of its own name that alone."""
    hidden = {
        column
        for metric in selection.metrics
        if metric.name in selection.columns
        for column in metric.columns
        if column != metric.name
    }
    return tuple(name for name in selection.columns if name not in hidden)


PARTS = (1, 2, 3, 4, 5)
STRATUM_KEYS = ("num_strata", "stratum")  # columns: number of strata, and which of them

PostGen = Callable[[IntArray], Mapping[str, float]]  # the scores of these images alone
Progress = Callable[[int, int], None]  # strata done, strata in all


class Stratum(NamedTuple):
    """One of so many equal parts: its number, from the worst on, and its images' numbers."""

    num_strata: int
    stratum: int
    images: IntArray


def split_into_strata(scores: FloatArray, parts: Sequence[int] = PARTS) -> Iterator[Stratum]:
    """Split images, in ascending order of scores, into equal parts; the remainder is dropped."""
    order = np.argsort(scores, kind="stable")
    for count in parts:
        size = len(order) // count if count > 0 else 0
        if size == 0:
            raise InputError(f"{len(order)} images cannot be split into {count} parts")
        for stratum in range(count):
            yield Stratum(count, stratum, order[stratum * size : (stratum + 1) * size])


@check_arguments
def stratified_rows(
    keys: Mapping[str, Any],
    words: WordProbabilities,
    cider: FloatArray,
    post_gen: PostGen,
    *,
    metrics: MetricNames = ALL,
    parts: Sequence[int] = PARTS,
    variant: str = "paper",
    progress: Progress | None = None,
) -> list[dict[str, Any]]:
    """A model's rows of the search table: in every stratum, post-gen and pre-gen scores anew.

    `keys` say which model it is (dataset, architecture, run, perhaps checkpoint); `cider` is the
    score of the caption generated for each image of `words`.
    """
    cider = np.asarray(cider, dtype=np.float64)
    if cider.shape != (words.n_images,):
        raise InputError(f"scores of shape {cider.shape} for {words.n_images} images")
    rows = []
    strata = list(split_into_strata(cider, parts))
    for num_strata, stratum, images in strata:
        place = dict(zip(STRATUM_KEYS, (num_strata, stratum), strict=True))
        pre_gen = pregen_scores(words.take_images(images), metrics, variant=variant)
        rows.append({**keys, **place, **post_gen(images), **pre_gen})
        if progress is not None:
            progress(len(rows), len(strata))
    return rows


ONLY_RUN = "1"  # of a model whose file has no number


def model_keys(name: str, dataset: str) -> dict[str, str]:
    """Return the keys of a model in a table: `init_2` is run 2 of `init`."""
    architecture, _, run = name.rpartition("_")
    if not (architecture and run.isdecimal()):
        architecture, run = name, ONLY_RUN
    return dict(zip(MODEL_KEYS, (dataset, architecture, run), strict=True))


@dataclass(frozen=True)
class ModelFiles:
    """Files of a model's word probabilities and of its captions of the same images."""

    probabilities: str
    candidates: str

    @property
    def name(self) -> str:
        """The file's name without its endings: `init_2` of `init_2.npz` or `init_2.jsonl.gz`."""
        return Path(self.probabilities).name.partition(".")[0]

    def keys(self, dataset: str) -> dict[str, str]:
        """Return the model's keys in a table."""
        return model_keys(self.name, dataset)


@dataclass(frozen=True, eq=False)
class Model:
    """A captioner on a test set: one caption and some references for each image of `words`."""

    words: WordProbabilities
    captions: list[str]
    references: list[list[str]]
    unused: int  # captions of other images


class SharedReferencesScorer:
    """Scores models' captions; consecutive models on one test set share its references.

    References take longest to analyse.
    """

    def __init__(self, metrics: Names, tokenizer: str) -> None:
        self.metrics, self.tokenizer = metrics, tokenizer
        self._last: StratumScorer | None = None

    def score_model(self, model: Model) -> GeneratedCaptions:
        """A model's captions, to be scored in strata."""
        if self._last is None or self._last.references != model.references:
            self._last = StratumScorer(model.references, self.metrics, tokenizer=self.tokenizer)
        return self._last.score_captions(model.captions)


def pair_model_files(probabilities: Sequence[str], candidates: Sequence[str]) -> list[ModelFiles]:
    """Pair files in the same order, and check that no model is named twice."""
    if len(probabilities) != len(candidates):
        raise InputError(
            f"{len(probabilities)} files of probabilities but {len(candidates)} of candidates; "
            "give one for each, in the same order"
        )
    models = [ModelFiles(*pair) for pair in zip(probabilities, candidates, strict=True)]
    places: dict[tuple[str, ...], ModelFiles] = {}
    for model in models:
        key = tuple(model.keys("").values())
        if key in places:
            raise InputError(
                f"{model.probabilities}: the same model as {places[key].probabilities}, by its "
                "name; name files ARCHITECTURE_RUN, as init_2.npz"
            )
        places[key] = model
    return models


def read_model(files: ModelFiles, references: ReferencesById | None, where: str) -> Model:
    """Read a model; without references of `where`, those of its file of candidates."""
    words = read_probabilities(files.probabilities)
    if words.images is None:
        raise InputError(
            f"{files.probabilities}: images have no names by which captions could be matched; "
            "write it again with the array `images`"
        )
    images = list(map(str, words.images))
    written = read_candidates(files.candidates)
    if references is None:
        references, where = written.references, files.candidates
    if references is None:
        raise InputError(
            f"{files.candidates}: no column 'references'; add one, or name a file with --references"
        )
    _check_images_present(images, written.captions, files, files.candidates, "caption")
    _check_images_present(images, references, files, where, "references")
    return Model(
        words,
        [written.captions[image] for image in images],
        [references[image] for image in images],
        len(written.captions) - len(images),
    )


def _check_images_present(
    images: Collection[str],
    known: Mapping[str, object],
    files: ModelFiles,
    where: str,
    what: str,
) -> None:
    absent = [image for image in images if image not in known]
    if absent:
        others = f" (and {len(absent) - 1} more images)" if len(absent) > 1 else ""
        raise InputError(
            f"{where}: no {what} of image {short_repr(absent[0])}{others}, which "
            f"{files.probabilities} "
            "has; ids must be the same in all files"
        )
