"""ROUGE-L under the toolkit's names."""
