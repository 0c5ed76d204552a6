"""Images as vectors: finding, reading and encoding image files."""
