"""CIDEr-D under the names of the meshed-memory transformer."""

from captious.m2.evaluation.cider.cider import Cider

__all__ = ["Cider"]
