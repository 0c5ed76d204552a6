"""Similarity of a candidate to all its references together, in a space of captions."""
