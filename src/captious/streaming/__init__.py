"""Captions without end: read, scored and written a chunk at a time, in one process or many."""
