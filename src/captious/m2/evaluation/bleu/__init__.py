"""BLEU under the names of the meshed-memory transformer."""

from captious.m2.evaluation.bleu.bleu import Bleu

__all__ = ["Bleu"]
