"""Learning a space of captions from captions alone."""
