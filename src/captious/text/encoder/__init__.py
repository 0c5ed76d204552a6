"""Captions and the pieces of their words as vectors of a pretrained transformer."""
