"""CLIPScore and RefCLIPScore: cosine of a candidate to the image in CLIP's embedding space."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from captious._internal.arrays.ragged import FloatArray, IntArray
from captious.errors import InputError
from captious.images.clip import Clip, load_clip
from captious.images.sources import ImageSource, holds_vectors
from captious.images.vectors import CaptionVectors, SingleArray
from captious.metrics.base import Metric, mean_statistics
from captious.metrics.image_inputs import image_signature, images_parameter, load_image_vectors
from captious.metrics.parameters import parameter
from captious.samples import References, Samples
from captious.signature import Resource
from captious.text.analysis import Analysis
from captious.text.encoder.encoder import normalize_vectors

WEIGHT = 2.5  # brings CLIPScore to about 0 … 1
PROMPT = "A photo depicts "  # stands before every caption, as in the published program


@dataclass(frozen=True)
class ClipScore(Metric):
    """2.5 · max(cosine to the image, 0); and its harmonic mean with the nearest reference's cosine.

    `clip` is a CLIP's name or folder, and `images` a folder; or else `images` and `captions` are
    vectors of one space, each an `.npz` or as they are read. `images` may also be vectors when
    captions are read by a CLIP. Captions without words are read like any other.
    """

    images: ImageSource | None = images_parameter()
    captions: str | Path | CaptionVectors | None = parameter(
        None, "an .npz of vectors of captions, instead of a CLIP model"
    )
    clip: str | Path | None = parameter(None, "name or folder of a CLIP model, for transformers")

    name = "clipscore"
    description = "cosine to image and references in CLIP's embedding space (Hessel et al., 2021)"
    bounds = (0.0, WEIGHT)
    # A harmonic mean of what is at most WEIGHT and a cosine.
    column_bounds: ClassVar[dict[str, tuple[float, float]]] = {
        "refclipscore": (0.0, 2 * WEIGHT / (WEIGHT + 1))
    }
    reference_free_columns = ("clipscore",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.images is None:
            raise InputError(
                "clipscore: needs images, a folder or an .npz of image vectors (--images, images=)"
            )
        if (self.captions is None) == (self.clip is None):
            raise InputError(
                "clipscore: needs either a CLIP's name or folder (--clip, clip=), or caption "
                "vectors from one (--caption-vectors, captions=: an .npz with 'captions' and "
                "'features')"
            )
        if self.clip is None and not holds_vectors(self.images):
            raise InputError(
                "clipscore: images in a folder need a CLIP's name or folder (clip=) to see them"
            )

    def prepare(self, references: References) -> SingleArray:
        """The images' vectors, in the references' order."""
        assert self.images is not None
        clip = self._clip
        encoder = None if clip is None else clip.image_encoder()
        images = load_image_vectors(self.name, self.images, references, encoder)
        if references.are_given:
            self._vectors(references.analysis, images.shape[1])  # a missing caption raises here
        return images

    def statistics(self, samples: Samples, prepared: SingleArray) -> FloatArray:
        """Both scores of each sample."""
        candidates = self._vectors(samples.candidates, prepared.shape[1])[samples.rows]
        image_cosines = np.einsum(
            "ij,ij->i", candidates, prepared[samples.images], dtype=np.float64
        )
        scores = clip_scores(np.minimum(image_cosines, 1.0))
        if not samples.references.are_given:
            return mean_statistics(scores, np.full(len(samples), np.nan))
        references = self._vectors(samples.references.analysis, prepared.shape[1])
        owners, pairs = samples.pairs.owners, samples.pairs.values
        reference_cosines = np.einsum(
            "ij,ij->i", candidates[owners], references[pairs], dtype=np.float64
        )
        reference_cosines = np.minimum(reference_cosines, 1.0)
        reference_scores = ref_clip_scores(scores, reference_cosines, samples.pairs.offsets)
        return mean_statistics(scores, reference_scores)

    def depends_on(self) -> dict[str, Any]:
        """The CLIP, or where the vectors came from."""
        assert self.images is not None
        clip = self._clip
        if clip is None:
            caption_file = self.captions if isinstance(self.captions, str | Path) else None
            source: dict[str, Any] = {
                "captions": Resource.of(caption_file, "given", self._caption_vectors.fingerprint)
            }
        else:
            source = {"clip": Resource(clip.name, clip.fingerprint), "prompt": PROMPT.strip()}
        return {"images": image_signature(self.images), **source, "w": WEIGHT}

    @property
    def _caption_vectors(self) -> CaptionVectors:
        assert self.captions is not None
        return CaptionVectors.load(self.captions)

    @property
    def _clip(self) -> Clip | None:
        return None if self.clip is None else load_clip(str(self.clip))

    def _vectors(self, analysis: Analysis, width: int) -> SingleArray:
        """The vectors of an analysis' captions, which must be as wide as the images'."""
        clip = self._clip
        vectors = (
            _look_up_vectors(self._caption_vectors, analysis)
            if clip is None
            else _encode_captions(clip, analysis)
        )
        if vectors.shape[1] != width:
            raise InputError(
                f"clipscore: captions have vectors of {vectors.shape[1]} numbers and images of "
                f"{width}; both must come from one CLIP"
            )
        return vectors


def _look_up_vectors(caption_vectors: CaptionVectors, analysis: Analysis) -> SingleArray:
    """Look up the given vectors of an analysis' captions."""
    captions = analysis.captions
    return analysis.get_or_compute(
        ("clipscore", caption_vectors.fingerprint), lambda: caption_vectors.take(captions).vectors
    )


def _encode_captions(clip: Clip, analysis: Analysis) -> SingleArray:
    """Encode an analysis' captions by CLIP, or take them from the cache."""

    def read(rows: list[int]) -> SingleArray:
        return clip.caption_vectors([PROMPT + analysis.captions[row] for row in rows])

    def vectors() -> SingleArray:
        name = f"clip vector, {PROMPT.strip()}@{clip.fingerprint}"
        rows = range(len(analysis.captions))
        return normalize_vectors(analysis.load_or_compute_vectors(name, read, rows, clip.width))

    return analysis.get_or_compute(("clipscore", clip.fingerprint), vectors)


def clip_scores(cosines: FloatArray) -> FloatArray:
    """CLIPScore from the cosine between each caption and its image: 2.5 · max(cosine, 0)."""
    scores: FloatArray = WEIGHT * np.maximum(cosines, 0.0)
    return scores


def ref_clip_scores(scores: FloatArray, cosines: FloatArray, offsets: IntArray) -> FloatArray:
    """RefCLIPScore from CLIPScores and the cosines of each caption with its references, in a row.

    The harmonic mean of a caption's CLIPScore and max(cosine with the nearest reference, 0);
    `offsets` says where each caption's references begin, and, last, where they end.
    """
    nearest = np.maximum(np.maximum.reduceat(cosines, offsets[:-1]), 0.0)
    total = scores + nearest
    means: FloatArray = 2 * scores * nearest / np.where(total > 0, total, 1.0)
    return means
