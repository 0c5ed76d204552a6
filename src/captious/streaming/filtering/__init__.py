"""Captions chosen by what is known of them: expressions, the best, a sample, no copies."""
