"""METEOR under the toolkit's names."""
