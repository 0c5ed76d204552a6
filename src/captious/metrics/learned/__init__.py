"""Learned metrics: features, scaling, and a small network."""
