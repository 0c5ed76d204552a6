"""Learning classes of words, the surprise of their order, and how much of it is usual."""
