"""Diagnostics of scores: checks of inputs, diversity, explanations, scene graphs."""
