"""Probabilities that a captioner gives to each word of given captions, in one pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray, IntArray, Ragged, offsets_of
from captious._internal.backends.pytorch import import_torch
from captious.captioners.captioner import Captioner
from captious.captioners.decoder import Decoder
from captious.captioners.examples import PADDING, Examples, batches
from captious.images.vectors import ImageVectors, SingleArray
from captious.pregen.probabilities import WordProbabilities

BATCH_SIZE = 256
Progress = Callable[[int, int], None]  # captions done, captions in all


def word_probabilities(
    captioner: Captioner,
    captions: Mapping[str, Sequence[str]],
    images: ImageVectors,
    *,
    progress: Progress | None = None,
) -> WordProbabilities:
    """Return the probability of each word of each image's captions, given image and prefix.

    A word that the captioner does not know gets the probability of the unknown word.
    """
    examples = Examples.of(captions, captioner.scale_images(images))
    numbers = captioner.vocabulary.encode(examples.tokens)
    return score_examples(captioner.decoder, examples, numbers, progress=progress)


def score_examples(
    decoder: Decoder, examples: Examples, numbers: Ragged, *, progress: Progress | None = None
) -> WordProbabilities:
    """Return the word probabilities of examples whose words are already numbered."""
    offsets = offsets_of(numbers.lengths + 1)  # the end is a word too
    probabilities = np.empty(int(offsets[-1]))
    is_first = np.empty(len(probabilities), np.bool_)
    done = 0
    for batch in batches(numbers, BATCH_SIZE):
        vectors = examples.images.vectors[examples.image_of[batch.rows]]
        some, first = target_probabilities(decoder, vectors, batch.read, batch.targets)
        columns = np.arange(batch.read.shape[1])
        inside = batch.targets != PADDING
        places = (offsets[batch.rows][:, None] + columns)[inside]
        probabilities[places], is_first[places] = some[inside], first[inside]
        done += len(batch.rows)
        if progress is not None:
            progress(done, len(numbers))
    counts = np.bincount(examples.image_of, minlength=len(examples.images.names))
    return WordProbabilities(
        probabilities, is_first, offsets, offsets_of(counts), examples.images.names
    )


def target_probabilities(
    decoder: Decoder, vectors: SingleArray, read: IntArray, targets: IntArray
) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """Return each target's probability and whether it is the highest; padding has no target."""
    torch = import_torch()
    with torch.inference_mode():
        scores, _ = decoder.read(
            torch.from_numpy(read), decoder.initial_state(torch.from_numpy(vectors))
        )
        # In double precision, so that no probability is 0 and all of them sum to 1.
        written = torch.from_numpy(np.maximum(targets, 0))[:, :, None]
        scores = scores.double()
        logarithms = scores.gather(2, written)[:, :, 0] - scores.logsumexp(2)
        first = scores.argmax(2) == written[:, :, 0]
    return logarithms.exp().numpy(), first.numpy()


def cross_entropy(words: WordProbabilities) -> float:
    """The mean of -ln p over all words: the cross-entropy."""
    return float(-np.log(np.maximum(words.probabilities, np.finfo(np.float64).tiny)).mean())
