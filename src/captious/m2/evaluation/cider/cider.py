"""CIDEr-D under the document frequencies of captions that are given once."""

from __future__ import annotations

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.checks.arguments import checked
from captious.errors import InputError
from captious.metrics.cider.cider_d import CiderD
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.pycocoevalcap.tokenized import TokenizedCaptions, score_tokenized


class Cider:
    """CIDEr-D; `gts` are the references, tokenised, that document frequencies come from.

    Without them, they come from the references of each call. The toolkit's class of this name has
    other arguments and ignores references that it is given.
    """

    @checked
    def __init__(
        self, gts: TokenizedCaptions | None = None, n: int = 4, sigma: float = 6.0
    ) -> None:
        self.doc_frequency: DocumentFrequencies | None = None
        self.ref_len: float | None = None
        if gts is not None and not len(gts):
            raise InputError("no references: document frequencies come from at least one")
        if gts is not None:
            self.doc_frequency = DocumentFrequencies.collect(gts, tokenizer="whitespace")
            self.ref_len = np.log(float(self.doc_frequency.documents))
        self._metric = CiderD(df=self.doc_frequency, n=n, sigma=sigma)

    @checked
    def compute_score(
        self, gts: TokenizedCaptions, res: TokenizedCaptions
    ) -> tuple[np.float64, FloatArray]:
        """The mean over all captions, and the score of each."""
        result = score_tokenized(gts, res, [self._metric])
        return np.float64(result.corpus["cider_d"]), result.samples["cider_d"]

    def __str__(self) -> str:
        return "CIDEr"
