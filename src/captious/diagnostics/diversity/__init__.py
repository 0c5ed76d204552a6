"""Diversity of a system's captions: vocabulary, distinct n-grams, repetitions."""
