"""Logistic regression whose weights are not below zero, as training has it."""

from captious.training.nonnegative import nonnegative_logistic

__all__ = ["nonnegative_logistic"]
