"""Words and captions as vectors, read from tables."""
