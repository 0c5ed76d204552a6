"""`captious` for a user's own domain or language, learned from its captions alone."""
