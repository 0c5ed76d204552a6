"""Form: whether a caption's words stand in an order that captions have, whatever they say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from captious.arrays.ragged import FloatArray
from captious.metrics.base import Metric, averaged
from captious.metrics.domains import Given, check_domain, domain_parameter, named_domain
from captious.samples import Samples
from captious.text.domain import order_of
from captious.text.word_order import disorder

LENIENCY = 0.5  # disorder is measured so as to be found; it need not be all that counts


@dataclass(frozen=True)
class Form(Metric):
    """1 for captions in the usual order, down to 0 for shuffled, repeating or broken-off ones.

    References are not looked at. It is silent on ordinary captions: 99.5 % of people's have 1.
    """

    domain: Given = domain_parameter()

    name = "form"
    columns = ("form",)
    without_references = ("form",)
    description = "whether the words stand in an order that captions have; 1 for nearly all"
    english = "its order of words"
    english_unless = ("domain",)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_domain(self.domain)

    def statistics(self, samples: Samples, prepared: None) -> FloatArray:
        """The score of each sample."""
        beyond = disorder(samples.candidates, order_of(self.domain))
        return averaged(np.exp(-LENIENCY * beyond)[samples.rows])

    def depends_on(self) -> dict[str, Any]:
        """The table of word order."""
        if self.domain is not None:
            return named_domain(self.domain)
        return {"order": order_of(None).fingerprint}
