"""Word probabilities: what a captioner gives to each word of given captions, in one pass."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from captious.captioners.captioner import Captioner
from captious.captioners.decoder import Decoder
from captious.captioners.examples import NO_WORD, Examples, batches
from captious.captioners.image_vectors import ImageVectors, SingleArray
from captious.errors import InputError
from captious.io.files import read_bytes, written_whole
from captious.learned.training import import_torch
from captious.ragged import FloatArray, IntArray, Ragged, offsets_of

BATCH = 256
Progress = Callable[[int, int], None]  # captions done, captions in all
NAMES = ("probabilities", "is_first", "caption_offsets", "image_offsets", "images")


@dataclass(frozen=True, eq=False)
class WordProbabilities:
    """Each word's probability and whether no word had a higher one, the end of a caption included.

    Caption i is `probabilities[caption_offsets[i]:caption_offsets[i + 1]]`, and image j has the
    captions `image_offsets[j]` to `image_offsets[j + 1]`.
    """

    probabilities: FloatArray
    is_first: npt.NDArray[np.bool_]
    caption_offsets: IntArray
    image_offsets: IntArray
    images: tuple[str, ...]

    @property
    def loss(self) -> float:
        """The mean of -ln p over all words: the cross-entropy."""
        return float(-np.log(np.maximum(self.probabilities, np.finfo(np.float64).tiny)).mean())

    def save(self, path: str | Path) -> None:
        """Write the five arrays as `.npz`."""
        with written_whole(path) as stream:
            np.savez(
                stream,
                probabilities=self.probabilities,
                is_first=self.is_first,
                caption_offsets=self.caption_offsets,
                image_offsets=self.image_offsets,
                images=np.array(self.images, np.str_),
            )


def read_probabilities(path: str | Path) -> WordProbabilities:
    """Read what `WordProbabilities.save` wrote."""
    try:
        with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as file:
            probabilities, is_first, captions, owners, images = (file[name] for name in NAMES)
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise InputError(f"{path}: not a file of word probabilities ({error})") from None
    return WordProbabilities(
        probabilities, is_first, captions, owners, tuple(map(str, images.tolist()))
    )


def word_probabilities(
    captioner: Captioner,
    captions: Mapping[str, Sequence[str]],
    images: ImageVectors,
    *,
    progress: Progress | None = None,
) -> WordProbabilities:
    """The probability of each word of each image's captions, given the image and the words before.

    A word that the captioner does not know gets the probability of the unknown word.
    """
    examples = Examples.of(captions, captioner.seen(images))
    numbers = captioner.vocabulary.numbers(examples.tokens)
    return measure(captioner.decoder, examples, numbers, progress=progress)


def measure(
    decoder: Decoder, examples: Examples, numbers: Ragged, *, progress: Progress | None = None
) -> WordProbabilities:
    """Word probabilities of examples whose words have their numbers already."""
    offsets = offsets_of(numbers.lengths + 1)  # the end is a word too
    probabilities = np.empty(int(offsets[-1]))
    is_first = np.empty(len(probabilities), np.bool_)
    done = 0
    for batch in batches(numbers, BATCH):
        vectors = examples.images.vectors[examples.image_of[batch.rows]]
        some, first = next_words(decoder, vectors, batch.read, batch.targets)
        columns = np.arange(batch.read.shape[1])
        inside = batch.targets != NO_WORD
        places = (offsets[batch.rows][:, None] + columns)[inside]
        probabilities[places], is_first[places] = some[inside], first[inside]
        done += len(batch.rows)
        if progress is not None:
            progress(done, len(numbers))
    counts = np.bincount(examples.image_of, minlength=len(examples.images.names))
    return WordProbabilities(
        probabilities, is_first, offsets, offsets_of(counts), examples.images.names
    )


def next_words(
    decoder: Decoder, vectors: SingleArray, read: IntArray, targets: IntArray
) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """The probability of each target and whether it is the highest, where there is a target."""
    torch = import_torch()
    with torch.inference_mode():
        scores, _ = decoder.read(torch.from_numpy(read), decoder.begin(torch.from_numpy(vectors)))
        # In double precision, so that no probability is 0 and all of them sum to 1.
        own = torch.from_numpy(np.maximum(targets, 0))[:, :, None]
        scores = scores.double()
        logarithms = scores.gather(2, own)[:, :, 0] - scores.logsumexp(2)
        first = scores.argmax(2) == own[:, :, 0]
    return logarithms.exp().numpy(), first.numpy()
