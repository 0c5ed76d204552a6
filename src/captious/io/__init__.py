"""Files of captions and of scores: one file a format."""
