"""Input layouts of word probabilities: padded arrays, ragged lists, or logits."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious._internal.checks.arguments import ITERABLE, check_kind
from captious._internal.checks.array_arguments import (
    as_booleans,
    as_floats,
    as_integers,
    as_numpy,
)
from captious.errors import InputError, short_repr

BoolArray = npt.NDArray[np.bool_]


class FlatCaptions(NamedTuple):
    """Captions one after another: all words, each caption's length and its image's id."""

    probabilities: FloatArray
    is_first: BoolArray
    lengths: IntArray
    images: list[Hashable]


def flatten_captions(
    probabilities: Any,
    is_first: Any,
    *,
    lengths: Any = None,
    mask: Any = None,
    images: Any = None,
    first_image: int = 0,
) -> FlatCaptions:
    """Flatten captions in either layout: lists are ragged, arrays and tensors are padded.

    Images without ids are numbered from `first_image` on.
    """
    if not isinstance(probabilities, list | tuple):
        return _from_padded(probabilities, is_first, lengths, mask, images, first_image)
    if lengths is not None or mask is not None:
        raise InputError("lists have their lengths already; drop lengths and mask")
    return _from_ragged(probabilities, is_first, images, first_image)


def _from_padded(
    probabilities: Any, is_first: Any, lengths: Any, mask: Any, images: Any, first_image: int
) -> FlatCaptions:
    given = as_floats(probabilities, "probabilities")
    first = as_booleans(is_first, "is_first")
    if given.ndim not in (2, 3) or first.shape != given.shape:
        raise InputError(
            "probabilities and is_first are both captions x words or images x references x "
            f"words, not {given.shape} and {first.shape}"
        )
    is_word = _word_mask(given.shape, lengths, mask)
    ids = _image_ids(given.shape, images, first_image)
    counts = is_word.reshape(-1, given.shape[-1]).sum(axis=1)
    if given.ndim == 3:  # images with fewer references than others leave rows empty
        kept = np.flatnonzero(counts)
        counts, ids = counts[kept], [ids[row] for row in kept.tolist()]
    return FlatCaptions(given[is_word], first[is_word], counts, ids)


def _word_mask(shape: tuple[int, ...], lengths: Any, mask: Any) -> BoolArray:
    """Return the mask of words in a padded array."""
    if lengths is not None and mask is not None:
        raise InputError("give lengths or a mask, not both")
    if mask is not None:
        given = as_booleans(mask, "mask")
        if given.shape != shape:
            raise InputError(f"a mask of shape {given.shape} for probabilities of shape {shape}")
        return given
    if lengths is None:
        return np.ones(shape, dtype=np.bool_)
    counts = as_integers(lengths, "lengths")
    if counts.shape != shape[:-1] or not ((counts >= 0) & (counts <= shape[-1])).all():
        raise InputError(
            f"lengths must be of shape {shape[:-1]} and from 0 to {shape[-1]}; "
            f"found shape {counts.shape}"
        )
    is_word: BoolArray = np.arange(shape[-1]) < counts[..., None]
    return is_word


def _image_ids(shape: tuple[int, ...], images: Any, first_image: int) -> list[Hashable]:
    """Return the image id of every row of words."""
    if images is None:
        if len(shape) == 2:
            raise InputError(
                "which captions belong to one image? Give images, an id for each caption, or "
                "arrays of images x references x words"
            )
        names: list[Hashable] = list(range(first_image, first_image + shape[0]))
    else:
        names = as_ids(images)
        if len(names) != shape[0]:
            raise InputError(f"{len(names)} ids of images for {shape[0]} rows of probabilities")
    if len(shape) == 2:
        return names
    if len(set(names)) != len(names):
        raise InputError("two rows of images x references x words have the same id")
    return [name for name in names for _ in range(shape[1])]


def _from_ragged(
    probabilities: Iterable[Any], is_first: Iterable[Any], images: Any, first_image: int
) -> FlatCaptions:
    """Flatten lists of captions by image or, with an id for each caption, of captions."""
    check_kind("is_first", is_first, ITERABLE)
    given, first = list(probabilities), list(is_first)
    if images is None:
        _check_same_sizes(given, first, "image", "captions")
        ids: list[Hashable] = [
            place for place, captions in enumerate(given, first_image) for _ in captions
        ]
        given, first = list(chain(*given)), list(chain(*first))
    else:
        ids = as_ids(images)
    if not given:
        raise InputError("no captions: there is nothing to score")
    words = [as_floats(caption, "probabilities") for caption in given]
    firsts = [as_booleans(caption, "is_first") for caption in first]
    _check_same_sizes(words, firsts, "caption", "words")
    for place, caption in enumerate(words):
        if caption.ndim != 1:
            raise InputError(
                f"caption {place}: expected a list of words, found shape {caption.shape}; lists "
                "are of images, captions and words, or with `images` of captions and words"
            )
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    return FlatCaptions(np.concatenate(words), np.concatenate(firsts), lengths, ids)


def as_ids(images: Any) -> list[Hashable]:
    """Convert a list, an array or a tensor of ids."""
    check_kind("images", images, ITERABLE)
    ids: list[Hashable] = images.tolist() if hasattr(images, "tolist") else list(images)
    for image in ids:
        if not isinstance(image, Hashable):
            raise InputError(f"an image's id is a name or a number, not {short_repr(image)}")
    return ids


def _check_same_sizes(given: Sequence[Any], first: Sequence[Any], of: str, what: str) -> None:
    if len(given) != len(first):
        raise InputError(f"{len(given)} {of}s of probabilities but {len(first)} of is_first")
    for place, (row, other) in enumerate(zip(given, first, strict=True)):
        if not (hasattr(row, "__len__") and hasattr(other, "__len__")) or len(row) != len(other):
            raise InputError(f"{of} {place}: probabilities and is_first differ in their {what}")


def logits_to_probabilities(
    logits: Any, targets: Any, mask: Any = None
) -> tuple[FloatArray, BoolArray, BoolArray]:
    """Return the targets' probabilities, whether each was the arg max, and the mask of words.

    Logits have one axis more than targets: the vocabulary. Without a mask, negative targets are
    padding. Logits of a tensor are processed on its device, and only the results are fetched.
    """
    words = as_integers(targets, "targets")
    shape = tuple(getattr(logits, "shape", ()))
    if len(shape) != words.ndim + 1 or shape[:-1] != words.shape:
        raise InputError(
            f"logits of shape {shape} for targets of shape {words.shape}; logits have one more "
            "axis, the vocabulary (are they shifted by the start token?)"
        )
    is_word = words >= 0 if mask is None else as_booleans(mask, "mask")
    if is_word.shape != words.shape:
        raise InputError(f"a mask of shape {is_word.shape} for targets of shape {words.shape}")
    outside = is_word & ((words < 0) | (words >= shape[-1]))
    if outside.any():
        word = int(words[outside][0])
        raise InputError(f"target {word} is not in a vocabulary of {shape[-1]} words")
    indices = np.where(is_word, words, 0)
    if hasattr(logits, "logsumexp"):
        logs, best = _target_logs_of_tensor(logits, indices)
    else:
        logs, best = _target_logs_of_array(as_floats(logits, "logits"), indices)
    if np.isnan(logs[is_word]).any():
        raise InputError("some logits are not numbers (NaN): the captioner has diverged")
    # Padding may be anything, and is never read.
    return np.where(is_word, np.exp(logs), 0.0), is_word & (best == indices), is_word


def _target_logs_of_tensor(logits: Any, indices: Any) -> tuple[FloatArray, Any]:
    """Return log-probabilities of the targets, and the arg max, by PyTorch."""
    logits = logits.detach()
    if logits.element_size() < 4:  # half precision cannot sum a vocabulary
        logits = logits.float()
    best = logits.argmax(-1)
    index = best.new_tensor(indices)[..., None]
    logs = logits.gather(-1, index)[..., 0] - logits.logsumexp(-1)
    return as_floats(logs, "logits"), as_numpy(best, "logits")


def _target_logs_of_array(logits: FloatArray, indices: Any) -> tuple[FloatArray, Any]:
    """Return the same, by NumPy."""
    best = logits.argmax(-1)
    highest = np.take_along_axis(logits, best[..., None], -1)
    with np.errstate(invalid="ignore", under="ignore"):
        totals = np.log(np.exp(logits - highest).sum(-1)) + highest[..., 0]
        logs: FloatArray = np.take_along_axis(logits, indices[..., None], -1)[..., 0] - totals
    return logs, best
