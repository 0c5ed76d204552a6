"""Hallucination: things mentioned in a caption that its references do not support."""
