"""Training: one loop, and the data and recipes of learned metrics, critics and captioners."""
