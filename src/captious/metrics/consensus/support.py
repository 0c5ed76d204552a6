"""Support: how well words are matched by the other side; scarcity: 1 / number of references."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from captious._internal.arrays.ragged import FloatArray, Ragged, offsets_of
from captious.metrics.base import Metric, mean_statistics
from captious.metrics.consensus.caption_space import CaptionSpaceMetric
from captious.metrics.consensus.consensus import MAX_IMAGES_IN_MEMORY
from captious.metrics.consensus.sentence_matching import LongSamples, short_images
from captious.metrics.consensus.word_support import WordSupport, unique_words, words_by_set
from captious.samples import References, Samples
from captious.text.tokens import check_long_captions, have_tokens


@dataclass(frozen=True)
class Support(CaptionSpaceMetric):
    """Mean support of the references' words by the candidate's, and the other way round.

    A word's support is its cosine to the nearest word of the other side in a space learned from
    captions. Rarer words have more weight. In captions of several sentences, each sentence is
    compared with the nearest of the other side.
    """

    name = "support"
    description = "recall and precision of words, matched softly in a space learned from captions"

    def prepare(self, references: References) -> Ragged | None:
        """Return the distinct words of each image's references; None if images are too many.

        Images with a reference of several sentences are compared by sentence: they have none.
        """
        if len(references) > MAX_IMAGES_IN_MEMORY:
            return None
        short, rows = short_images(references), references.rows
        lengths = np.zeros(len(rows), np.int64)
        lengths[short] = rows.lengths_at(short)
        return _words(references, Ragged(rows.take(short).values, offsets_of(lengths)))

    def statistics(self, samples: Samples, prepared: Ragged | None) -> FloatArray:
        """Both scores of each sample."""
        if (long := LongSamples.find(samples, self.load_space())) is None:
            recall, precision = self._supports(samples, prepared)
        else:
            recall, precision = np.empty(len(samples)), np.empty(len(samples))
            if len(short := long.others(len(samples))):
                recall[short], precision[short] = self._supports(samples.take(short), prepared)
            recall[long.indices] = long.recall_side.mean(
                self._supports(long.recall_side.samples)[0]
            )
            precision[long.indices] = long.precision_side.mean(
                self._supports(long.precision_side.samples)[1]
            )
        return mean_statistics(recall, precision)

    def _supports(
        self, samples: Samples, prepared: Ragged | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Recall and precision of samples as a whole."""
        images = samples.images
        if prepared is None:
            different, images = np.unique(images, return_inverse=True)
            prepared = _words(samples.references, samples.references.rows.take(different))
        words = WordSupport.of(samples, prepared, images, self.load_space())
        return (
            # Longer vectors are rarer words with more to say. In the references such words count
            # more still: what only one of them says may be left unsaid.
            words.references.mean_support(words.references.lengths**2),
            words.candidates.mean_support(words.candidates.lengths),
        )


def _words(references: References, rows: Ragged) -> Ragged:
    if not len(rows.values):  # whole captions need no tokens where all are compared by sentence
        check_long_captions(references.analysis)
        return rows
    return unique_words(*words_by_set(references.analysis, rows))


@dataclass(frozen=True)
class Scarcity(Metric):
    """1 divided by the number of non-empty references.

    It does not depend on the candidate. Consensus and support rise with the number of
    references; with it, `captious` is calibrated for one reference as well as for fifty.
    """

    name = "scarcity"
    description = "1 / number of references, a feature of `captious`"

    def statistics(self, samples: Samples, prepared: None) -> FloatArray:
        """The score of each sample."""
        is_given = have_tokens(samples.references.analysis)
        numbers = np.add.reduceat(is_given[samples.pairs.values], samples.pairs.offsets[:-1])
        return mean_statistics(1.0 / np.maximum(numbers, 1))
