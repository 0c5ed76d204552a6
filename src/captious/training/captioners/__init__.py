"""Captioners: how they learn."""
