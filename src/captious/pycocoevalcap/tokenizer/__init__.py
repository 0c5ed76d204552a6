"""The tokenizer under the toolkit's names."""
