"""Hallucination: what a caption says and its references do not support."""
