"""Training target: a candidate's similarity to a held-out human reference."""
