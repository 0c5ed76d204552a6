"""Pre-gen metrics: a captioner's quality from the probabilities it gives to reference captions.

After Tanti, Gatt and Muscat (2018): no caption is generated, one forward pass is enough.
"""

from captious.pregen.names import BEST, METRICS, TOP, PregenMetric, select
from captious.pregen.probabilities import WordProbabilities
from captious.pregen.scoring import Tiers, pregen_score, pregen_scores

__all__ = [
    "BEST",
    "METRICS",
    "TOP",
    "PregenMetric",
    "Tiers",
    "WordProbabilities",
    "pregen_score",
    "pregen_scores",
    "select",
]
