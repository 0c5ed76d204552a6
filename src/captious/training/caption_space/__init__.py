"""Learning a space of captions, and a bank of images in it, from captions alone."""
