"""Images as vectors: finding files, reading them, encoding them, and keeping what was found."""
