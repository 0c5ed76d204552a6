"""Scene graphs: objects, attributes and relations that a caption speaks of."""
