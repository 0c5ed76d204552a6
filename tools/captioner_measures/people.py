"""Agreement of captioners' probabilities of captions with people's ratings."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from captioner_measures.flickr8k import Flickr8k
from captious._internal.arrays.ragged import FloatArray
from captious.captioners.captioner import Captioner, load_captioner
from captious.meta.evaluation import Evaluation, evaluate
from captious.meta.judgements import Ratings
from captious.meta.task import Task, read_task
from captious.metrics.learned.captious_image import CaptiousImage
from captious.pregen.captioner_probabilities import word_probabilities
from captious.pregen.scoring import caption_forms, log_priors, log_probabilities
from captious.scorer import Scorer

BENCHMARKS = ("flickr8k-expert", "flickr8k-cf")
INFORMATION = "information"
PRIOR_IMAGES = 50  # images that a caption's prior probability is the mean over
IMAGE_METRIC = "captious_image_alone"
Agreement = dict[str, dict[str, float]]  # by benchmark and by form


class RatedCaptions:
    """The captions that people rated, as pairs with images, of all benchmarks together."""

    def __init__(self, data: Path) -> None:
        self.tasks: dict[str, Task] = {name: read_task(name, data=data) for name in BENCHMARKS}
        pairs = [pair for name in BENCHMARKS for pair in self.pairs(name)]
        self.by_image: dict[str, list[str]] = {}
        for image, caption in dict.fromkeys(pairs):
            self.by_image.setdefault(image, []).append(caption)
        self.captions = list(dict.fromkeys(caption for _, caption in pairs))

    def ratings(self, benchmark: str) -> Ratings:
        """The ratings of a benchmark."""
        ratings = self.tasks[benchmark].judgements
        assert isinstance(ratings, Ratings)
        return ratings

    def pairs(self, benchmark: str) -> list[tuple[str, str]]:
        """The image and caption of each row."""
        ratings = self.ratings(benchmark)
        return list(zip(map(str, ratings.images), ratings.candidates, strict=True))

    def agreement(self, data: Flickr8k, checkpoint: Path) -> Agreement:
        """How each form of a captioner's probability agrees with the ratings."""
        forms = self._forms(data, load_captioner(checkpoint))
        rated = (
            (image, caption) for image, captions in self.by_image.items() for caption in captions
        )
        places = {pair: place for place, pair in enumerate(rated)}
        agreements = {}
        for name in BENCHMARKS:
            rows = np.array([places[pair] for pair in self.pairs(name)])
            # Numbers in the scores' order: perplexities may be infinite, and tau reads order alone.
            ranks = {
                form: np.unique(values[rows], return_inverse=True)[1].astype(np.float64)
                for form, values in forms.items()
            }
            agreements[name] = headline_values(
                evaluate(self.tasks[name], scores=ranks, resamples=0)
            )
        return agreements

    def _forms(self, data: Flickr8k, captioner: Captioner) -> dict[str, FloatArray]:
        """Scores of all pairs, image by image; the last form is information about the image."""
        words = word_probabilities(captioner, self.by_image, data.vectors)
        # Images of another split: no rated caption was written of one of them.
        names = list(data.captions["dev"])
        drawn_places = np.random.default_rng(0).choice(len(names), PRIOR_IMAGES, replace=False)
        others = {names[place]: self.captions for place in drawn_places.tolist()}
        other_logs = log_probabilities(word_probabilities(captioner, others, data.vectors))
        logs = dict(zip(others, other_logs.reshape(PRIOR_IMAGES, -1), strict=True))
        priors = dict(zip(self.captions, log_priors(logs).tolist(), strict=True))
        prior_of_each = [
            priors[caption] for captions in self.by_image.values() for caption in captions
        ]
        return {
            **caption_forms(words),
            INFORMATION: log_probabilities(words) - np.array(prior_of_each),
        }

    def metric_agreement(self, data: Flickr8k) -> Agreement:
        """How CIDEr-D, and a metric that reads the image, agree with the ratings."""
        agreements = {}
        for name in BENCHMARKS:
            ratings = self.ratings(name)
            images = [str(image) for image in ratings.images]
            references = dict(zip(images, ratings.references, strict=True))
            image_metric = CaptiousImage(
                data.folder / "efficientnet_lite2.npz", data.folder / "efficientnet_lite2_whole.npz"
            )
            result = Scorer(references, [image_metric]).score(list(ratings.candidates), images)
            scores = {IMAGE_METRIC: result.samples[IMAGE_METRIC]}
            agreements[name] = headline_values(
                evaluate(self.tasks[name], ["cider_d"], scores=scores, resamples=0)
            )
        return agreements


def headline_values(evaluation: Evaluation) -> dict[str, float]:
    """The headline statistic by column; undefined values are left out."""
    statistic = evaluation.agreements.statistic
    values = {row.metric: row.values[statistic] for row in evaluation.agreements.rows}
    return {name: value for name, value in values.items() if not np.isnan(value)}
