"""CIDEr under the toolkit's names."""
