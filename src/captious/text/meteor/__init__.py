"""Captions as METEOR reads and aligns them."""
