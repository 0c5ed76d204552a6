"""BLEU under the toolkit's names."""
