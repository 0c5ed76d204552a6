"""Meta-evaluation: how well any metric agrees with people, under a stated protocol.

from captious.meta import evaluate
print(evaluate("flickr8k-expert", ["cider_d", my_function], data="flickr8k"))
"""

from captious.meta.benchmarks import BENCHMARKS
from captious.meta.evaluation import Evaluation, evaluate, judged
from captious.meta.evaluations import evaluate_by_references, survey
from captious.meta.judgements import Preferences, Ratings
from captious.meta.presets import PRESETS
from captious.meta.protocol import Protocol
from captious.meta.robustness.captioned_images import CaptionedImages
from captious.meta.robustness.evaluation import robustness
from captious.meta.scoring import time_metrics
from captious.meta.task import Task, read_task
from captious.meta.two_metrics import versus

__all__ = [
    "BENCHMARKS",
    "PRESETS",
    "CaptionedImages",
    "Evaluation",
    "Preferences",
    "Protocol",
    "Ratings",
    "Task",
    "evaluate",
    "evaluate_by_references",
    "judged",
    "read_task",
    "robustness",
    "survey",
    "time_metrics",
    "versus",
]
