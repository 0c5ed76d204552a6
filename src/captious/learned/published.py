"""Published learned metrics: the weights that ship, for the paper's features or its code's."""

from __future__ import annotations

from dataclasses import dataclass

from captious.choices import check_choice
from captious.learned.metric import LearnedMetric
from captious.metrics.base import Metric
from captious.resources import RESOURCES

SHIPPED = RESOURCES / "learned"  # the weights of each feature set, by name
PAPER, RELEASED = VARIANTS = ("paper", "released")


@dataclass(frozen=True)
class PublishedMetric(LearnedMetric):
    """A metric of a paper: `weights` of one's own, or those that ship for one of two variants."""

    variant: str = PAPER

    def __post_init__(self) -> None:
        Metric.__post_init__(self)  # before the weights are chosen and read
        check_choice(f"{self.name}: unknown variant", self.variant, VARIANTS)
        if self.variant == RELEASED and self.weights == SHIPPED / f"{self.name}.npz":
            object.__setattr__(self, "weights", SHIPPED / f"{self.name}_{RELEASED}.npz")
        super().__post_init__()

    def signature(self) -> str:
        """The variant, the weights' hash, and every feature with its parameters."""
        return super().signature().replace("(", f"(variant={self.variant},", 1)
