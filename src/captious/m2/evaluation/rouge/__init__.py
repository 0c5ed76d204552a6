"""ROUGE-L under the names of the meshed-memory transformer."""

from captious.m2.evaluation.rouge.rouge import Rouge

__all__ = ["Rouge"]
