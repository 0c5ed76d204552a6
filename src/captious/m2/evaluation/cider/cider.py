"""CIDEr-D under the document frequencies of captions that are given once."""

from __future__ import annotations

import numpy as np

from captious._internal.checks.arguments import check_arguments
from captious.errors import InputError
from captious.metrics.cider.cider import CiderD
from captious.metrics.cider.document_frequencies import DocumentFrequencies
from captious.pycocoevalcap.cider.cider import Cider as ToolkitCider
from captious.pycocoevalcap.tokenized import TokenizedCaptions


class Cider(ToolkitCider):
    """CIDEr-D; `gts` are the references, tokenized, that document frequencies come from.

    Without them, they come from the references of each call. The toolkit's class of this name has
    other arguments and ignores references that it is given.
    """

    @check_arguments
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
        super().__init__(n=n, sigma=sigma)
        self._metric = CiderD(df=self.doc_frequency, n=n, sigma=sigma)

    def __str__(self) -> str:
        return "CIDEr"
