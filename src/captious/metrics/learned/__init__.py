"""Metrics that learn: features, scaling, a small network, and how it is trained."""
