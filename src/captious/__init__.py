"""Captious, a critic of image captions: the public interface and nothing else."""

from captious.catalogue import GROUPS, METRICS
from captious.comparison import Comparison, compare
from captious.corpus import Corpus
from captious.errors import CaptiousError, CaptiousWarning
from captious.explanation import Explanation, explain
from captious.metrics.document_frequencies import DocumentFrequencies
from captious.result import Result
from captious.scene import scene_graph
from captious.scorer import Scorer, score
from captious.version import __version__

__all__ = [
    "GROUPS",
    "METRICS",
    "CaptiousError",
    "CaptiousWarning",
    "Comparison",
    "Corpus",
    "DocumentFrequencies",
    "Explanation",
    "Result",
    "Scorer",
    "__version__",
    "compare",
    "explain",
    "scene_graph",
    "score",
]
