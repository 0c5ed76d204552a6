"""Training of the word-order model: word classes, trigram surprisal, and its limits."""
