"""mBLEU: BLEU of each caption against the others of its image; high is not diverse."""

from __future__ import annotations

import numpy as np

from captious._internal.arrays.ragged import FloatArray
from captious.diagnostics.diversity.same_image import CaptionsByImage
from captious.metrics.bleu import Bleu


def mbleu_4(images: CaptionsByImage) -> FloatArray:
    """For each image, the mean BLEU-4 of its captions, each against all others."""
    bleu = Bleu()
    scores = bleu.scores(bleu.statistics(images.beside_others, None))[:, -1]
    sums = np.bincount(images.rows.owners, scores, len(images.rows))
    means: FloatArray = sums / images.rows.lengths
    return means
