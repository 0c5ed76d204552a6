"""BLEU from captions added one by one: the toolkit's."""

from captious.pycocoevalcap.bleu.bleu_scorer import BleuScorer, cook_refs, cook_test, precook

__all__ = ["BleuScorer", "cook_refs", "cook_test", "precook"]
