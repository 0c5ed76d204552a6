"""Pre-gen metrics: a captioner's quality from the probabilities it gives to reference captions.

After Tanti, Gatt and Muscat (2018): no caption is generated, one forward pass is enough.
"""

from captious.callbacks.frameworks import lightning_callback, trainer_callback
from captious.pregen.files import read_probabilities, write_probabilities
from captious.pregen.meter import PregenMeter
from captious.pregen.names import BEST, METRICS, TOP, PregenMetric, select
from captious.pregen.probabilities import WordProbabilities
from captious.pregen.scoring import Tiers, pregen_score, pregen_scores
from captious.pregen.watch import HuggingFaceAdapter, LogitsAdapter, Predicted, PregenWatch

__all__ = [
    "BEST",
    "METRICS",
    "TOP",
    "HuggingFaceAdapter",
    "LogitsAdapter",
    "Predicted",
    "PregenMeter",
    "PregenMetric",
    "PregenWatch",
    "Tiers",
    "WordProbabilities",
    "lightning_callback",
    "pregen_score",
    "pregen_scores",
    "read_probabilities",
    "select",
    "trainer_callback",
    "write_probabilities",
]
