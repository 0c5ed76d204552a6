"""Captious and the COCO toolkit side by side: captions to compare on, and the toolkit's answers."""
