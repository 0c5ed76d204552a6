"""Learned metrics from files of captions to weights and a model card."""
