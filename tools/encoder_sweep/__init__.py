"""Layers and thresholds of an encoder compared: states cached on disk, and wrong captions."""
