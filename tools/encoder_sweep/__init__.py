"""Layers and thresholds of an encoder compared: states kept on disk, and wrong captions."""
