"""Measurements of trained captioners, for tools/measure_captioners.py."""

EARLY = (1, 2, 3, 5)  # epochs that are far apart; later ones hardly differ
