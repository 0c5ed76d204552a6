"""Training of critics (LEIC)."""
